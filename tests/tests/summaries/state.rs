//! The names for versions of jobs, and the states that are equivalent.

pub(crate) use crate::uneventful::{World, age};
use crate::{
    database::{NEW, Version, Writes},
    machine::State,
    setup::Setup,
};

/// Whether a transaction began before the last change of the job.
pub(crate) type Age = bool;

impl State {
    pub(crate) fn is_grace_over(&self) -> bool {
        !self.transactions().any(|it| it.age)
    }

    /// A job that was written gets its version.
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

    /// The versions that somebody knows.
    fn versions(&mut self) -> Vec<&mut Version> {
        let job = self.database.job.iter_mut();
        let mut known: Vec<&mut Version> = job.map(|job| &mut job.version).collect();
        for client in &mut self.clients {
            known.extend(client.versions());
        }
        known
    }

    /// Folders are alike, and so are runners, lost transactions, and the names of versions.
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
