//! The values that a write has taken from the sources of its copies.

use mongodb::bson::Bson;

use crate::{
    copy::{ExtendedReference, Resolved},
    key::JoinKey,
};

/// What a write took from the sources, to be looked at once more when it is committed.
#[derive(Clone, Debug)]
pub(crate) struct TakenValues {
    pub(super) reference: &'static ExtendedReference,
    /// The documents that were written.
    pub(super) ids: Vec<Bson>,
    pub(super) keys: Vec<JoinKey>,
    pub(super) resolved: Resolved,
}

impl TakenValues {
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
}
