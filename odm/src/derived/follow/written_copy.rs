//! The copies that a write has stored in its own documents.

use std::sync::Arc;

use mongodb::bson::Bson;

use crate::{
    derived::{outbox::JobId, values::Resolved},
    graph::{Content, DeclaredBy, ExtendedReference},
    value::key::JoinKey,
};

/// The copies of one extended reference that a write has stored in its documents. The library reads the sources of
/// these copies again after the commit.
#[derive(Clone, Debug)]
pub(crate) struct WrittenCopies {
    pub(crate) reference: Arc<ExtendedReference>,
    /// The ids of the documents that contain the copies.
    pub(super) ids: Vec<Bson>,
    pub(super) keys: Vec<JoinKey>,
    /// The values that the write stored.
    pub(super) resolved: Resolved,
}

impl WrittenCopies {
    /// Describes the copies that a write has stored in the given documents. Returns `None` if there are no keys, or if
    /// the extended reference has no copies.
    pub(crate) fn new(
        reference: &Arc<ExtendedReference>,
        ids: Vec<Bson>,
        keys: Vec<JoinKey>,
        resolved: Resolved,
    ) -> Option<Self> {
        let has_copies = match reference.content() {
            Content::Derived | Content::Mirrored => !keys.is_empty(),
            Content::Absent => false,
        };
        has_copies.then(|| Self {
            reference: Arc::clone(reference),
            ids,
            keys,
            resolved,
        })
    }

    /// Returns an entry for copies that only other programs can write. The entry contains the keys, but neither ids nor
    /// values. The report and the token of the write include these copies.
    pub(super) fn left_to_others(
        reference: &Arc<ExtendedReference>,
        keys: Vec<JoinKey>,
    ) -> Option<Self> {
        Self::new(reference, Vec::new(), keys, Resolved::default())
    }

    pub(crate) fn is_left_to_others(&self) -> bool {
        self.reference.declared_by == DeclaredBy::OtherPrograms
    }

    /// Returns the ids of the jobs that write these copies.
    pub(crate) fn jobs(&self) -> Vec<JobId> {
        JobId::of_keys(&self.reference.relation, &self.keys).collect()
    }
}
