//! Builder returned by `delete` and `delete_many`.

use mongodb::{bson::Document, options::DeleteOptions};

use super::write_builder::{bulk_operation, hooks_setter, version_setters, write_builder};
use crate::{
    client::odm::Exec,
    derived::follow::{Deletion, FanOut},
    error::{Error, Result},
    model::{derive_traits::Described, shape::ModelShape},
    query::filter::Filter,
    setters::option_setters,
    write::{self, DeleteReport, ExpectedVersion, GivenVersion},
};

/// A delete of one or many documents: `Part::delete(&odm, id)`, `Part::delete_many(&odm, filter)`.
///
/// See the example at [`Documents::delete`](crate::Documents::delete).
///
/// # Sends
///
/// One `delete`, if no reference to the model has a delete rule and no other model copies the model's fields. Otherwise
/// `delete` sends one transaction, and `delete_many` sends one transaction for every 500 documents. Each transaction
/// contains these statements:
///
/// 1. one `find` for the documents, and then, level by level, one `find` per delete rule for the documents that refer
///    to them;
/// 2. one `find` for each `restrict` rule;
/// 3. one `delete` for each model, and one `update` for each rule that changes documents;
/// 4. the statements that store the jobs.
///
/// If the documents and copies at all levels together exceed [`Settings::inline_copies`](crate::Settings), jobs process
/// the remaining documents and copies, and the call waits for these jobs. The option [`atomic`](crate::CopyOptions::atomic)
/// removes this limit.
///
/// If the model has `#[deleted_at]`, and copies in it belong to the user in `#[updated_by]`, the call also sends a
/// transaction. It contains one `find` for the copied fields of this user.
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
///   batch is deleted. The exception is a rule of documents that the same delete can also remove through other
///   documents, or through a key that is not an `_id`. Each batch checks such a rule.
///
/// # Limits
///
/// A delete does not apply the rules that only other programs declare. Instead, the delete enqueues a job for these
/// programs. The delete does not check their `restrict` rules. If another program declares a new rule, this program
/// learns of the rule within a minute. Until then, deletes by this program enqueue no job for that rule, and
/// [`Odm::verify`](crate::Odm::verify) reports the remaining references as dangling.
///
/// A `restrict` rule does not ignore references from documents that the call deletes only through documents of another
/// batch or of a job. The option [`atomic`](crate::CopyOptions::atomic) permits such a delete.
///
/// If the model has [hooks](crate::Hooks), or if a cascade deletes documents of such a model, each transaction also
/// contains the statements of the hooks, and one `find` for every 500 of these documents. If the cascade is too large
/// for one transaction, or if you call `deferred`, the delete fails with [`Error::Invalid`]. The options
/// [`atomic`](crate::CopyOptions::atomic) and [`without_hooks`](Self::without_hooks) permit such a delete.
///
/// If the model has `on_delete = "archive"`, the call always sends a transaction. The transaction reads the documents,
/// inserts them into the archive, and deletes them: at least one `find`, two `delete` and one `insert` for each model.
///
/// # Errors
///
/// - [`Error::NoTransactions`] if the model has `on_delete = "archive"`, and the server is a standalone server.
/// - [`Error::DuplicateKey`] if the archive contains a document of a different tenant that has the `_id` of a document
///   to delete.
/// - [`Error::Hook`] if a hook fails. No document from the same transaction was deleted.
/// - [`Error::Conflict`] if you called [`if_version`](Self::if_version) or [`if_unchanged`](Self::if_unchanged), and
///   the document has changed. Nothing was deleted.
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
    is_purge: bool,
    options: DeleteOptions,
    fan_out: FanOut,
    expected: Option<Result<GivenVersion>>,
    exec: Exec,
}

impl<M: Described> Delete<M> {
    pub(crate) fn new(filter: Filter<M>, many: bool, exec: Exec) -> Self {
        Self {
            filter,
            many,
            everything: false,
            is_purge: false,
            options: DeleteOptions::default(),
            fan_out: FanOut::default(),
            expected: None,
            exec,
        }
    }

    /// Removes the documents even if the model has `#[deleted_at]`.
    pub(crate) const fn purging(mut self) -> Self {
        self.is_purge = true;
        self
    }

    /// Allows an empty filter, which matches every document of the model.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// Book::delete_many(&odm, Filter::all()).everything().await?;
    /// # Ok(()) }
    /// ```
    pub const fn everything(mut self) -> Self {
        self.everything = true;
        self
    }

    version_setters!();
    hooks_setter!();
    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any options: DeleteOptions);

    fn into_write(self) -> Result<(write::DeleteWrite, Exec)> {
        let filter = self.filter.into_document();
        let mut filter = confirmed_filter(M::SHAPE, filter, self.everything)?;
        let expected = self.expected.transpose()?;
        if self.many && expected.is_some() {
            let refused = Error::invalid(format!(
                "`if_version` and `if_unchanged` check the version of one document, so `delete_many` and `purge_many` do not \
                 have them; write `{0}::delete(..)` or `{0}::purge(..)` with the id of the document",
                M::SHAPE.name
            ));
            return Err(refused.in_model(M::SHAPE));
        }
        let expected = expected.map(|given| ExpectedVersion::add_to(&mut filter, given, M::SHAPE));
        let write = write::DeleteWrite {
            model: M::SHAPE,
            filter,
            many: self.many,
            deletion: if self.is_purge {
                Deletion::Purge
            } else {
                Deletion::of(M::SHAPE, &self.exec)
            },
            archived: if self.is_purge {
                write::Archived::Also
            } else {
                write::Archived::Kept
            },
            options: self.options,
            fan_out: self.fan_out,
            expected: expected.transpose()?,
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
bulk_operation!([M: Described] Delete<M>: Delete);
