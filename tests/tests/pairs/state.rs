//! The claims of jobs that a commit ends, and the states that are equivalent.

pub(crate) use crate::uneventful::{World, age};
use crate::{
    client::Client,
    database::{DOCUMENTS, Id, Ids, Writes},
    machine::State,
    setup::Setup,
};

/// Of which documents the job was changed after a transaction began.
pub(crate) type Age = Ids;

impl State {
    /// Whether all transactions have ended that began before the last change of a job.
    pub(crate) fn is_grace_over(&self, id: Id) -> bool {
        !self.transactions().any(|it| it.age[id])
    }

    /// A job that was written has another version than those that runners know.
    pub(crate) fn committed(&mut self, _: &Setup, writes: &Writes) {
        let claims = self.clients.iter_mut().flat_map(Client::claims);
        let ended = claims.filter(|it| writes.ends_version(it.id));
        ended.for_each(|claim| claim.is_current = false);
    }

    /// Writers that choose are alike, runners are, and so are lost transactions; without a job nobody waits for a grace.
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
