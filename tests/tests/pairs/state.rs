//! The claims of jobs that a commit ends, and the states that are equivalent.

pub(crate) use crate::uneventful::{World, age};
use crate::{
    client::Client,
    database::{DOCUMENTS, Id, Ids, Writes},
    machine::State,
    setup::Setup,
};

/// The documents whose jobs were changed after a transaction began.
pub(crate) type Age = Ids;

impl State {
    /// Whether all transactions have ended that began before the latest change of a job.
    pub(crate) fn is_grace_over(&self, id: Id) -> bool {
        !self.transactions().any(|it| it.age[id])
    }

    /// Marks claims as outdated if the job now has a different version or is removed.
    pub(crate) fn committed(&mut self, _: &Setup, writes: &Writes) {
        let claims = self.clients.iter_mut().flat_map(Client::claims);
        let ended = claims.filter(|it| writes.ends_version(it.id));
        ended.for_each(|claim| claim.is_current = false);
    }

    /// Sorts the clients and transactions whose order does not matter. Without a job, no process waits for a grace
    /// period, so the age of transactions does not matter either.
    pub(crate) fn normalize(&mut self, setup: &Setup) {
        for id in 0..DOCUMENTS {
            if self.database.jobs[id].is_none() {
                self.transactions_mut().for_each(|it| it.age[id] = false);
            }
        }
        let (_, alike) = self.clients.split_at_mut(setup.writers.len());
        alike.sort_unstable();
        self.lost.sort_unstable();
    }
}
