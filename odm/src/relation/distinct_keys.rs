//! The sorted, distinct keys of a load or a join.

use std::cmp::Ordering;

use mongodb::bson::{Bson, oid::ObjectId};

use super::key_number::{KeyNumber, index};
use crate::value::key::JoinKey;

/// Distinct keys, sorted in the order of an index. The position of a key in the list is its number.
/// Most keys are object ids, which take a quarter of the memory of a [`JoinKey`].
#[derive(Debug)]
pub(super) enum DistinctKeys {
    ObjectIds(Vec<ObjectId>),
    Any(Vec<JoinKey>),
}

impl Default for DistinctKeys {
    fn default() -> Self {
        Self::ObjectIds(Vec::new())
    }
}

impl DistinctKeys {
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::ObjectIds(ids) => ids.len(),
            Self::Any(keys) => keys.len(),
        }
    }

    pub(super) fn get(&self, number: KeyNumber) -> Option<JoinKey> {
        match self {
            Self::ObjectIds(ids) => ids.get(index(number)).copied().map(JoinKey::object_id),
            Self::Any(keys) => keys.get(index(number)).cloned(),
        }
    }

    /// Returns whether the key has the given number.
    pub(super) fn is_key(&self, number: KeyNumber, key: &JoinKey) -> bool {
        match self {
            Self::ObjectIds(ids) => ids
                .get(index(number))
                .is_some_and(|id| key.as_object_id() == Some(*id)),
            Self::Any(keys) => keys.get(index(number)) == Some(key),
        }
    }

    /// Returns the value that represents a key in a statement.
    pub(super) fn value(&self, number: KeyNumber) -> Option<Bson> {
        match self {
            Self::ObjectIds(ids) => ids.get(index(number)).copied().map(Bson::ObjectId),
            Self::Any(keys) => keys.get(index(number)).map(JoinKey::to_bson),
        }
    }

    /// Returns the approximate size of a key in a statement, in bytes.
    pub(super) fn size(&self, number: KeyNumber) -> usize {
        const OBJECT_ID: usize = 12;
        match self {
            Self::ObjectIds(_) => OBJECT_ID,
            Self::Any(keys) => keys.get(index(number)).map_or(0, JoinKey::size),
        }
    }
}

/// Compares two object ids as numbers, in a single step. The result is the same as the order in an
/// index.
pub(super) fn compare_ids(left: &ObjectId, right: &ObjectId) -> Ordering {
    as_number(left).cmp(&as_number(right))
}

/// Returns the bytes of an object id as a big-endian number.
pub(super) fn as_number(id: &ObjectId) -> u128 {
    let [a, b, c, d, rest @ ..] = id.bytes();
    let (high, low) = (u32::from_be_bytes([a, b, c, d]), u64::from_be_bytes(rest));
    u128::from(high) << u64::BITS | u128::from(low)
}
