//! How copies follow a write, and what has followed.

use crate::{
    client::odm::Exec,
    derived::{
        outbox::JobId,
        values::{CascadeReport, CopyReport},
    },
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// How the copies follow a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Follow {
    /// Few copies in the transaction of the write, many by a job that is run to its end.
    #[default]
    Converge,
    /// All copies in the transaction of the write, or an error.
    Atomic,
    /// By a job, which somebody else runs.
    Deferred,
}

impl Follow {
    /// Returns how many documents may follow in the transaction of the write; none without a limit.
    pub(super) fn budget(self, exec: &Exec) -> Option<u64> {
        (self != Self::Atomic).then(|| exec.settings().inline_copies)
    }
}

/// What followed a write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Followed {
    pub(crate) reports: Vec<CopyReport>,
    /// What it did to documents that referred to deleted ones.
    pub(crate) cascaded: Vec<CascadeReport>,
    /// Jobs that are to be run when the write is committed.
    pub(crate) jobs: Vec<JobId>,
    /// Jobs that only other programs run.
    pub(crate) foreign: Vec<JobId>,
    /// Keys of documents that were not there to take what is computed for them.
    pub(crate) awaited: Vec<(&'static ExtendedReference, Vec<JoinKey>)>,
    /// Keys of documents with deltas, to be folded when the write is committed.
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
