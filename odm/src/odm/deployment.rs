//! What a handle has found out about its server, once for all its clones.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

use mongodb::bson::doc;
use tokio::sync::OnceCell;

use super::{Exec, Odm, in_flight::InFlight};
use crate::{
    copy::{Counters, Tie},
    error::{Error, Result},
    index, job,
    schema::{self, Known},
    shell,
};

/// What is known about the server.
#[derive(Debug, Default)]
pub(crate) struct Deployment {
    has_transactions: OnceCell<bool>,
    jobs: OnceCell<()>,
    /// The ties whose index was seen.
    indexed: Mutex<HashSet<String>>,
    /// Whether a task of this handle settles jobs.
    pub(crate) settling: AtomicBool,
    pub(crate) counters: Counters,
    pub(crate) in_flight: InFlight,
    /// What other programs declare.
    pub(crate) schema: Known,
    declared: Mutex<Option<Instant>>,
}

impl Odm {
    /// Asks once whether the server has transactions: a replica set or a sharded cluster.
    pub(crate) async fn has_transactions(&self) -> Result<bool> {
        let ask = async || {
            let exec = Exec::Odm(self.clone());
            let hello = exec.run(|database, _| {
                let hello = database.run_command(doc! { "hello": 1 });
                Box::pin(async move { hello.await })
            });
            let hello = hello.await?;
            let is_router = hello.get_str("msg").is_ok_and(|msg| msg == "isdbgrid");
            Ok::<_, Error>(is_router || hello.contains_key("setName"))
        };
        let known = &self.deployment().has_transactions;
        known.get_or_try_init(ask).await.copied()
    }

    /// Prepares what writes to sources need: the collections of jobs, the indexes that find the
    /// copies, and somebody who settles. Asks the server once for each.
    pub(crate) async fn ready_for(&self, ties: &[&'static Tie], force: bool) -> Result<()> {
        let jobs = &self.deployment().jobs;
        jobs.get_or_try_init(|| job::prepare(self)).await?;
        self.declare_if_due().await?;
        job::ensure_running(self);
        if force {
            return Ok(());
        }
        for tie in ties.iter().filter(|tie| !tie.foreign) {
            self.require_index(tie).await?;
        }
        Ok(())
    }

    /// Writes down what this program declares, once a day.
    async fn declare_if_due(&self) -> Result<()> {
        const EVERY: Duration = Duration::from_secs(24 * 3_600);
        if self.settings().schema_refresh.is_none() {
            return Ok(());
        }
        let declared = || {
            let declared = self.deployment().declared.lock();
            declared.unwrap_or_else(PoisonError::into_inner)
        };
        if declared().is_some_and(|at| at.elapsed() < EVERY) {
            return Ok(());
        }
        schema::declare(self).await?;
        *declared() = Some(Instant::now());
        Ok(())
    }

    async fn require_index(&self, tie: &Tie) -> Result<()> {
        let seen = || {
            let indexed = self.deployment().indexed.lock();
            indexed.unwrap_or_else(PoisonError::into_inner)
        };
        let path = tie.key_path();
        if path == "_id" || seen().contains(&tie.name) {
            return Ok(());
        }
        if index::finds_by(self.database(), tie.target.collection, &path).await? {
            seen().insert(tie.name.clone());
            return Ok(());
        }
        Err(Error::NoIndex {
            relation: tie.name.clone(),
            collection: tie.target.collection,
            keys: shell::document(&doc! { path: 1, "_id": 1 }),
        })
    }
}
