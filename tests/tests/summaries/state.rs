//! The names for versions of jobs, and the states that are equivalent.

pub(crate) use crate::uneventful::{World, age};
use crate::{
    database::{NEW, Version, Writes},
    machine::State,
    setup::Setup,
};

/// Whether a transaction began before the latest change of the job.
pub(crate) type Age = bool;

impl State {
    pub(crate) fn is_grace_over(&self) -> bool {
        !self.transactions().any(|it| it.age)
    }

    /// Gives a written job its version.
    pub(crate) fn committed(&mut self, _: &Setup, _: &Writes) {
        let version = self
            .versions()
            .into_iter()
            .map(|it| *it)
            .max()
            .unwrap_or(NEW)
            + 1;
        let job = self.database.job.as_mut();
        if let Some(job) = job.filter(|job| job.version == NEW) {
            job.version = version;
        }
    }

    /// The versions of the stored job and of the jobs that clients have read.
    fn versions(&mut self) -> Vec<&mut Version> {
        let job = self.database.job.iter_mut();
        let mut known: Vec<&mut Version> = job.map(|job| &mut job.version).collect();
        for client in &mut self.clients {
            known.extend(client.versions());
        }
        known
    }

    /// Makes states equal that differ only in the order of folders, runners or lost transactions, or in the names of
    /// versions.
    pub(crate) fn normalize(&mut self, setup: &Setup) {
        let mut known: Vec<Version> = self.versions().into_iter().map(|it| *it).collect();
        known.sort_unstable();
        known.dedup();
        for version in self.versions() {
            let rank = known.iter().filter(|it| **it <= *version).count();
            *version = rank;
        }
        let (folders, runners) = self.clients[setup.writers.len()..].split_at_mut(setup.folders);
        folders.sort_unstable();
        runners.sort_unstable();
        self.lost.sort_unstable();
    }
}
