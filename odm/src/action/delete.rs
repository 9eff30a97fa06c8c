//! Deletes documents.

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

/// Deletes documents: `Part::delete(&odm, id)`, `Part::delete_many(&odm, filter)`.
///
/// Awaiting it sends one `delete` and returns how many documents it removed. References to them stay
/// as they are, unless they say `on_delete`. Then, and if the documents are copied, it runs in a transaction
/// (parts of 500 for `delete_many`). It looks first: a `find` of the documents, one for each rule and level
/// of what refers to them, one for each rule that forbids it. Then it writes: a `delete` for each model, an
/// `update` for each rule that changes documents, and the jobs. What is more than
/// [`Settings::inline_copies`](crate::Settings) documents and copies, on all levels together, is left to
/// jobs, which are run to their end before this returns; [`atomic`](CopyOptions::atomic) has no such limit.
///
/// References from documents that are deleted as well forbid nothing. Where a `delete_many` has several
/// parts, references that forbid the delete of any of its documents are looked for before the first part.
///
/// A program that does not declare a rule leaves a job for one that does, but for `restrict`, which it does not see.
/// It learns of a new rule within a minute: until then, references to what it deletes are caught up with if they were
/// stored after the rule was declared; of older ones, [`Odm::verify`](crate::Odm::verify) finds those that lead nowhere.
///
/// # Errors
///
/// [`Error::Invalid`] for a `delete_many` with an empty filter without
/// [`everything`](Self::everything), [`Error::Restricted`] if a reference forbids it, so that nothing was
/// deleted, [`Error::PartlyDeleted`] if a part fails after others, and what the driver reports.
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

    /// Confirms that an empty filter is meant: every document of the collection.
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
            filter: meant(M::SHAPE, filter, self.everything)?,
            many: self.many,
            options: self.options,
            fan_out: self.fan_out,
            also: None,
        };
        Ok((write, self.exec))
    }
}

/// Refuses an empty filter, unless it is meant.
fn meant(
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
