//! The parts of a write's report that describe updates of derived data.

use mongodb::bson::Bson;
use serde::Serialize;

use crate::{graph::ExtendedReference, model::shape::ModelShape};

/// The state of the copies at the time when a write returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Guarantee {
    /// The server is a standalone server, which does not support transactions. The job was written before the source,
    /// and the copies were written after the source. If the program crashes, a runner completes the job later.
    /// Concurrent writers are not isolated from each other.
    BestEffort,
    /// A job or a delta was stored together with the source, and is completed later. [`Odm::wait`](crate::Odm::wait)
    /// waits for this work.
    Eventual,
    /// All copies were written, but in several transactions. A reader might have seen both old and new copies at the
    /// same time.
    Converged,
    /// The source and its copies were changed in one transaction.
    Atomic,
}

/// The way in which a write updated derived data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Form {
    /// Copies were written, or summaries were recomputed, in the write's transaction.
    Written,
    /// The change was added to summaries, lists or arrays in the write's transaction, without reading the other
    /// children.
    Added,
    /// The change was stored as a delta (`_odm_deltas`) in the write's transaction. The delta is applied later.
    Delta,
    /// A job (`_odm_jobs`) writes the copies in separate transactions. The job may already have finished.
    Job,
}

/// The effect of a write on the copies of one extended reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CopyReport {
    /// The name of the extended reference, such as `Product.parts.id <- Part`.
    pub relation: String,
    /// The collection that contains the copies.
    pub collection: String,
    /// Number of documents in which copies were stale.
    pub matched: u64,
    /// Number of documents that the updates changed.
    pub modified: u64,
    /// Number of statements that wrote copies.
    pub batches: u64,
    /// The ids of documents whose copies could not be updated. The job for these documents remains stored.
    pub failed: Vec<Bson>,
    /// The server's error message for the first of the failed documents.
    pub why: Option<String>,
    /// The ways in which the copies were updated, each listed once. The list contains several ways if some documents
    /// were updated inline and other documents were not.
    pub forms: Vec<Form>,
    /// The state of the copies when the write returned.
    pub guarantee: Guarantee,
}

impl CopyReport {
    pub(crate) fn new(reference: &ExtendedReference, form: Form, guarantee: Guarantee) -> Self {
        Self {
            relation: reference.name.clone(),
            collection: reference.target.collection().to_owned(),
            matched: 0,
            modified: 0,
            batches: 0,
            failed: Vec::new(),
            why: None,
            forms: vec![form],
            guarantee,
        }
    }

    /// Adds the report of the jobs that ran for these copies. The jobs' guarantee replaces the promised guarantee,
    /// unless deltas are also pending.
    pub(crate) fn replace_promised(&mut self, ran: Self) {
        if self.guarantee == Guarantee::Eventual && !self.forms.contains(&Form::Delta) {
            self.guarantee = ran.guarantee;
        }
        self.add(ran);
    }

    fn add(&mut self, other: Self) {
        self.matched += other.matched;
        self.modified += other.modified;
        self.batches += other.batches;
        self.failed.extend(other.failed);
        self.why = self.why.take().or(other.why);
        self.forms.extend(other.forms);
        self.forms.sort_unstable();
        self.forms.dedup();
        self.guarantee = self.guarantee.min(other.guarantee);
    }

    /// Merges this report into the report for the same extended reference.
    pub(crate) fn merge_into(self, all: &mut Vec<Self>) {
        match all.iter_mut().find(|other| other.relation == self.relation) {
            Some(other) => other.add(self),
            None => all.push(self),
        }
    }
}

/// The effect of a delete on the documents of one model that referred to deleted documents (`on_delete`).
///
/// If a job did some of the work, the numbers include this work only if this call ran the job. Jobs that another
/// program ran are not included.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CascadeReport {
    /// The model of the affected documents.
    pub model: &'static str,
    /// The collection that contains the affected documents.
    pub collection: &'static str,
    /// Number of documents that `cascade` deleted because they referred, directly or indirectly, to a deleted document.
    pub deleted: u64,
    /// Number of documents that were restored together with a document to which they refer, directly or indirectly.
    pub restored: u64,
    /// Number of documents that lost a reference through `nullify` or `pull`. A document is counted once for each rule.
    pub changed: u64,
    /// The ids of documents that could not be deleted or changed, because another reference (`restrict`) or a validator
    /// prevents it. The job for these documents remains stored.
    pub failed: Vec<Bson>,
    /// The state of the references when the delete returned.
    pub guarantee: Guarantee,
}

impl CascadeReport {
    pub(crate) const fn new(model: &'static ModelShape, guarantee: Guarantee) -> Self {
        Self {
            model: model.name,
            collection: model.collection,
            deleted: 0,
            restored: 0,
            changed: 0,
            failed: Vec::new(),
            guarantee,
        }
    }

    /// Merges this report into the report for the same model.
    pub(crate) fn merge_into(self, all: &mut Vec<Self>) {
        let is_same =
            |other: &&mut Self| (other.collection, other.model) == (self.collection, self.model);
        match all.iter_mut().find(is_same) {
            Some(other) => {
                other.deleted += self.deleted;
                other.restored += self.restored;
                other.changed += self.changed;
                other.failed.extend(self.failed);
                other.guarantee = other.guarantee.min(self.guarantee);
            }
            None => all.push(self),
        }
    }
}
