//! The time at which copies follow a write, and the result of the follow-up.

use crate::{
    client::odm::Exec,
    derived::{
        outbox::JobId,
        values::{CascadeReport, CopyReport},
    },
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// The time at which copies follow a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Follow {
    /// A few copies in the transaction of the write. Larger numbers by a job that runs before the write returns.
    #[default]
    Converge,
    /// All copies in the transaction of the write, or an error.
    Atomic,
    /// By a job that runs after the write has returned.
    Deferred,
}

impl Follow {
    /// Returns the number of documents that may follow in the transaction of the write, or `None` for no limit.
    pub(super) fn budget(self, exec: &Exec) -> Option<u64> {
        (self != Self::Atomic).then(|| exec.settings().inline_copies)
    }
}

/// The result of the follow-up of a write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Followed {
    pub(crate) reports: Vec<CopyReport>,
    /// The effects of delete rules.
    pub(crate) cascaded: Vec<CascadeReport>,
    /// Jobs to run after the commit.
    pub(crate) jobs: Vec<JobId>,
    /// Jobs that only other programs can run.
    pub(crate) foreign: Vec<JobId>,
    /// Keys of parents that did not exist. They are searched for again after the commit.
    pub(crate) awaited: Vec<(&'static ExtendedReference, Vec<JoinKey>)>,
    /// Keys of parents with deltas, which are folded after the commit.
    pub(crate) deltas: Vec<(&'static ExtendedReference, Vec<JoinKey>)>,
}

impl Followed {
    pub(crate) fn extend(&mut self, other: Self) {
        for report in other.reports {
            report.merge_into(&mut self.reports);
        }
        for report in other.cascaded {
            report.merge_into(&mut self.cascaded);
        }
        self.jobs.extend(other.jobs);
        self.foreign.extend(other.foreign);
        self.awaited.extend(other.awaited);
        self.deltas.extend(other.deltas);
    }
}
