//! The preparations for a write to a source: creating the collections for jobs, storing declarations, and checking
//! indexes.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::future::BoxFuture;
use mongodb::bson::doc;
use tokio::sync::OnceCell;

use super::background_task::ensure_running;
use crate::{
    client::odm::{Odm, ask_before_write, for_all_calls},
    derived::{declaration, outbox},
    error::{Error, Result},
    graph::{DeclaredBy, ExtendedReference},
    index, mongosh,
};

/// The preparations that a handle has already completed.
#[derive(Debug, Default)]
struct Ready {
    jobs: OnceCell<()>,
    /// The names of the extended references for which an index is known to exist.
    indexed: Mutex<HashSet<String>>,
}

impl Odm {
    /// Creates the collections for jobs and cursors, unless this program has already created them.
    ///
    /// If a transaction uses one of these collections, this function must be called before the transaction begins.
    /// Otherwise, the first write inside the transaction would create the indexes outside of the transaction. The
    /// server would then wait for the transaction's lock until it aborts the transaction.
    pub(crate) async fn ready_for_jobs(&self) -> Result<()> {
        let ready = self.deployment().shared::<Ready>();
        if ready.jobs.initialized() {
            return Ok(());
        }
        for_all_calls(prepare_jobs(self.clone())).await
    }

    /// Prepares writes to the sources of some extended references. Creates the collections for jobs, stores the
    /// declarations, starts the background task, and checks that the copies can be found through an index. Each of
    /// these steps is sent to the server only once.
    pub(crate) async fn ready_for(
        &self,
        references: &[Arc<ExtendedReference>],
        force: bool,
    ) -> Result<()> {
        self.ready_for_jobs().await?;
        declaration::declare_if_due(self).await?;
        ensure_running(self);
        if force {
            return Ok(());
        }
        for reference in references {
            match reference.declared_by {
                DeclaredBy::ThisProgram => self.require_index(reference).await?,
                // The programs that declare these copies write them, and use their own indexes.
                DeclaredBy::OtherPrograms => {}
            }
        }
        Ok(())
    }

    async fn require_index(&self, reference: &ExtendedReference) -> Result<()> {
        let ready = self.deployment().shared::<Ready>();
        let seen = || ready.indexed.lock().unwrap_or_else(PoisonError::into_inner);
        let path = reference.key_path();
        if path == "_id" || seen().contains(&reference.name) {
            return Ok(());
        }
        let collection = reference.target.collection();
        if ask_before_write(|| index::finds_by(self, collection, &path)).await? {
            // Only existing indexes are remembered, because a missing index may be created while the program runs.
            seen().insert(reference.name.clone());
            return Ok(());
        }
        Err(Error::NoIndex {
            relation: reference.name.clone(),
            model: reference.target.name(),
            collection: reference.target.shape().collection,
            keys: mongosh::document(&doc! { path: 1, "_id": 1 }),
        })
    }
}

/// Creates the collections for jobs and cursors, unless another call has already created them.
fn prepare_jobs(odm: Odm) -> BoxFuture<'static, Result<()>> {
    Box::pin(async move {
        let ready = odm.deployment().shared::<Ready>();
        let prepare = || ask_before_write(|| outbox::prepare(&odm));
        ready.jobs.get_or_try_init(prepare).await?;
        Ok(())
    })
}
