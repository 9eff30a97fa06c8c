//! Builder returned by `bulk_write`.

use std::{fmt, sync::Arc};

use crate::{
    client::{
        odm::{Exec, Executor, Odm, Running, Tx, traced_call},
        plan::Plan,
    },
    error::{BulkCounts, Error, FailedOperation, Result},
    write::{self, BulkReport},
};

/// Several writes to any models in one call: `odm.bulk_write().add(task.insert(&odm)).add(Note::delete(&odm, id))`.
///
/// Each operation is the builder of a single call, including its options. So an operation has the same effects as the
/// call: copies, summaries, delete rules, timestamps, versions, validation, hooks, soft delete and tenants.
///
/// # Sends
///
/// | operations | statements |
/// |---|---|
/// | inserts of documents of one model, without derived data and hooks | one `insert` for every 100,000 documents or 48 MB |
/// | updates, upserts, saves and replaces of one model, without derived data and hooks | one `update` for every 1,000 operations |
/// | deletes of one model that have no effects on other documents | one `delete` or one `update` for every 1,000 operations |
/// | all other operations | the statements that the single calls send |
///
/// An ordered bulk write puts only consecutive operations into one statement. An [`unordered`](Self::unordered) bulk
/// write combines all operations of the same type on one model, including inserts of models with derived data.
///
/// An operation runs as a single call if it checks a version, pushes into an array with `max`, inserts several
/// documents, or sets an option of the whole command (`comment`, `let_vars`, `write_concern`). The same applies to
/// updates and deletes of a model with a shard key, on a cluster to an upsert whose filter lacks the `_id`, and to a
/// replace of a model with `#[deleted_at]` outside of a transaction. In a transaction, several replaces of such a model
/// can share one command. If the command matches fewer documents than it contains replaces, one `find` determines which
/// of the documents are deleted.
///
/// The library does not use the command `bulkWrite` of server 8.0. So each model needs its own command, on every
/// version of the server.
///
/// # Guarantees
///
/// - By default, the operations run in the order in which they were added, and the first error ends the call. The
///   earlier operations remain stored.
/// - An unordered bulk write continues after an error, and runs the operations in any order.
/// - Outside of a transaction, each operation is atomic on its own. In a transaction (`tx.bulk_write()`), either all
///   operations are stored or none. In a transaction, the first error always ends the call, and the transaction cannot
///   be committed.
/// - After a lost connection or an election, the driver does not repeat a command that contains several updates or
///   deletes. The error lists the operations of the command as failed, or only the first of them if the bulk write is
///   ordered, although the server can have carried out some of them.
///
/// # Errors
///
/// - [`Error::BulkWrite`] if operations failed. The error contains the counts of the successful operations, and the
///   position and the reason of each failed operation. The error of an ordered bulk write lists one operation. The
///   error of an unordered bulk write lists all operations that were not carried out, even if the server rejected only
///   some of them before the connection was lost.
/// - [`Error::BulkWrite`] also if an operation cannot be encoded or is not valid, or if its handle and the handle of
///   the bulk write have different transactions, databases, tenants, actors, read preferences, read concerns, write
///   concerns or settings. An unordered bulk write carries out the other operations. An ordered bulk write, or one in a
///   transaction, sends nothing, and the error lists all invalid operations.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm::{Error, prelude::*};
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "tasks")]
/// struct Task {
///     #[serde(rename = "_id")]
///     id: Id<Task>,
///     title: String,
///     #[version]
///     #[serde(default)]
///     version: i64,
/// }
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "notes")]
/// struct Note {
///     #[serde(rename = "_id")]
///     id: Id<Note>,
///     text: String,
/// }
///
/// async fn apply(odm: &Odm, new: &[Task], done: &Task, note: Id<Note>) -> mongo_odm::Result<()> {
///     let bulk = odm
///         .bulk_write()
///         .add_all(new.iter().map(|task| task.insert(odm)))
///         .add(Task::delete(odm, done.id).if_unchanged(done))
///         .add(Note::update(odm, note).set(Note::fields().text, "done"));
///     match bulk.await {
///         Err(Error::BulkWrite { counts, failed, .. }) => {
///             println!("{} inserted", counts.inserted);
///             for operation in failed {
///                 println!("{operation}");
///             }
///         }
///         other => println!("{} deleted", other?.counts.deleted),
///     }
///     Ok(())
/// }
/// ```
#[must_use = "a bulk write is sent when it is awaited"]
pub struct BulkWrite {
    operations: Vec<Result<write::BulkOperation>>,
    ordered: bool,
    exec: Exec,
}

/// A call that can be an operation of a bulk write: an insert, a save, a replace, an update, an upsert or a delete.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an operation of a bulk write",
    label = "not an operation",
    note = "add the builder of an insert, save, replace, update, upsert or delete, without `.await`"
)]
pub trait BulkOperation {
    /// Returns the write and its executor. The timestamps that the write sets are the time of the bulk write.
    #[doc(hidden)]
    fn into_operation(self, bulk: &Exec) -> Result<Operation>;
}

/// A write and its executor.
#[derive(Debug)]
pub struct Operation {
    pub(super) write: write::BulkOperation,
    pub(super) exec: Exec,
}

/// The operations of a bulk write, separated into valid and invalid operations.
struct Parts {
    /// Total number of operations.
    operations: usize,
    /// The write of the valid operations. `None` if no operation is valid.
    write: Option<(write::BulkWrite, Exec)>,
    invalid: Vec<FailedOperation>,
}

impl BulkWrite {
    const fn new(exec: Exec) -> Self {
        Self {
            operations: Vec::new(),
            ordered: true,
            exec,
        }
    }

    /// Adds an operation. Create its builder with the same handle or transaction as the bulk write, or with a clone.
    #[allow(
        clippy::should_implement_trait,
        reason = "the method adds an operation to a list, which is not arithmetic"
    )]
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let author = Author { id: Id::new(), name: "Tove".to_owned(), books: 0 };
    /// odm.bulk_write()
    ///     .add(author.insert(&odm))
    ///     .add(Book::update_many(&odm, Filter::all()).set(Book::fields().sold, 0))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn add(mut self, operation: impl BulkOperation) -> Self {
        let exec = &self.exec;
        let operation = operation.into_operation(exec);
        let operation = operation.and_then(|operation| {
            if exec.is_same_handle(&operation.exec) {
                return Ok(operation.write);
            }
            let other = Error::invalid(
                "the operation has another handle than the bulk write, for example `&odm` and not `&tx`, another tenant, or \
                 another write concern; pass the same handle to both"
                    .to_owned(),
            );
            Err(other.in_model(operation.write.model()))
        });
        self.operations.push(operation);
        self
    }

    /// Adds several operations.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, books: Vec<Book>) -> mongo_odm::Result<()> {
    /// let saves = books.iter().map(|book| book.save(&odm));
    /// odm.bulk_write().add_all(saves).await?;
    /// # Ok(()) }
    /// ```
    pub fn add_all<O: BulkOperation>(self, operations: impl IntoIterator<Item = O>) -> Self {
        operations.into_iter().fold(self, Self::add)
    }

    /// Continues after an error, and runs the operations in any order. In a transaction, the first error ends the call.
    ///
    /// # Sends
    ///
    /// Fewer statements than an ordered bulk write, because all operations of the same type on one model can share a
    /// command.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, first: Id<Book>, second: Id<Book>) -> mongo_odm::Result<()> {
    /// let sold = Book::fields().sold;
    /// let bulk = odm.bulk_write().unordered();
    /// let bulk = bulk.add(Book::update(&odm, first).inc(sold, 1));
    /// let report = bulk.add(Book::update(&odm, second).inc(sold, 2)).await?;
    /// println!("{} books", report.counts.modified);
    /// # Ok(()) }
    /// ```
    pub const fn unordered(mut self) -> Self {
        self.ordered = false;
        self
    }

    /// Returns the statements that the call would send, including the updates to derived data, in mongosh syntax. Sends
    /// nothing.
    ///
    /// # Errors
    ///
    /// The errors that the call itself can return before it sends a statement.
    ///
    /// # Examples
    ///
    /// See [`Plan`](crate::Plan).
    pub fn plan(self) -> Result<Plan> {
        match self.into_parts(true)?.write {
            None => Ok(Plan::default()),
            Some((write, exec)) => exec.plan(write),
        }
    }

    /// Runs the bulk write in a transaction, rolls the transaction back, and returns the report.
    ///
    /// # Sends
    ///
    /// The statements of the operations in one transaction, and an `abortTransaction`.
    ///
    /// # Errors
    ///
    /// The errors of the call itself. [`Error::Invalid`] in a transaction, and [`Error::NoTransactions`] on a
    /// standalone server.
    ///
    /// # Examples
    ///
    /// See [`Save::dry_run`](crate::action::Save::dry_run).
    pub async fn dry_run(self) -> Result<BulkReport> {
        let parts = self.into_parts(true)?;
        let Some((mut write, exec)) = parts.write else {
            return Ok(BulkReport::default());
        };
        for (_, operation) in &mut write.operations {
            operation.follow_at_once();
        }
        let tried = traced_call("bulk_write", async move { exec.dry_run(write).await });
        tried.await?.into_result(parts.operations, parts.invalid)
    }

    /// Separates the operations that can be sent from the invalid ones.
    ///
    /// # Errors
    ///
    /// [`Error::BulkWrite`] if an operation is invalid, and the bulk write must be sent as a whole or has no valid
    /// operation.
    fn into_parts(self, is_whole: bool) -> Result<Parts> {
        let (mut operations, mut invalid) = (Vec::new(), Vec::new());
        let total = self.operations.len();
        for (index, operation) in self.operations.into_iter().enumerate() {
            match operation {
                Ok(operation) => operations.push((index, operation)),
                Err(error) => invalid.push(FailedOperation {
                    index,
                    reason: Arc::new(error),
                }),
            }
        }
        if !invalid.is_empty() && (is_whole || operations.is_empty()) {
            return Err(Error::bulk_write(total, BulkCounts::default(), invalid));
        }
        let model = operations.first().map(|(_, operation)| operation.model());
        let write = model.map(|model| write::BulkWrite {
            model,
            operations,
            ordered: self.ordered,
        });
        Ok(Parts {
            operations: total,
            write: write.map(|write| (write, self.exec)),
            invalid,
        })
    }
}

impl IntoFuture for BulkWrite {
    type Output = Result<BulkReport>;
    type IntoFuture = Running<BulkReport>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("bulk_write", async move {
            let is_whole = self.ordered || self.exec.in_transaction();
            let parts = self.into_parts(is_whole)?;
            let Some((write, exec)) = parts.write else {
                return Ok(BulkReport::default());
            };
            let odm = exec.odm().clone();
            let mut outcome = exec.write(write).await?;
            for (model, wrote) in outcome.take_wrote() {
                odm.count_write(model, &wrote);
            }
            outcome.into_result(parts.operations, parts.invalid)
        })
    }
}

impl fmt::Debug for BulkWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BulkWrite")
            .field("operations", &self.operations)
            .field("ordered", &self.ordered)
            .finish_non_exhaustive()
    }
}

macro_rules! bulk_write {
    ($($handle:ty),*) => {$(
        impl $handle {
            /// Starts a bulk write: several writes to any models in one call. See [`BulkWrite`].
            ///
            /// # Sends
            ///
            /// Nothing. The statements are sent when the bulk write is awaited.
            ///
            /// # Errors
            ///
            /// The call itself does not fail.
            ///
            /// # Examples
            ///
            /// ```no_run
            #[doc = include_str!("../docs/library_models.txt")]
            /// # async fn example(odm: Odm, book: Book, old: Id<Book>) -> mongo_odm::Result<()> {
            /// let bulk = odm.bulk_write().add(book.insert(&odm));
            /// let report = bulk.add(Book::delete(&odm, old)).await?;
            /// println!("{} inserted, {} deleted", report.counts.inserted, report.counts.deleted);
            /// # Ok(()) }
            /// ```
            #[track_caller]
            pub fn bulk_write(&self) -> BulkWrite {
                BulkWrite::new(self.exec())
            }
        }
    )*};
}
bulk_write!(Odm, Tx);
