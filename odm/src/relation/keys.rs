//! Keys of owners: distinct, sorted, numbered.

mod distinct;
mod slots;

use std::{hash::BuildHasher, ops::Range};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use mongodb::bson::{Bson, RawBsonRef, oid::ObjectId};

use super::{
    KeysOf,
    joined::index,
    ranges::{Cut, ranges},
};
use crate::{key::JoinKey, odm::Settings};

pub(crate) use distinct::Collected;
use distinct::{Distinct, as_number};
pub(crate) use slots::Slots;

/// Number of a distinct key, in the order of an index.
pub(crate) type SlotNumber = u32;

/// The distinct keys of a join with their numbers.
///
/// The table holds numbers alone and the keys are beside it, without gaps. The keys of a single
/// owner have no table: they are found by halves.
#[derive(Debug, Default)]
pub(crate) struct KeyIndex {
    keys: Distinct,
    numbers: HashTable<SlotNumber>,
}

impl From<Collected> for KeyIndex {
    fn from(found: Collected) -> Self {
        let keys = found.into_distinct();
        let numbers = match &keys {
            Distinct::ObjectIds(ids) => numbered(ids, hash_id),
            Distinct::Any(keys) => numbered(keys, hash_key),
        };
        Self { keys, numbers }
    }
}

impl KeyIndex {
    pub(crate) fn get(&self, key: &JoinKey) -> Option<SlotNumber> {
        match (&self.keys, key.as_object_id()) {
            (Distinct::ObjectIds(ids), Some(id)) => self.find(ids, &id, hash_id),
            (Distinct::ObjectIds(_), None) => None,
            (Distinct::Any(keys), _) => self.find(keys, key, hash_key),
        }
    }

    /// Finds a key of a reply. Replies mostly come in the order of the keys, so the key that was
    /// found last and the next one are looked at first: neighbours in memory, unlike entries of a
    /// hash table.
    pub(crate) fn get_raw(&self, last: SlotNumber, key: RawBsonRef<'_>) -> Option<SlotNumber> {
        let (Distinct::ObjectIds(ids), RawBsonRef::ObjectId(id)) = (&self.keys, key) else {
            return self.get(&JoinKey::from_raw(key));
        };
        let mut near = [last, last.saturating_add(1)].into_iter();
        near.find(|number| ids.get(index(*number)) == Some(&id))
            .or_else(|| self.find(ids, &id, hash_id))
    }

    fn find<K: Ord>(
        &self,
        keys: &[K],
        key: &K,
        hash: impl FnOnce(&K) -> u64,
    ) -> Option<SlotNumber> {
        if self.numbers.is_empty() {
            let rank = keys.binary_search(key).ok()?;
            return SlotNumber::try_from(rank).ok();
        }
        self.numbers
            .find(hash(key), |number| keys.get(index(*number)) == Some(key))
            .copied()
    }

    /// Returns how many distinct keys there are; more than `u32::MAX` do not fit into memory.
    pub(crate) fn len(&self) -> SlotNumber {
        SlotNumber::try_from(self.keys.len()).unwrap_or(SlotNumber::MAX)
    }

    pub(crate) fn key(&self, number: SlotNumber) -> Option<JoinKey> {
        self.keys.get(number)
    }

    /// Returns the keys for which a test of their number holds, sorted.
    pub(crate) fn keys_where(&self, test: impl FnMut(&SlotNumber) -> bool) -> Vec<JoinKey> {
        let numbers = (0..self.len()).filter(test);
        numbers.filter_map(|number| self.keys.get(number)).collect()
    }

    /// Returns the keys in the order of their numbers.
    pub(crate) fn by_number(&self) -> Vec<JoinKey> {
        self.keys_where(|_| true)
    }

    /// Cuts the keys into the ranges of one statement each.
    pub(crate) fn ranges(&self, settings: &Settings, cut: Cut) -> Vec<Range<SlotNumber>> {
        let sizes = (0..self.len()).map(|number| self.keys.size(number));
        ranges(sizes, settings, cut)
    }

    /// Returns keys as values to send, sorted: the server walks an index in one direction, at about
    /// half the cost of unsorted keys.
    pub(crate) fn values(&self, range: Range<SlotNumber>) -> Vec<Bson> {
        range.filter_map(|number| self.keys.value(number)).collect()
    }

    /// Returns whether a comparison of these keys follows a collation.
    pub(crate) fn has_collation(&self) -> bool {
        match &self.keys {
            Distinct::ObjectIds(_) => false,
            Distinct::Any(keys) => keys.iter().any(JoinKey::has_collation),
        }
    }

    /// Whether the server compares this one key as it is compared here, so that what it finds needs
    /// no second look.
    pub(crate) fn is_one_exact(&self) -> bool {
        self.len() == 1 && !self.has_collation()
    }
}

/// Returns the table that leads from distinct keys to their numbers.
fn numbered<K>(keys: &[K], hash: fn(&K) -> u64) -> HashTable<SlotNumber> {
    let mut numbers = HashTable::with_capacity(keys.len());
    let hash_of = |number: &SlotNumber| keys.get(index(*number)).map_or(0, hash);
    for (number, key) in (0..).zip(keys) {
        numbers.insert_unique(hash(key), number, hash_of);
    }
    numbers
}

/// Hashes an object id as one number: bytes take several times as long.
fn hash_id(id: &ObjectId) -> u64 {
    FixedState::default().hash_one(as_number(id))
}

/// Hashes a key, and an object id alike, whichever way it is kept.
fn hash_key(key: &JoinKey) -> u64 {
    key.as_object_id()
        .map_or_else(|| FixedState::default().hash_one(key), |id| hash_id(&id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index_of(keys: impl IntoIterator<Item = JoinKey>) -> KeyIndex {
        let mut found = Collected::default();
        keys.into_iter().for_each(|key| found.push(key));
        KeyIndex::from(found)
    }

    fn id(byte: u8) -> ObjectId {
        ObjectId::from_bytes([byte; 12])
    }

    fn ids() -> impl DoubleEndedIterator<Item = JoinKey> + Clone {
        (0..100_u8).map(|byte| JoinKey::object_id(id(byte)))
    }

    #[test]
    fn keys_of_several_types_are_found_by_their_rank() {
        let text = JoinKey::from(Bson::from("a"));
        let only_ids = index_of(ids().rev().chain(ids()));
        assert_eq!(only_ids.len(), 100);
        assert_eq!(only_ids.get(&text), None);
        let mixed = index_of(ids().rev().chain([text.clone()]).chain(ids()));
        assert_eq!(mixed.len(), 101);
        assert_eq!(mixed.get(&text), Some(0), "strings are before object ids");
        for (rank, key) in (1..).zip(ids()) {
            assert_eq!(mixed.get(&key), Some(rank));
        }
    }

    #[test]
    fn a_key_of_a_reply_is_found_wherever_the_last_one_was() {
        let index = index_of(ids().rev());
        for (rank, byte) in (0..100_u32).zip(0..) {
            assert_eq!(index.get(&JoinKey::object_id(id(byte))), Some(rank));
            for last in [0, rank.saturating_sub(1), rank, 99, u32::MAX] {
                let found = index.get_raw(last, RawBsonRef::ObjectId(id(byte)));
                assert_eq!(found, Some(rank));
            }
        }
        assert_eq!(index.get_raw(0, RawBsonRef::ObjectId(id(200))), None);
        assert_eq!(index.get_raw(0, RawBsonRef::Int32(1)), None);
    }

    #[test]
    fn positions_of_one_owner_hold_the_numbers_of_its_keys() {
        let keys: KeysOf<Vec<Bson>> = |owner, found| {
            for key in owner {
                found(Ok(JoinKey::from(key.clone())));
            }
        };
        let (low, high) = (id(1), id(2));
        let mut owner: Vec<Bson> = vec![high.into(), Bson::Null, low.into(), high.into()];
        let slots = Slots::of(keys, &owner);
        assert_eq!(slots.positions, [Some(1), None, Some(0), Some(1)]);
        assert_eq!(slots.index.len(), 2);
        owner.push("a".into());
        let slots = Slots::of(keys, &owner);
        let number = |key: &Bson| slots.index.get(&JoinKey::from(key.clone()));
        assert_eq!(
            slots.positions,
            owner.iter().map(number).collect::<Vec<_>>()
        );
        assert_eq!(slots.index.len(), 3);
    }
}
