//! Waits until the pending work of a write is complete.

use std::{collections::BTreeSet, time::Duration};

use super::{
    catch_up::{CatchUp, TIMEOUT},
    next_level::Level,
};
use crate::{
    client::odm::{Exec, Odm, into_future, traced_call},
    derived::outbox::{JobId, Token},
    error::Result,
    graph::{ExtendedReference, graph},
};

/// Builder that waits for the pending work of a write; returned by [`Odm::wait`].
#[derive(Debug)]
#[must_use = "it waits when it is awaited"]
pub struct Wait {
    odm: Odm,
    left: Result<BTreeSet<JobId>>,
    timeout: Duration,
}

impl Odm {
    /// Waits until the pending work of a write is complete, which means that its jobs have run and its deltas have been
    /// applied.
    ///
    /// Afterwards, every reader sees the write in all copies and summaries that depend on it. The token can come from
    /// another program (see [`Token`]).
    ///
    /// The call does the work itself, regardless of the handle's [`Settle`](crate::Settle) setting. If another runner
    /// is working on a job, the call waits for that runner. Jobs for relations that only other programs declare are
    /// left to those programs.
    ///
    /// # Sends
    ///
    /// - If the token is empty, nothing is sent.
    /// - One `find` for the declarations of other programs, if the handle has not read them in the last minute.
    /// - One `aggregate` for every 1,000 keys, which finds the pending jobs and deltas.
    /// - One transaction for every 20 parents that have deltas: a `find`, an `update` and a `delete`.
    /// - For the jobs, the statements of [`run_pending_jobs`](Self::run_pending_jobs).
    /// - If other copies depend on the updated copies, or on documents that a cascade has deleted: one transaction of
    ///   two reads, which finds the pending jobs and deltas of their relations. If the transaction finds any, one
    ///   `find` for every 1,000 keys, and then again the statements in this list.
    ///
    /// # Limits
    ///
    /// - A token contains relations and keys. So the call also completes earlier changes by other writers to the
    ///   documents that have the same keys.
    /// - Each change to the same source during the call renews the source's job. If the source changes more often than
    ///   a job can update all copies, the call fails with [`Error::Pending`](crate::Error::Pending). At that time, the
    ///   copies already contain values that are newer than the token's write.
    /// - To find the jobs that follow from the token, the call reads the documents that contain the keys. But a job
    ///   that applies a delete rule changes or deletes these documents. So after such a job, the call also waits for
    ///   jobs of other deletes that have the same relations.
    /// - If the program does not know a relation that has deltas, the call waits until all deltas of the key have been
    ///   applied.
    /// - The token does not contain the database. So the handle must belong to the database of the write. In another
    ///   database, the call finds no work and returns at once.
    ///
    /// # Errors
    ///
    /// - [`Error::Pending`](crate::Error::Pending) after 30 seconds or the [`timeout`](Wait::timeout). The error lists
    ///   the remaining work. The call also fails with this error if a job is postponed because documents cannot be
    ///   updated.
    /// - [`Error::Invalid`](crate::Error::Invalid) if the token belongs to a transaction that has not committed yet
    /// - server errors
    ///
    /// # Cancel safety
    ///
    /// The work continues after an error, and even if the future is dropped. [`finish_writes`](Self::finish_writes)
    /// waits for such work.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{UpdateReport, prelude::*};
    /// # async fn example(odm: Odm, other: Odm, report: UpdateReport) -> mongo_odm::Result<()> {
    /// let token = serde_json::to_string(report.token()).unwrap();
    /// // In another service:
    /// let token: mongo_odm::Token = serde_json::from_str(&token).unwrap();
    /// other.wait(&token).timeout(std::time::Duration::from_secs(5)).await?;
    /// # Ok(()) }
    /// ```
    pub fn wait(&self, token: &Token) -> Wait {
        Wait {
            odm: self.clone(),
            left: token.committed().cloned(),
            timeout: TIMEOUT,
        }
    }
}

impl Wait {
    /// Sets the timeout. The default is 30 seconds. Even with a timeout of zero, the call checks once for pending
    /// work, and gives the server one second to answer.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # use std::time::Duration;
    /// # async fn example(odm: Odm, token: mongo_odm::Token) -> mongo_odm::Result<()> {
    /// odm.wait(&token).timeout(Duration::from_secs(5)).await?;
    /// # Ok(()) }
    /// ```
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    async fn done(self) -> Result<()> {
        let mut level = Level::all_owed(self.left?);
        if level.reached.is_empty() {
            return Ok(());
        }
        let waiting = CatchUp::new(self.timeout, self.odm.clone());
        let work = waiting.clone();
        let exec = Exec::on(self.odm);
        let all = async move {
            while !level.reached.is_empty() {
                if !level.owed.is_empty() {
                    let parts = parts_of(&level.owed, &exec).await?;
                    let owed = level.owed.iter().cloned();
                    work.finish(owed.chain(parts).collect()).await?;
                }
                level = level.next(&exec).await?;
            }
            Ok(())
        };
        waiting.run(all).await
    }
}

into_future!([] Wait => (), |it| traced_call("wait", it.done()));

/// Lists the jobs into which other runners may split the given jobs. A runner that does not know all fields of a job
/// writes its own fields, and stores a job for each other field (`job_run::of_others`). The job in the token is then
/// removed.
async fn parts_of(names: &BTreeSet<JobId>, exec: &Exec) -> Result<Vec<JobId>> {
    let foreign = exec.foreign_for_reader().await?;
    let mut parts = Vec::new();
    for id in names {
        let (relation, None) = ExtendedReference::field_of(&id.relation) else {
            continue;
        };
        let own = graph().references_of(relation);
        let of_others = foreign.iter();
        let of_others =
            of_others.filter(|it| ExtendedReference::field_of(&it.relation).0 == relation);
        let divided = own.chain(of_others).flat_map(|it| it.relations_of_fields());
        parts.extend(divided.map(|relation| JobId {
            relation,
            key: id.key.clone(),
        }));
    }
    Ok(parts)
}
