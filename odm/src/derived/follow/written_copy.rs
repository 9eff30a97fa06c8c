//! The values that a write has taken from the sources of its copies.

use mongodb::bson::Bson;

use crate::{
    derived::{
        outbox::{JobEntry, JobId, Phase},
        values::Resolved,
    },
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// What a write took from the sources, to be looked at once more when it is committed.
#[derive(Clone, Debug)]
pub(crate) struct WrittenCopies {
    pub(crate) reference: &'static ExtendedReference,
    /// The documents that were written.
    pub(super) ids: Vec<Bson>,
    pub(super) keys: Vec<JoinKey>,
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

    /// Names copies that only other programs write: a job is left for each key.
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
