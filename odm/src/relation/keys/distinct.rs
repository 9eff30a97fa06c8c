//! Distinct keys, sorted.

use mongodb::bson::{Bson, oid::ObjectId};

use super::{SlotNumber, index};
use crate::key::JoinKey;

/// Keys by number, once they are sorted. Object ids, as keys mostly are, take a quarter of a
/// [`JoinKey`].
#[derive(Debug)]
pub(super) enum Distinct {
    ObjectIds(Vec<ObjectId>),
    Any(Vec<JoinKey>),
}

impl Default for Distinct {
    fn default() -> Self {
        Self::ObjectIds(Vec::new())
    }
}

impl Distinct {
    pub(super) fn push(&mut self, key: JoinKey) {
        match (key.as_object_id(), &mut *self) {
            (Some(id), Self::ObjectIds(ids)) => ids.push(id),
            (_, Self::Any(keys)) => keys.push(key),
            (None, Self::ObjectIds(ids)) => {
                let mut keys: Vec<_> = ids.drain(..).map(JoinKey::object_id).collect();
                keys.push(key);
                *self = Self::Any(keys);
            }
        }
    }

    pub(super) const fn len(&self) -> usize {
        match self {
            Self::ObjectIds(ids) => ids.len(),
            Self::Any(keys) => keys.len(),
        }
    }

    /// Sorts the keys as an index does, and drops repeats.
    pub(super) fn sort(&mut self) {
        match self {
            Self::ObjectIds(ids) => {
                ids.sort_unstable_by_key(as_number);
                ids.dedup();
            }
            Self::Any(keys) => {
                keys.sort_unstable();
                keys.dedup();
            }
        }
    }

    pub(super) fn shrink(&mut self) {
        match self {
            Self::ObjectIds(ids) => ids.shrink_to_fit(),
            Self::Any(keys) => keys.shrink_to_fit(),
        }
    }

    pub(super) fn get(&self, number: SlotNumber) -> Option<JoinKey> {
        match self {
            Self::ObjectIds(ids) => ids.get(index(number)).copied().map(JoinKey::object_id),
            Self::Any(keys) => keys.get(index(number)).cloned(),
        }
    }

    /// Returns a key as a value to send.
    pub(super) fn value(&self, number: SlotNumber) -> Option<Bson> {
        match self {
            Self::ObjectIds(ids) => ids.get(index(number)).copied().map(Bson::ObjectId),
            Self::Any(keys) => keys.get(index(number)).map(JoinKey::to_bson),
        }
    }

    /// About how many bytes a key takes as a value.
    pub(super) fn size(&self, number: SlotNumber) -> usize {
        const OBJECT_ID: usize = 12;
        match self {
            Self::ObjectIds(_) => OBJECT_ID,
            Self::Any(keys) => keys.get(index(number)).map_or(0, JoinKey::size),
        }
    }
}

/// An object id as the number that its bytes write: compared at once.
pub(super) fn as_number(id: &ObjectId) -> u128 {
    let [a, b, c, d, rest @ ..] = id.bytes();
    let (high, low) = (u32::from_be_bytes([a, b, c, d]), u64::from_be_bytes(rest));
    u128::from(high) << u64::BITS | u128::from(low)
}

/// Keys as they are found, with repeats; not many more of them than are distinct.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    keys: Distinct,
    /// How many keys were distinct when repeats were dropped.
    distinct: usize,
}

impl Collected {
    /// To sort now and then is cheaper than to look every key up, and takes no table.
    const AT_ONCE: usize = 65_536;

    pub(crate) fn push(&mut self, key: JoinKey) {
        self.keys.push(key);
        if self.keys.len() >= Self::AT_ONCE.max(2 * self.distinct) {
            self.keys.sort();
            self.distinct = self.keys.len();
        }
    }

    /// Returns the distinct keys, sorted.
    pub(super) fn into_distinct(mut self) -> Distinct {
        self.keys.sort();
        self.keys.shrink();
        self.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_repeats_take_little_room() {
        let mut found = Collected::default();
        for number in 0..1_000_000 {
            found.push(JoinKey::from(Bson::Int32(number % 7)));
            assert!(found.keys.len() < Collected::AT_ONCE);
        }
        let keys = found.into_distinct();
        let values: Vec<_> = (0..7).filter_map(|number| keys.value(number)).collect();
        assert_eq!(values, (0..7).map(Bson::Int64).collect::<Vec<_>>());
        assert_eq!(keys.len(), 7);
    }

    #[test]
    fn object_ids_are_sorted_as_their_bytes_are() {
        let mut found = Collected::default();
        let mut ids: Vec<_> = (0..1_000_u64).map(|_| ObjectId::new()).collect();
        for (id, byte) in ids.iter_mut().zip((0..=u8::MAX).cycle()) {
            let mut bytes = id.bytes();
            bytes.rotate_left(usize::from(byte % 12));
            *id = ObjectId::from_bytes(bytes);
        }
        for id in &ids {
            found.push(JoinKey::object_id(*id));
        }
        let Distinct::ObjectIds(sorted) = found.into_distinct() else {
            panic!("nothing but object ids");
        };
        ids.sort_unstable();
        assert_eq!(sorted, ids);
    }
}
