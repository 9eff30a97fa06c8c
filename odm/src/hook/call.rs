//! Calls the hooks of stored documents, without the Rust type of the model.

use std::panic::AssertUnwindSafe;

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::bson::{Bson, RawDocument, RawDocumentBuf};

use super::{
    Committed,
    table::{Implemented, Table, table},
};
use crate::{
    client::{
        id_order::id_of,
        odm::{AfterCommit, Exec, Odm, Tx},
    },
    error::{Error, Result},
    model::shape::ModelShape,
    mongosh,
    query::update::Update,
};

const BEFORE_INSERT: &str = "before_insert";
const BEFORE_UPDATE: &str = "before_update";
const BEFORE_DELETE: &str = "before_delete";

/// The hooks that a write calls for the documents of a model.
#[derive(Clone, Copy)]
pub(crate) struct ModelHooks {
    pub(crate) model: &'static ModelShape,
    table: &'static Table,
    pub(crate) has: Implemented,
}

impl std::fmt::Debug for ModelHooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ModelHooks").field(&self.has).finish()
    }
}

impl ModelHooks {
    /// Returns the hooks of a model, if the model declares hooks.
    pub(crate) fn new(model: &'static ModelShape) -> Option<Self> {
        let table = table(model)?;
        let has = (table.implemented)();
        Some(Self { model, table, has })
    }

    /// Calls `before_insert` for a new document. Returns the document, including the changes that the hook has made.
    ///
    /// # Errors
    ///
    /// [`Error::Hook`] if the hook fails, if it changes the id, or if the changed document is not valid.
    pub(crate) async fn before_insert(
        &self,
        document: RawDocumentBuf,
        exec: &Exec,
    ) -> Result<RawDocumentBuf> {
        let id = id_of(&document);
        let tx = self.begin(BEFORE_INSERT, exec).await?;
        let called = (self.table.before_insert)(document, &tx).await;
        let changed = called.and_then(|changed| {
            if id_of(&changed) == id {
                Ok(changed)
            } else {
                Err(self.changed_id())
            }
        });
        self.end((BEFORE_INSERT, id), &tx, changed, exec).await
    }

    /// Calls `before_update` for a stored document. Returns the result of `build`, which converts the update after the
    /// hook has changed it.
    ///
    /// # Errors
    ///
    /// [`Error::Hook`] if the hook fails, or if the changed update is not valid.
    pub(crate) async fn before_update<T>(
        &self,
        stored: &RawDocument,
        change: Update<()>,
        build: impl FnOnce(Update<()>) -> Result<T> + Send,
        exec: &Exec,
    ) -> Result<T> {
        let id = id_of(stored);
        let tx = self.begin(BEFORE_UPDATE, exec).await?;
        let called = (self.table.before_update)(stored.to_owned(), change, &tx).await;
        let outcome = called.and_then(build);
        self.end((BEFORE_UPDATE, id), &tx, outcome, exec).await
    }

    /// Calls `before_delete` for a stored document.
    ///
    /// # Errors
    ///
    /// [`Error::Hook`] if the hook fails.
    pub(crate) async fn before_delete(&self, stored: &RawDocument, exec: &Exec) -> Result<()> {
        let tx = self.begin(BEFORE_DELETE, exec).await?;
        let called = (self.table.before_delete)(stored.to_owned(), &tx).await;
        self.end((BEFORE_DELETE, id_of(stored)), &tx, called, exec)
            .await
    }

    /// Checks the validation rules of a document that contains the changes of `before_update`.
    ///
    /// # Errors
    ///
    /// [`Error::Hook`] if the document violates a rule.
    pub(crate) fn check_rules(&self, stored: &RawDocument, exec: &Exec) -> Result<()> {
        let checked = (self.table.check_rules)(stored);
        checked.map_err(|error| self.failed(BEFORE_UPDATE, id_of(stored), error, exec))
    }

    /// Returns the handle for one call of a hook, in the transaction of the write.
    async fn begin(&self, hook: &'static str, exec: &Exec) -> Result<Tx> {
        // All writes with hooks run in a transaction. On a standalone server, the first statement would fail, but the
        // hook can run before it.
        let tx = exec.transaction().ok_or(Error::NoTransactions)?;
        if exec.is_on_standalone().await? {
            return Err(Error::NoTransactions);
        }
        tx.for_hook().ok_or_else(|| self.too_deep(hook))
    }

    /// Waits for the writes that a hook has started. If the hook has failed, adds the name of the hook to the error.
    async fn end<T>(
        &self,
        (hook, id): (&'static str, Option<Bson>),
        tx: &Tx,
        called: Result<T>,
        exec: &Exec,
    ) -> Result<T> {
        tx.end_hook().await;
        called.map_err(|source| self.failed(hook, id, source, exec))
    }

    /// Returns the error of a hook, and prevents the commit of the transaction.
    fn failed(&self, hook: &'static str, id: Option<Bson>, source: Error, exec: &Exec) -> Error {
        let error = Error::Hook {
            model: self.model.name,
            collection: self.model.collection,
            hook,
            id: id.map(Box::new),
            source: Box::new(source),
        };
        // If the application has started the transaction, its closure might ignore the error. The commit must fail even
        // then.
        exec.poison(&error);
        error
    }

    /// Returns the calls of `after_commit` for the given stored documents.
    pub(crate) fn committed(
        &self,
        write: Committed,
        documents: impl IntoIterator<Item = RawDocumentBuf>,
    ) -> CommittedHooks {
        let mut hooks = CommittedHooks::default();
        if self.has.after_commit {
            let documents = documents.into_iter();
            let calls = documents.map(|document| (*self, write, document));
            hooks.calls.extend(calls);
        }
        hooks
    }

    fn changed_id(&self) -> Error {
        let message = format!(
            "`before_insert` has changed the `_id` of a `{}`; set the id before the insert",
            self.model.name
        );
        Error::invalid(message).in_model(self.model)
    }

    fn too_deep(&self, hook: &str) -> Error {
        let message = format!(
            "`{hook}` of `{}` would run inside eight other hooks; a hook probably writes its own model again, so add \
             `.without_hooks()` to this write",
            self.model.name
        );
        Error::invalid(message).in_model(self.model)
    }
}

/// Calls of `after_commit` that wait for the commit.
#[derive(Debug, Default)]
pub(crate) struct CommittedHooks {
    calls: Vec<(ModelHooks, Committed, RawDocumentBuf)>,
}

impl CommittedHooks {
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Adds the calls of another transaction.
    pub(crate) fn extend(&mut self, other: Self) {
        self.calls.extend(other.calls);
    }

    /// Calls the hooks, one after the other. Errors and panics are logged, because the write is already committed.
    pub(crate) async fn call(self, odm: &Odm) {
        for (hooks, write, document) in self.calls {
            let id = shown_id(&document);
            let called = (hooks.table.after_commit)(document, write, odm);
            let (model, called) = (hooks.model.name, AssertUnwindSafe(called).catch_unwind());
            match called.await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::error!(model, id, %error, "`after_commit` failed"),
                Err(_) => tracing::error!(model, id, "`after_commit` panicked"),
            }
        }
    }
}

impl AfterCommit for CommittedHooks {
    fn run(self: Box<Self>, odm: Odm) -> BoxFuture<'static, ()> {
        Box::pin(async move { self.call(&odm).await })
    }
}

/// Returns the id of a document as text for the log.
fn shown_id(document: &RawDocument) -> String {
    id_of(document).map_or_else(String::new, |id| mongosh::value(&id))
}
