//! What a run of jobs did.

use mongodb::bson::Bson;

use super::pending::JobsReport;
use crate::{
    copy::{CascadeReport, CopyReport},
    key::JoinKey,
    outbox::JobId,
};

/// What a run did.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    pub(crate) reports: Vec<CopyReport>,
    /// What it did to documents that referred to deleted ones.
    pub(crate) cascaded: Vec<CascadeReport>,
    /// The jobs of what it has deleted and changed, which are still to be run.
    pub(crate) made: Vec<JobId>,
    /// How its jobs ended.
    pub(crate) jobs: JobsReport,
}

/// A document for which a job could not be done.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    /// The key of the job.
    pub(crate) key: JoinKey,
    pub(crate) document: Bson,
}
