//! Reports on completed runs of jobs.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use mongodb::bson::Bson;

use crate::{
    derived::{
        outbox::{JobId, Retry},
        values::{CascadeReport, CopyReport},
    },
    mongosh::several,
    value::key::JoinKey,
};

/// The result of running some jobs.
#[derive(Debug, Default)]
pub(crate) struct RunResult {
    pub(crate) reports: Vec<CopyReport>,
    /// The changes that delete rules have made to documents with references to deleted documents.
    pub(crate) cascaded: Vec<CascadeReport>,
    /// Jobs that the run has stored for further copies and references, at most 100,000. These jobs have not
    /// run yet.
    pub(crate) made: Vec<JobId>,
    /// Jobs that no longer existed or were not due when the run began. If such a job was due earlier, another runner
    /// has ended it.
    pub(crate) ended: Vec<JobId>,
    /// The relations and keys for which the run has stored deltas.
    pub(crate) deltas: Vec<JobId>,
    /// Number of jobs for each outcome.
    pub(crate) jobs: JobsReport,
}

impl RunResult {
    /// Adds the result of another run to this result.
    pub(super) fn merge(&mut self, other: Self) {
        for report in other.reports {
            report.merge_into(&mut self.reports);
        }
        for report in other.cascaded {
            report.merge_into(&mut self.cascaded);
        }
        self.add_made(other.made);
        self.ended.extend(other.ended);
        self.deltas.extend(other.deltas);
        self.jobs.add(other.jobs);
    }

    /// Adds jobs to run next. Jobs that exceed the limit stay stored, and any runner can run them later.
    pub(super) fn add_made(&mut self, jobs: Vec<JobId>) {
        const MOST: usize = 100_000;
        let room = MOST.saturating_sub(self.made.len());
        if jobs.len() > room {
            tracing::warn!(
                left = jobs.len() - room,
                "too many jobs for copies of copies; the rest is run later"
            );
        }
        self.made.extend(jobs.into_iter().take(room));
    }
}

/// A document whose copies a job could not update, or that a delete rule could not update or delete.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    /// The key of the job that failed for this document.
    pub(crate) key: JoinKey,
    pub(crate) document: Bson,
    /// The error message.
    pub(crate) why: String,
    pub(crate) retry: Retry,
}

/// The numbers of jobs, deltas and documents that a run has processed.
/// [`Odm::run_pending_jobs`](crate::Odm::run_pending_jobs), for example, returns this report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobsReport {
    /// Number of jobs that were run.
    pub run: u64,
    /// Number of jobs that were finished and removed.
    pub finished: u64,
    /// Number of jobs that have written their copies and now wait for their last look.
    pub settling: u64,
    /// Number of jobs that could not update or delete some documents. The failed jobs are retried after ten minutes
    /// or sooner ([`JobState::PutOff`](crate::JobState::PutOff)).
    pub failed: u64,
    /// Number of documents that were changed.
    pub modified: u64,
    /// Number of jobs that could not run, because of an error or because another runner is working on them.
    pub left: u64,
    /// Number of deltas that were applied.
    pub folded: u64,
}

/// The intermediate result of a run that has not finished yet. The result remains available even if the caller drops
/// the run.
#[derive(Clone, Debug, Default)]
pub(super) struct RunProgress(Arc<Mutex<JobsReport>>);

impl RunProgress {
    pub(super) fn report(&self) -> JobsReport {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, more: JobsReport) {
        let mut report = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        report.add(more);
    }
}

impl fmt::Display for JobsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} run: {} finished, {} settling, {} failed, {} left; {} folded; {} changed",
            several(self.run, "job"),
            self.finished,
            self.settling,
            self.failed,
            self.left,
            several(self.folded, "delta"),
            several(self.modified, "document")
        )
    }
}

impl JobsReport {
    pub(super) const fn add(&mut self, other: Self) {
        self.run += other.run;
        self.finished += other.finished;
        self.settling += other.settling;
        self.failed += other.failed;
        self.modified += other.modified;
        self.left += other.left;
        self.folded += other.folded;
    }
}
