//! What a run of jobs did.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use mongodb::bson::Bson;

use crate::{
    derived::{
        outbox::JobId,
        values::{CascadeReport, CopyReport},
    },
    mongosh::several,
    value::key::JoinKey,
};

/// What a run did.
#[derive(Debug, Default)]
pub(crate) struct RunResult {
    pub(crate) reports: Vec<CopyReport>,
    /// What it did to documents that referred to deleted ones.
    pub(crate) cascaded: Vec<CascadeReport>,
    /// The jobs of what it has deleted and changed, which are still to be run: up to 100,000 of them.
    pub(crate) made: Vec<JobId>,
    /// The jobs that had nothing to do when it began. Those that had before were ended by another runner.
    pub(crate) ended: Vec<JobId>,
    /// The documents with deltas that it has left.
    pub(crate) deltas: Vec<JobId>,
    /// How its jobs ended.
    pub(crate) jobs: JobsReport,
}

impl RunResult {
    /// Adds the result of another run.
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

    /// Notes jobs that are to be run next. Those beyond what the memory is good for are left to all runners.
    pub(super) fn add_made(&mut self, jobs: Vec<JobId>) {
        const MOST: usize = 100_000;
        let room = MOST.saturating_sub(self.made.len());
        if jobs.len() > room {
            tracing::warn!(
                left = jobs.len() - room,
                "jobs of copies of copies are left to be run later"
            );
        }
        self.made.extend(jobs.into_iter().take(room));
    }
}

/// A document for which a job could not be done.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    /// The key of the job.
    pub(crate) key: JoinKey,
    pub(crate) document: Bson,
    /// Why it could not.
    pub(crate) why: String,
}

/// What running the pending jobs did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobsReport {
    /// How many jobs were run.
    pub run: u64,
    /// How many of them are finished and gone.
    pub finished: u64,
    /// How many wait for their last look at all copies.
    pub settling: u64,
    /// How many have documents that cannot take their copies; they are tried again later.
    pub failed: u64,
    /// How many documents were changed.
    pub modified: u64,
    /// How many could not be run now, because the server or another runner was in the way.
    pub left: u64,
    /// How many deltas were folded into the documents that they are about.
    pub folded: u64,
}

/// What a run did until now, for who does not wait for its end.
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
