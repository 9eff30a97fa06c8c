//! Defines when the copies that depend on a write are updated, and the result of these updates.

use std::sync::Arc;

use crate::{
    client::odm::Exec,
    derived::{
        outbox::JobId,
        values::{CascadeReport, CopyReport},
    },
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// When the copies that depend on a write are updated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Follow {
    /// The copies are updated in the write's transaction. If there are too many copies, a job updates them before the
    /// write returns.
    #[default]
    Converge,
    /// All copies are updated in the write's transaction. If this is not possible, the write fails.
    Atomic,
    /// A job updates the copies after the write has returned.
    Deferred,
}

impl Follow {
    /// Returns the largest number of documents that may be updated in the write's transaction. `None` means that the
    /// number is not limited.
    pub(super) fn budget(self, exec: &Exec) -> Option<u64> {
        (self != Self::Atomic).then(|| exec.settings().inline_copies)
    }

    /// Returns the largest number of documents that a write of several sources may update in its transaction. Jobs for
    /// 500 sources would take much longer than writing a few copies of each source at once.
    pub(super) fn budget_of_many(self, sources: usize, exec: &Exec) -> Option<u64> {
        const SOURCES: usize = 100;
        const MOST: usize = 5;
        let factor = sources.div_ceil(SOURCES).clamp(1, MOST) as u64;
        let budget = self.budget(exec);
        budget.map(|copies| copies.saturating_mul(factor))
    }
}

/// The result of updating the data that depends on a write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Followed {
    pub(crate) reports: Vec<CopyReport>,
    /// The effects of delete rules on other documents.
    pub(crate) cascaded: Vec<CascadeReport>,
    /// Jobs that this write runs after the commit.
    pub(crate) jobs: Vec<JobId>,
    /// Jobs that only other programs can run.
    pub(crate) foreign: Vec<JobId>,
    /// Keys of parents that did not exist. The library searches for these parents again after the commit.
    pub(crate) awaited: Vec<(Arc<ExtendedReference>, Vec<JoinKey>)>,
    /// Keys of parents for which the write has stored deltas. The deltas are folded after the commit.
    pub(crate) deltas: Vec<(Arc<ExtendedReference>, Vec<JoinKey>)>,
    /// Keys of sources whose copies the write has updated in its own transaction. After the commit, the library
    /// searches for copies that concurrent transactions stored.
    pub(crate) spread: Vec<(Arc<ExtendedReference>, Vec<JoinKey>)>,
}

impl Followed {
    /// Whether the write's transaction has also changed dependent documents in a collection.
    pub(crate) fn has_changed(&self, collection: &str) -> bool {
        let mut reports = self.reports.iter();
        reports.any(|report| report.collection == collection && report.modified > 0)
    }

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
        self.spread.extend(other.spread);
    }
}
