//! Builder returned by `delete` and `delete_many`.

use mongodb::{bson::Document, options::DeleteOptions};

use super::write_builder::write_builder;
use crate::{
    client::odm::Exec,
    derived::follow::{CopyOptions, FanOut},
    error::{Error, Result},
    model::{derive_traits::Described, shape::ModelShape},
    query::filter::Filter,
    setters::option_setters,
    write::{self, DeleteReport},
};

/// A delete of one or many documents: `Part::delete(&odm, id)`, `Part::delete_many(&odm, filter)`.
///
/// See the example at [`Documents::delete`](crate::Documents::delete).
///
/// # Sends
///
/// One `delete`, if no reference to the model has a delete rule and no other model copies its fields. Otherwise
/// `delete` sends one transaction, and `delete_many` sends one transaction for every 500 documents. Each transaction
/// contains these statements:
///
/// 1. one `find` for the documents, and then, level by level, one `find` per delete rule for the documents that refer
///    to them;
/// 2. one `find` for each `restrict` rule;
/// 3. one `delete` for each model, and one `update` for each rule that changes documents;
/// 4. the statements that store the jobs.
///
/// If the documents and copies on all levels together exceed [`Settings::inline_copies`](crate::Settings), jobs process
/// the remaining ones, and the call waits for these jobs. The option [`atomic`](CopyOptions::atomic) removes this
/// limit.
///
/// # Index
///
/// The call uses an index on each reference to the model. [`sync_indexes`](crate::Odm::sync_indexes) creates these
/// indexes.
///
/// # Guarantees
///
/// - A `restrict` rule ignores references from documents that the same call deletes.
/// - If a `delete_many` requires several batches, the `restrict` rules are checked for all documents before the first
///   batch is deleted.
///
/// # Limits
///
/// A delete does not apply the rules that only other programs declare. Instead, the delete leaves a job for these
/// programs, and does not check their `restrict` rules. If another program declares a new rule, this program learns of
/// the rule within a minute. Until then, deletes by this program leave no job for that rule, and
/// [`Odm::verify`](crate::Odm::verify) reports the remaining references as dangling.
///
/// # Errors
///
/// - [`Error::Restricted`] if a rule forbids the delete. Nothing was deleted.
/// - [`Error::Invalid`] for a `delete_many` with an empty filter, unless you call
///   [`everything`](Self::everything).
/// - [`Error::PartlyDeleted`] if a batch fails after other batches were committed.
/// - Any error that the server returns.
#[must_use = "a delete is sent when it is awaited"]
#[derive(Debug)]
pub struct Delete<M> {
    filter: Filter<M>,
    many: bool,
    everything: bool,
    options: DeleteOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl<M: Described> Delete<M> {
    pub(crate) fn new(filter: Filter<M>, many: bool, exec: Exec) -> Self {
        Self {
            filter,
            many,
            everything: false,
            options: DeleteOptions::default(),
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Allows an empty filter, which matches every document of the model.
    pub const fn everything(mut self) -> Self {
        self.everything = true;
        self
    }

    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any DeleteOptions);

    const fn options_mut(&mut self) -> &mut DeleteOptions {
        &mut self.options
    }

    fn into_write(self) -> Result<(write::DeleteWrite, Exec)> {
        let filter = self.filter.into_document();
        let write = write::DeleteWrite {
            model: M::SHAPE,
            filter: confirmed_filter(M::SHAPE, filter, self.everything)?,
            many: self.many,
            options: self.options,
            fan_out: self.fan_out,
            also: None,
        };
        Ok((write, self.exec))
    }
}

/// Rejects an empty filter unless the caller has allowed it.
fn confirmed_filter(
    model: &'static ModelShape,
    filter: Result<Document>,
    everything: bool,
) -> Result<Document> {
    let filter = filter.map_err(|error| error.in_model(model))?;
    if filter.is_empty() && !everything {
        let refused = Error::invalid(format!(
            "an empty filter deletes every document of `{}` in `{}`; if that is meant, add \
             `.everything()`",
            model.name, model.collection
        ));
        return Err(refused.in_model(model));
    }
    Ok(filter)
}

write_builder!([M: Described] Delete<M>: write::DeleteWrite => DeleteReport, "delete");

impl<M> CopyOptions for Delete<M> {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}
