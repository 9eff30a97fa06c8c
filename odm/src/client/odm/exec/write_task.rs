//! Runs a write as one task, plans it on paper, or rolls it back in a dry run.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::options::WriteConcern;
use tokio_util::task::TaskTracker;

use super::{Exec, rejected_in_transaction};
use crate::{
    client::{
        command::Paper,
        odm::{
            Odm,
            detached_task::{in_caller_context, join_task},
        },
        plan::Plan,
    },
    error::{Error, Result},
    model::shape::ModelShape,
};

/// A write together with its updates to dependent documents. The same value can be executed, planned, or executed as a
/// dry run.
pub(crate) trait Write: Clone + Send + Sync + 'static {
    /// The report of the write.
    type Report: Send + 'static;

    /// Returns the model of the written documents.
    fn model(&self) -> &'static ModelShape;

    /// Returns the write concern of the call.
    fn write_concern(&self) -> Option<&WriteConcern>;

    /// Runs the write.
    fn run(self, exec: Exec) -> BoxFuture<'static, Result<Self::Report>>;
}

impl Exec {
    /// Runs a write in a separate task. If your code drops the future of this call, the write still runs to completion.
    /// In a transaction, writes run one after the other.
    pub(crate) async fn write<W: Write>(self, write: W) -> Result<W::Report> {
        self.refuse_within_run()?;
        self.refuse_concern(&write)?;
        let exec = Self {
            in_task: true,
            ..self
        };
        let writes = exec.odm.deployment().shared::<TaskTracker>();
        let whole = async move {
            match exec.tx.clone() {
                None => write.run(exec).await,
                Some(tx) => tx.in_turn(write.run(exec)).await,
            }
        };
        join_task(writes.spawn(in_caller_context(whole)).await)
    }

    /// Rejects a write concern inside a transaction of the application, because the write concern of the commit applies
    /// to all writes.
    fn refuse_concern<W: Write>(&self, write: &W) -> Result<()> {
        match write.write_concern() {
            Some(_) if self.tx.is_some() => Err(rejected_in_transaction("write_concern")),
            _ => Ok(()),
        }
    }

    /// Returns the statements that a write would send.
    pub(crate) fn plan<W: Write>(self, write: W) -> Result<Plan> {
        self.refuse_concern(&write)?;
        let paper = Arc::new(Mutex::new(Paper::default()));
        let exec = Self {
            on_paper_in_transaction: self.tx.is_some(),
            paper: Some(Arc::clone(&paper)),
            tx: None,
            ..self
        };
        // A plan never waits for a server, so the future is ready at the first poll.
        let Some(done) = write.run(exec).now_or_never() else {
            return Err(Error::invalid("this write cannot be planned".to_owned()));
        };
        done?;
        let paper = std::mem::take(&mut *paper.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Plan {
            statements: paper.into_statements(),
        })
    }

    /// Runs a write in a transaction, and rolls it back.
    pub(crate) async fn dry_run<W: Write>(self, write: W) -> Result<W::Report> {
        if self.in_transaction() {
            return Err(Error::invalid(
                "a dry run is rolled back, and this transaction with it; use the handle of the database, \
                 `tx.odm()`"
                    .to_owned(),
            ));
        }
        let odm = self.odm.clone();
        let whole = async move {
            odm.roll_back(self.time.clone(), |tx| {
                write.clone().run(self.in_transaction_of_its_own(tx))
            })
            .await
        };
        join_task(tokio::spawn(in_caller_context(whole)).await)
    }
}

impl Odm {
    /// Waits until all writes and commits of this handle and its clones have ended.
    ///
    /// A write continues even if your code drops its future, for instance after a timeout or when a client closes its
    /// connection. However, the write stops when the program ends. So call this method before the program ends.
    /// Otherwise, jobs have to update the remaining copies later.
    ///
    /// The method also waits for running transactions of [`run_pending_jobs`](Self::run_pending_jobs), and of the task
    /// that applies deltas soon after a write. It does not wait for other background work, or for a
    /// [`Worker`](crate::Worker), which [`run_until`](crate::Worker::run_until) ends.
    ///
    /// Do not call this method in a [hook](crate::Hooks) or in the closure of a transaction. The method would wait for the
    /// write that has called the hook, and this write waits for the hook.
    ///
    /// # Sends
    ///
    /// The method sends nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) {
    /// odm.finish_writes().await;
    /// # }
    /// ```
    pub async fn finish_writes(&self) {
        let writes = self.deployment().shared::<TaskTracker>();
        writes.close();
        writes.wait().await;
    }
}
