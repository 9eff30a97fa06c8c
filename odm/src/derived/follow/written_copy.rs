//! The copies that a write stored in its own documents.

use mongodb::bson::Bson;

use crate::{
    derived::{
        outbox::{JobEntry, JobId, Phase},
        values::Resolved,
    },
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// The copies of one extended reference in the written documents. Their sources are read again after the commit.
#[derive(Clone, Debug)]
pub(crate) struct WrittenCopies {
    pub(crate) reference: &'static ExtendedReference,
    /// The ids of the written documents.
    pub(super) ids: Vec<Bson>,
    pub(super) keys: Vec<JoinKey>,
    /// The values that were stored.
    pub(super) resolved: Resolved,
}

impl WrittenCopies {
    pub(crate) const fn new(
        reference: &'static ExtendedReference,
        ids: Vec<Bson>,
        keys: Vec<JoinKey>,
        resolved: Resolved,
    ) -> Self {
        Self {
            reference,
            ids,
            keys,
            resolved,
        }
    }

    /// Returns copies that only other programs write, and a job for each key.
    pub(super) fn left_to_others(
        reference: &'static ExtendedReference,
        keys: Vec<JoinKey>,
    ) -> Self {
        Self::new(reference, Vec::new(), keys, Resolved::default())
    }

    pub(crate) const fn is_left_to_others(&self) -> bool {
        self.reference.foreign
    }

    /// Returns the jobs that write the copies.
    pub(crate) fn jobs(&self) -> Vec<JobId> {
        let of_key = |key| JobEntry::of_reference(self.reference, key, Phase::Run).id;
        self.keys.iter().map(of_key).collect()
    }
}
