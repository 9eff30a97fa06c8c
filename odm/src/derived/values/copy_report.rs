//! What a write did to the copies.

use mongodb::bson::Bson;

use crate::{graph::ExtendedReference, model::shape::ModelShape};

/// What holds for the copies when a write has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Guarantee {
    /// A standalone server: the job was written before the source, and the copies after it. A crash
    /// leaves the job, which is finished later; there is no transaction that keeps writers apart.
    BestEffort,
    /// A job or a delta is stored with the source, and somebody finishes it; [`Odm::wait`](crate::Odm::wait) waits
    /// for it.
    Eventual,
    /// All copies that there were are written; several transactions did it, so that a reader may have
    /// seen old beside new ones.
    Converged,
    /// Source and copies changed in one transaction.
    Atomic,
}

/// How a write reached what is derived from its documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Form {
    /// Copies were written, and fields that are computed were computed anew, in the transaction of the write.
    Written,
    /// What the write brings was added to fields that are computed, in its transaction, without a look at the other
    /// documents that they are computed of.
    Added,
    /// What the write brings is stored beside it as a delta (`_odm_deltas`), and is folded into the fields later.
    Delta,
    /// A job (`_odm_jobs`) writes or has written them, in transactions of its own.
    Job,
}

/// What a write did to the copies of one extended reference.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CopyReport {
    /// The extended reference: `Product.parts.id <- Part`.
    pub relation: String,
    /// The collection that holds the copies.
    pub collection: &'static str,
    /// How many documents held copies with another value.
    pub matched: u64,
    /// How many documents were changed.
    pub modified: u64,
    /// In how many statements.
    pub batches: u64,
    /// The ids of documents that could not take their copies; the job is kept for them.
    pub failed: Vec<Bson>,
    /// Why the first of these could not, as the server says it.
    pub why: Option<String>,
    /// How they were reached, each form once: several where one document could be written at once and another one
    /// could not.
    pub forms: Vec<Form>,
    /// What holds now.
    pub guarantee: Guarantee,
}

impl CopyReport {
    pub(crate) fn new(reference: &ExtendedReference, form: Form, guarantee: Guarantee) -> Self {
        Self {
            relation: reference.name.clone(),
            collection: reference.target.collection,
            matched: 0,
            modified: 0,
            batches: 0,
            failed: Vec::new(),
            why: None,
            forms: vec![form],
            guarantee,
        }
    }

    /// Adds what a run of its jobs did, which takes the place of what was promised of them.
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

    /// Adds up the reports of one extended reference.
    pub(crate) fn merge_into(self, all: &mut Vec<Self>) {
        match all.iter_mut().find(|other| other.relation == self.relation) {
            Some(other) => other.add(self),
            None => all.push(self),
        }
    }
}

/// What a delete did to documents of one model that referred to the deleted ones (`on_delete`).
///
/// What jobs did is counted if they were run to their end before the delete returned, and not by another
/// program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CascadeReport {
    /// The model.
    pub model: &'static str,
    /// The collection.
    pub collection: &'static str,
    /// How many documents were deleted (`cascade`), on whatever level.
    pub deleted: u64,
    /// How many documents lost a reference (`nullify`, `pull`); one that lost several by different rules
    /// counts for each.
    pub changed: u64,
    /// The ids of documents that could not be deleted or changed, because a reference forbids it or a
    /// validator; the job is kept for them.
    pub failed: Vec<Bson>,
    /// What holds now.
    pub guarantee: Guarantee,
}

impl CascadeReport {
    pub(crate) const fn new(model: &'static ModelShape, guarantee: Guarantee) -> Self {
        Self {
            model: model.name,
            collection: model.collection,
            deleted: 0,
            changed: 0,
            failed: Vec::new(),
            guarantee,
        }
    }

    /// Adds up the reports of one model.
    pub(crate) fn merge_into(self, all: &mut Vec<Self>) {
        let is_same =
            |other: &&mut Self| (other.collection, other.model) == (self.collection, self.model);
        match all.iter_mut().find(is_same) {
            Some(other) => {
                other.deleted += self.deleted;
                other.changed += self.changed;
                other.failed.extend(self.failed);
                other.guarantee = other.guarantee.min(self.guarantee);
            }
            None => all.push(self),
        }
    }
}
