//! Waits for what a write has left.

use std::{collections::BTreeSet, future::IntoFuture, time::Duration};

use super::catch_up::{CatchUp, TIMEOUT};
use crate::{
    client::odm::{Exec, Odm, Running, traced_call},
    derived::outbox::{JobId, Token},
    error::Result,
    graph::{ExtendedReference, graph},
};

/// Waits for what a write has left to be done; made by [`Odm::wait`].
#[derive(Debug)]
#[must_use = "it waits when it is awaited"]
pub struct Wait {
    odm: Odm,
    left: Result<BTreeSet<JobId>>,
    timeout: Duration,
}

impl Odm {
    /// Waits until everything that a write has left is done: its jobs are run, its deltas are folded. Then whoever reads
    /// sees the write in all that is derived from it, also another program to which the token was handed.
    ///
    /// Awaiting it does the work itself, with any [`Settle`](crate::Settle), and waits for whoever else is at it. An empty
    /// token sends nothing. Otherwise one `aggregate` looks what is still to be done for each 1,000 keys and fields of
    /// relations, after one `find` of the declarations of other programs where the handle has read none for a minute. For
    /// each 20 parents with deltas a transaction folds them (a `find`, an `update`, a `delete`), and each job that is to be
    /// run is a transaction that takes it (a `find`, a `findAndModify`), one for each batch of copies, and one that ends
    /// it, as in [`run_pending_jobs`](Self::run_pending_jobs). Copies of what was written then follow in the same way: one
    /// more `aggregate` for fields of parents that are copied further.
    ///
    /// A token names relations and keys, so that what others have changed there before is done as well, and what they
    /// change while this waits is not. Jobs of relations that only other programs declare are waited for; of deltas a
    /// program that does not know the relation waits for all. Jobs that another runner makes of copies that have copies
    /// themselves are waited for where their key is that of the parent; others only if this call runs the first job.
    ///
    /// # Errors
    ///
    /// [`Error::Pending`](crate::Error::Pending) names what is left after 30 seconds, or the
    /// [`timeout`](Wait::timeout), and what was put off because documents cannot take their copies;
    /// [`Error::Invalid`](crate::Error::Invalid) for the token of a transaction that is not committed; and what the server
    /// reports. What was begun goes on, as it does when the future is dropped;
    /// [`finish_writes`](Self::finish_writes) waits for it.
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
    /// Sets for how long it waits; 30 seconds by default. With no time at all it still looks what is left, for which the
    /// server has a second.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    async fn done(self) -> Result<()> {
        let mut names = self.left?;
        if names.is_empty() {
            return Ok(());
        }
        let waiting = CatchUp::new(self.timeout, self.odm.clone());
        let work = waiting.clone();
        let exec = Exec::on(self.odm);
        let all = async move {
            // Level by level: copies of copies get their jobs only when the copies are written.
            while !names.is_empty() {
                let parts = parts_of(&names, &exec).await?;
                work.finish(names.iter().cloned().chain(parts).collect())
                    .await?;
                names = following(&names);
            }
            Ok(())
        };
        waiting.run(all).await
    }
}

impl IntoFuture for Wait {
    type Output = Result<()>;
    type IntoFuture = Running<()>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("wait", self.done())
    }
}

/// Lists the jobs into which runners divide these: one that does not know all fields of a job writes its own, and leaves
/// a job for each of the others (`job_run::of_others`). The job of the token is over then.
async fn parts_of(names: &BTreeSet<JobId>, exec: &Exec) -> Result<Vec<JobId>> {
    let foreign = exec.foreign_for_reader().await?;
    let mut parts = Vec::new();
    for id in names {
        let (relation, None) = ExtendedReference::field_of(&id.relation) else {
            continue;
        };
        let own = graph().references_of(relation);
        let of_others = foreign.iter().copied();
        let of_others =
            of_others.filter(|it| ExtendedReference::field_of(&it.relation).0 == relation);
        let divided = own.chain(of_others).flat_map(ExtendedReference::parts);
        parts.extend(divided.map(|relation| JobId {
            relation,
            key: id.key.clone(),
        }));
    }
    Ok(parts)
}

/// Lists what copies the fields that some jobs and deltas have written, where the key tells.
fn following(names: &BTreeSet<JobId>) -> BTreeSet<JobId> {
    let mut following = BTreeSet::new();
    for id in names {
        let written = graph().references_of(&id.relation);
        let written = written.filter(|it| it.is_by_document());
        for next in written.flat_map(ExtendedReference::followers) {
            if next.by_id() {
                following.extend(JobId::of_keys(next, std::slice::from_ref(&id.key)));
            }
        }
    }
    following
}
