//! Writes many documents in batches, each in its own transaction.

use std::panic::{AssertUnwindSafe, resume_unwind};

use futures_util::FutureExt;
use mongodb::bson::Bson;

use super::{
    operation::{Operation, Transaction, commit},
    report::{Report, Total},
};
use crate::{
    client::{command::FindCommand, id_batches::IdBatches, odm::Exec},
    derived::{after_commit::Outcome, follow::Effects},
    error::Result,
};

/// Number of documents in one transaction.
pub(super) const AT_ONCE: u32 = 500;

/// A write of many documents.
pub(super) trait Batched: Operation<Report: Total> {
    /// Number of jobs to collect over several batches. As soon as the batches have stored this number, the jobs run
    /// together.
    const JOBS: usize;

    /// Returns the writes that run one after the other, each with the documents of one collection.
    fn parts(&self) -> Vec<Self> {
        vec![self.clone()]
    }

    /// Returns the query that finds the documents of the write.
    fn find(&self) -> FindCommand;

    /// Reads the documents that determine whether the first batch may be written.
    fn check_restrict(
        &mut self,
        _batches: &mut IdBatches<'_>,
        _exec: &Exec,
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Returns the write for one batch of documents, and its effects.
    fn batch(
        &self,
        ids: Vec<Bson>,
        exec: &Exec,
    ) -> impl Future<Output = Result<(Self, Effects)>> + Send;

    /// Returns a note for plans, because a plan contains the statements for only one batch.
    fn note(&self) -> String {
        format!("for each {AT_ONCE} documents")
    }
}

/// Runs a write batch by batch. An error contains the counts of the earlier batches.
pub(super) async fn in_batches<W: Batched>(write: W, exec: &Exec) -> Result<W::Report> {
    let (mut total, mut open) = (W::Report::default(), Outcome::new(()));
    let mut sent = Ok(Ok(()));
    for mut part in write.parts() {
        if matches!(sent, Ok(Ok(()))) {
            let batches = each_batch(&mut part, &mut total, &mut open, exec);
            sent = AssertUnwindSafe(batches).catch_unwind().await;
        }
    }
    // The earlier batches are stored, even if the latest batch has failed, or if its hook has panicked.
    let ((), done) = open.finish(write.common().fan_out, exec).await;
    total.add_finished(done);
    match sent.unwrap_or_else(|panic| resume_unwind(panic)) {
        Ok(()) => Ok(total),
        Err(error) => Err(total.after_batches(error, write.common().model)),
    }
}

/// Sends the batches. The steps after their commits are left in `open`, until enough jobs can run together.
async fn each_batch<W: Batched>(
    write: &mut W,
    total: &mut W::Report,
    open: &mut Outcome<()>,
    exec: &Exec,
) -> Result<()> {
    let mut batches = IdBatches::open(write.find(), AT_ONCE, exec).await?;
    while let Some(ids) = batches.next().await? {
        write.check_restrict(&mut batches, exec).await?;
        if ids.is_empty() {
            continue;
        }
        let (batch, effects) = write.batch(ids, exec).await?;
        exec.note(|| write.note());
        let outcome = commit(batch, effects, Transaction::IfSupported, exec).await?;
        total.count(&open.add(outcome));
        let jobs = open.followed.jobs.len();
        if jobs == 0 || jobs >= W::JOBS {
            let ready = std::mem::replace(open, Outcome::new(()));
            let ((), done) = ready.finish(write.common().fan_out, exec).await;
            total.add_finished(done);
        }
    }
    Ok(())
}
