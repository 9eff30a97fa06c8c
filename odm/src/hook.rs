//! Functions of the application that run inside writes: the trait `Hooks`.
//!
//! The derive macro stores a table of functions in the shape of a model (`table`). All writes call these functions
//! through `ModelHooks`, which does not depend on the type of the model. Writes of a model without hooks send no
//! additional statements.

mod call;
mod table;

pub use table::{HookProbe, HookProbeFallback, hooks_table};

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use crate::{
    client::odm::{Odm, Tx},
    error::Result,
    model::hooks::DeclaresHooks,
    query::update::Update,
};
pub(crate) use call::{CommittedHooks, ModelHooks};

/// Functions that the library calls inside and after writes of a model's documents.
///
/// Declare `#[model(hooks)]`, and implement the hooks that you need. The library calls `before_insert`, `before_update`
/// and `before_delete` in the transaction of the write, and `after_commit` after its commit. If a `before_*` hook
/// fails, the transaction is aborted, and the write fails with [`Error::Hook`](crate::Error::Hook).
///
/// # The order in a write
///
/// 1. The library sets the kind of a new document, and checks its validation rules.
/// 2. The library calls the `before_*` hook. A new document already contains its tenant.
/// 3. If the hook has changed a new document, the library checks the rules and the bounds of arrays again.
/// 4. The library sets timestamps, actors and the version.
/// 5. The library fills in the copies in the document, and sends the statement.
/// 6. The library updates the documents that depend on this one, and commits the transaction.
/// 7. The library writes the remaining copies, and calls `after_commit`.
///
/// # Sends
///
/// Each write of a model with hooks runs in a transaction, which costs one round trip for the commit. A write of
/// several documents uses one transaction for every 500 documents. `.without_hooks()` skips the hooks of one write.
///
/// Before the hooks of an update or a delete run, one `find` for every 500 documents reads the documents. If the model
/// implements `after_commit`, one more `find` reads the documents after an update.
///
/// # Guarantees
///
/// - The writes that a hook sends through `tx` belong to the transaction of the write. If the write fails, the writes
///   of its hooks are rolled back, too. If your code calls the write in its own transaction, the hooks run in that
///   transaction.
/// - If the transaction is retried, the library calls the `before_*` hooks again, with the original document. So do not
///   use these hooks for effects outside of the transaction, such as e-mails.
/// - `after_commit` runs at most once. It does not run if the program crashes after the commit. If `after_commit`
///   fails, the library logs the error, and the write succeeds.
/// - If your code drops the future of a write, the write and its hooks run to completion. If your code drops the future
///   of its own transaction, the transaction is aborted, and the hook's calls with `tx` fail.
/// - A failing hook aborts only its own transaction. If a write of many documents uses several transactions, the
///   transactions that were committed before the failure are not rolled back.
///
/// # Limits
///
/// - Hooks need transactions, which a standalone server does not support.
/// - A hook receives the document as it is stored. Fields that serde skips have their default values.
/// - Jobs do not call hooks when they write copies, summaries and arrays of keys. Delete rules do not call hooks when
///   they remove keys. `move_documents`, `backfill` and `repair` do not call hooks either.
/// - `plan()` calls no hooks, so it shows the statements that are sent if the hooks change nothing.
/// - A hook must not use `tx` to write the document for which it was called. `before_insert` changes `self` instead,
///   and `before_update` adds operators to `change`.
/// - If a hook writes other documents of its model, the hooks of these documents run, too. Hooks can be nested at most
///   eight levels deep.
///
/// # Errors
///
/// A write of a model with hooks can return these errors:
///
/// - [`Error::Hook`](crate::Error::Hook) if a `before_*` hook fails, changes the id, or makes the document or the
///   update invalid. [`Error::get_custom`](crate::Error::get_custom) returns the error that your code has created.
/// - [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server.
/// - [`Error::Invalid`](crate::Error::Invalid) if a write of a hook would call a hook inside eight nested hooks.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm::{Committed, CustomError, prelude::*};
///
/// #[derive(Debug, thiserror::Error)]
/// #[error("a task needs a title")]
/// struct NoTitle;
/// impl CustomError for NoTitle {}
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "tasks", hooks)]
/// struct Task {
///     #[serde(rename = "_id")]
///     id: Id<Task>,
///     title: String,
///     slug: String,
/// }
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "events")]
/// struct Event {
///     #[serde(rename = "_id")]
///     id: Id<Event>,
///     text: String,
/// }
///
/// impl Hooks for Task {
///     async fn before_insert(&mut self, tx: &Tx) -> mongo_odm::Result<()> {
///         if self.title.is_empty() {
///             return Err(NoTitle.into());
///         }
///         self.slug = self.title.to_lowercase().replace(' ', "-");
///         // The event belongs to the same transaction, so it is stored only if the task is stored.
///         let event = Event { id: Id::new(), text: format!("new task: {}", self.title) };
///         event.insert(tx).await?;
///         Ok(())
///     }
///
///     async fn after_commit(&self, write: Committed, _odm: &Odm) -> mongo_odm::Result<()> {
///         println!("{write:?}: {}", self.title);
///         Ok(())
///     }
/// }
///
/// async fn import(odm: &Odm, tasks: &[Task]) -> mongo_odm::Result<()> {
///     Task::insert_many(odm, tasks).without_hooks().await?;
///     Ok(())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement its hooks",
    label = "declared here, but there is no `impl Hooks for {Self}`",
    note = "write `impl Hooks for {Self}` with the hooks that you need, or remove `hooks` from `#[model(..)]`"
)]
#[expect(
    unused_variables,
    reason = "the hooks that a model does not implement have nothing to do"
)]
pub trait Hooks: DeclaresHooks + Sized + Send + Sync + 'static {
    /// Runs before the document is inserted. The hook can change the document, but not its id.
    ///
    /// `insert`, `insert_many`, `get_or_create`, and a `save` of a new document call this hook.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "tasks", hooks)]
    /// # struct Task {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Task>,
    /// #     title: String,
    /// # }
    /// impl Hooks for Task {
    ///     async fn before_insert(&mut self, _tx: &Tx) -> mongo_odm::Result<()> {
    ///         self.title = self.title.trim().to_owned();
    ///         Ok(())
    ///     }
    /// }
    /// ```
    fn before_insert(&mut self, tx: &Tx) -> impl Future<Output = Result<()>> + Send {
        Missing
    }

    /// Runs before the document is updated. `self` is the stored document, and `change` is the update, to which the
    /// hook can add operators. [`Update::is_writing`] and [`Update::value_set`] read the update.
    ///
    /// All updates of documents call this hook, and so do `save` and `replace` of a stored document. For these two,
    /// `change` sets the fields in which the struct differs from the stored document. If the hook does not change this
    /// update, the library replaces the document. Otherwise, the library sends the changed update.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{Update, prelude::*};
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "tasks", hooks)]
    /// # struct Task {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Task>,
    /// #     title: String,
    /// #     slug: String,
    /// # }
    /// impl Hooks for Task {
    ///     async fn before_update(&self, change: &mut Update<Self>, _tx: &Tx) -> mongo_odm::Result<()> {
    ///         let task = Task::fields();
    ///         if let Some(title) = change.value_set(task.title)? {
    ///             change.set(task.slug, title.to_lowercase().replace(' ', "-"));
    ///         }
    ///         Ok(())
    ///     }
    /// }
    /// ```
    fn before_update(
        &self,
        change: &mut Update<Self>,
        tx: &Tx,
    ) -> impl Future<Output = Result<()>> + Send {
        Missing
    }

    /// Runs before the document is deleted, purged, or marked as deleted. An error prevents the delete.
    ///
    /// A cascade calls the hook of each document that it deletes. If the cascade is too large for one transaction, jobs
    /// would have to delete the remaining documents, and jobs call no hooks. So the delete fails, and the message lists
    /// the remedies: `.atomic()` and `.without_hooks()`.
    ///
    /// The hook can change which other documents the delete affects, for example by assigning the document's children
    /// to another parent. If the hooks write to a collection that contains documents to delete or to change, the delete
    /// reads these documents again.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{CustomError, prelude::*};
    /// # #[derive(Debug, thiserror::Error)]
    /// # #[error("a finished task cannot be deleted")]
    /// # struct Finished;
    /// # impl CustomError for Finished {}
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "tasks", hooks)]
    /// # struct Task {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Task>,
    /// #     is_finished: bool,
    /// # }
    /// impl Hooks for Task {
    ///     async fn before_delete(&self, _tx: &Tx) -> mongo_odm::Result<()> {
    ///         if self.is_finished {
    ///             return Err(Finished.into());
    ///         }
    ///         Ok(())
    ///     }
    /// }
    /// ```
    fn before_delete(&self, tx: &Tx) -> impl Future<Output = Result<()>> + Send {
        Missing
    }

    /// Runs after the transaction of the write has been committed. `self` is the document as the transaction has stored
    /// it, or the deleted document. If the library corrects copies in the document after the commit, `self` contains
    /// the values before the correction.
    ///
    /// See the example at [`Hooks`].
    fn after_commit(&self, write: Committed, odm: &Odm) -> impl Future<Output = Result<()>> + Send {
        Missing
    }
}

/// The write after which [`Hooks::after_commit`] runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Committed {
    /// The document is new.
    Inserted,
    /// The document was updated, or replaced by `save` or `replace`.
    Updated,
    /// The document was deleted, purged, or marked as deleted.
    Deleted,
}

/// The future of a hook that a model does not implement.
///
/// The size of this type is zero. An implemented hook has a different future, which contains at least its arguments or
/// its state. So the size of the future shows at compile time whether a model implements the hook
/// (`table::has_state_2`, `table::has_state_3`).
struct Missing;

impl Future for Missing {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }
}
