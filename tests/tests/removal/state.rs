//! The claims of jobs that a commit ends, and the states that are equivalent.

pub(crate) use crate::uneventful::{World, age};
use crate::{client::Client, database::Writes, machine::State, setup::Setup};

/// The jobs that were changed after a transaction began.
pub(crate) type Age = [bool; 2];

impl State {
    /// Whether all transactions have ended that began before the latest change of a job.
    pub(crate) fn is_grace_over(&self, job: usize) -> bool {
        !self.transactions().any(|it| it.age[job])
    }

    /// Marks claims as outdated if the job now has a different version or is removed.
    pub(crate) fn committed(&mut self, _: &Setup, writes: &Writes) {
        let claims = self.clients.iter_mut().flat_map(Client::claims);
        let ended = claims.filter(|it| writes.ends_version(it.job));
        ended.for_each(|claim| claim.is_current = false);
    }

    /// Sorts the clients and transactions, because their order does not matter. Without a job, no process waits for a
    /// grace period, so the age of transactions does not matter either.
    pub(crate) fn normalize(&mut self, _: &Setup) {
        let has_job = self.database.jobs.map(|job| job.is_some());
        for transaction in self.transactions_mut() {
            for (is_older, has_job) in transaction.age.iter_mut().zip(has_job) {
                *is_older &= has_job;
            }
        }
        self.clients.sort_unstable();
        self.lost.sort_unstable();
    }
}
