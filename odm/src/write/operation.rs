//! The sequence of steps that every write except an insert follows.
//!
//! 1. `Operation::start` computes the effects. A write that requires no further steps ends here.
//! 2. `ready` prepares the collection of jobs and checks the indexes that find the copies.
//! 3. `Operation::apply` sends the statements, usually in a transaction (see `Transaction`), and runs again after a
//!    conflict.
//! 4. `Outcome::finish` carries out the steps after the commit, and their results are added to the report.
//!
//! A write of many documents repeats steps 3 and 4 for each batch of ids (`batched_write`). An insert has its own sequence,
//! because it sends the rest of a batch again after a rejected document (`insert`).

use futures_util::future::BoxFuture;
use mongodb::options::WriteConcern;

use super::report::Report;
use crate::{
    client::odm::{Exec, Write},
    derived::{
        after_commit::{Outcome, ready},
        follow::{Effects, FanOut},
    },
    error::Result,
    model::shape::ModelShape,
    observe::stats::Wrote,
};

/// A write, which consists of its data, its effects, and its statements.
pub(crate) trait Operation: Clone + Send + Sync + 'static {
    type Report: Report;

    /// Returns the settings that all writes have.
    fn common(&self) -> Common<'_>;

    /// Computes the effects of the write. A write that requires no further steps is carried out immediately.
    fn start(&self, exec: &Exec) -> impl Future<Output = Result<Start<Self::Report>>> + Send;

    /// Sends the statements of the write and of its effects. This function runs again after a conflict.
    fn apply(
        self,
        effects: Effects,
        exec: Exec,
    ) -> impl Future<Output = Result<Outcome<Self::Report>>> + Send + 'static;
}

/// The settings that all writes have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common<'w> {
    pub(crate) model: &'static ModelShape,
    pub(crate) write_concern: Option<&'w WriteConcern>,
    pub(crate) fan_out: &'w FanOut,
}

/// How a write continues after its start.
#[derive(Debug)]
pub(crate) enum Start<R> {
    /// The write is complete.
    Done(R),
    /// `Operation::apply` must send the statements of the write.
    Run(Effects, Transaction),
}

/// Whether the statements of a write share a transaction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Transaction {
    /// The statements do not share a transaction, because it would only add the round trip for its commit.
    None,
    /// The statements share a transaction. On a standalone server, they run one after the other without a transaction.
    IfSupported,
    /// The statements share a transaction. On a standalone server, the write fails.
    Required,
}

impl<R> Start<R> {
    /// Continues with the statements of the write. If the write has effects, the statements share a transaction, if
    /// possible, although `least` does not ask for it.
    pub(super) fn run(effects: Effects, least: Transaction) -> Self {
        let transaction = match least {
            Transaction::None if !effects.is_empty() => Transaction::IfSupported,
            Transaction::None | Transaction::IfSupported | Transaction::Required => least,
        };
        Self::Run(effects, transaction)
    }
}

impl<W: Operation> Write for W {
    type Report = W::Report;

    fn model(&self) -> &'static ModelShape {
        self.common().model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.common().write_concern
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<W::Report>> {
        Box::pin(async move {
            let (effects, transaction) = match self.start(&exec).await? {
                Start::Done(report) => return Ok(report),
                Start::Run(effects, transaction) => (effects, transaction),
            };
            let fan_out = self.common().fan_out.clone();
            ready(&effects, &fan_out, &exec).await?;
            let outcome = commit(self, effects, transaction, &exec).await?;
            let (mut report, done) = outcome.finish(&fan_out, &exec).await;
            report.add_finished(done);
            Ok(report)
        })
    }
}

/// Sends the statements of a write and commits them. The steps after the commit are left to the caller.
pub(super) async fn commit<W: Operation>(
    write: W,
    effects: Effects,
    transaction: Transaction,
    exec: &Exec,
) -> Result<Outcome<W::Report>> {
    let apply = |(write, effects): (W, Effects), exec| write.apply(effects, exec);
    let state = (write, effects);
    match transaction {
        // The future is boxed, so that the future of each write stays small.
        Transaction::None => Box::pin(apply(state, exec.clone())).await,
        Transaction::IfSupported => exec.together(state, apply).await,
        Transaction::Required => exec.transact(state, apply).await,
    }
}

/// Runs a write of the application, and counts the documents in the report that the application receives.
pub(crate) async fn run_counted<W, R>(write: W, exec: Exec) -> Result<R>
where
    W: Write,
    R: Wrote + From<W::Report>,
{
    let (odm, model) = (exec.odm().clone(), write.model());
    let done = exec.write(write).await.map(R::from);
    match &done {
        Ok(report) => odm.count_write(model, report),
        Err(error) => odm.count_write(model, error),
    }
    done
}
