//! Builder returned by `restore`.

use mongodb::{bson::Bson, options::DeleteOptions};

use super::write_builder::write_builder;
use crate::{
    client::odm::Exec,
    derived::follow::{Deletion, FanOut},
    error::Result,
    model::derive_traits::Described,
    query::filter::Filter,
    setters::option_setters,
    write::{self, RestoreReport},
};

/// A restore of a deleted document: `Task::restore(&odm, id)`.
///
/// See the example at [`Documents::restore`](crate::Documents::restore).
///
/// # Sends
///
/// One `update`, if no reference to the model has `on_delete = "cascade"` and no other document depends on the
/// document. Otherwise, the call sends one transaction with these statements:
///
/// 1. One `find` reads the document. Level by level, one `find` for each rule with `cascade` then reads the children.
/// 2. One `update` and one `find` are sent for each model.
/// 3. The last statements update summaries and copies, and store jobs.
///
/// If the model has `on_delete = "archive"`, the call always sends a transaction. For each model, the transaction
/// contains a `find`, an `insert` and a `delete` instead of the `update`. The other statements are those of an insert.
///
/// If there are more documents than [`Settings::inline_copies`](crate::Settings) permits, jobs restore the remaining
/// documents, and the call waits for these jobs.
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
/// - The call restores the document, and the children that the same delete has marked or archived. A child that was
///   deleted earlier stays deleted.
/// - If the model has `on_delete = "archive"`, the copies and summaries in the document get the current values.
///   Snapshots keep their values.
/// - If a job still applies the cascade of the delete, the restore cancels the rest of the cascade.
/// - If a job still restores children when the document is deleted again, the next restore also restores the remaining
///   children.
///
/// # Errors
///
/// - [`Error::DuplicateKey`](crate::Error::DuplicateKey) if another document now has the same value as the restored
///   document in a unique index. In this case nothing is restored. If the model has `on_delete = "archive"`, the call
///   also fails with this error if another document has the same `_id`.
/// - [`Error::NoTarget`](crate::Error::NoTarget) if an archived document has a reference with `exists`, and its target
///   does not exist any more. In this case nothing is restored.
/// - [`Error::BoundExceeded`](crate::Error::BoundExceeded) if an archived document refers to another document whose
///   two-way array is full. In this case nothing is restored.
/// - [`Error::NoTransactions`](crate::Error::NoTransactions) if the model has `on_delete = "archive"`, and the server
///   is a standalone server.
/// - Any error that the server returns.
///
/// # Limits
///
/// A job runs after the commit, so it cannot make the restore fail. The job skips each child that cannot be restored
/// because of one of these errors, for example because another document has the same value in a unique index. The child
/// stays deleted, and the job tries again later. With [`CopyOptions::atomic`](crate::CopyOptions::atomic), the whole
/// restore fails instead.
#[must_use = "a restore is sent when it is awaited"]
#[derive(Debug)]
pub struct Restore<M> {
    filter: Filter<M>,
    options: DeleteOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl<M: Described> Restore<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        Self {
            filter,
            options: DeleteOptions::default(),
            fan_out: FanOut::default(),
            exec,
        }
    }

    option_setters!(comment, write_concern);
    option_setters!(@ in options: DeleteOptions);

    fn into_write(self) -> Result<(write::DeleteWrite, Exec)> {
        let filter = self.filter.into_document();
        let write = write::DeleteWrite {
            model: M::SHAPE,
            filter: filter.map_err(|error| error.in_model(M::SHAPE))?,
            many: false,
            deletion: Deletion::Restore {
                ids: Vec::<Bson>::new(),
            },
            archived: write::Archived::Kept,
            options: self.options,
            fan_out: self.fan_out,
            expected: None,
            also: None,
        };
        Ok((write, self.exec))
    }
}

write_builder!([M: Described] Restore<M>: write::DeleteWrite => RestoreReport, "restore");
