//! Maps numbers to the distinct keys of a load or a join, and keys to their numbers.

use std::{cmp::Ordering, hash::BuildHasher, ops::Range, sync::OnceLock};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use mongodb::bson::{Bson, RawBsonRef, oid::ObjectId};

use super::{
    distinct_keys::{DistinctKeys, as_number, compare_ids},
    key_number::{KeyNumber, index, number},
    key_ranges::{Cut, ranges},
};
use crate::{client::odm::Settings, value::key::JoinKey};

/// The distinct keys of a load or a join, and their numbers.
#[derive(Debug, Default)]
pub(crate) struct KeyIndex {
    keys: DistinctKeys,
    /// Hash table that maps keys to numbers, but stores only the numbers. The table is created by the first
    /// out-of-order search among many keys. The server usually returns documents in the order of the keys, and most
    /// callers search in this order. So the table is rarely created.
    table: OnceLock<HashTable<KeyNumber>>,
}

impl From<DistinctKeys> for KeyIndex {
    fn from(keys: DistinctKeys) -> Self {
        Self {
            keys,
            table: OnceLock::new(),
        }
    }
}

impl KeyIndex {
    /// Minimum number of keys for which a search uses a hash table. For fewer keys, a binary search is faster than
    /// creating a table.
    const TABLE_FROM: usize = 256;

    pub(crate) fn get(&self, key: &JoinKey) -> Option<KeyNumber> {
        match (&self.keys, key.as_object_id()) {
            (DistinctKeys::ObjectIds(ids), Some(id)) => self.find(ids, &id, compare_ids, hash_id),
            (DistinctKeys::ObjectIds(_), None) => None,
            (DistinctKeys::Any(keys), _) => self.find(keys, key, Ord::cmp, hash_key),
        }
    }

    /// Returns the number of a key that the server's reply contains. Most replies are in the order of the keys. So the
    /// search first compares the key with the most recently found key (`last`) and the keys after it.
    pub(crate) fn get_raw(&self, last: KeyNumber, key: RawBsonRef<'_>) -> Option<KeyNumber> {
        const NEAR: KeyNumber = 4;
        let (DistinctKeys::ObjectIds(ids), RawBsonRef::ObjectId(id)) = (&self.keys, key) else {
            return self.get(&JoinKey::from_raw(key));
        };
        let mut near = last..last.saturating_add(NEAR);
        near.find(|number| ids.get(index(*number)) == Some(&id))
            .or_else(|| self.find(ids, &id, compare_ids, hash_id))
    }

    /// Returns whether the key has the given number.
    pub(crate) fn is_key(&self, number: KeyNumber, key: &JoinKey) -> bool {
        self.keys.is_key(number, key)
    }

    fn find<K: PartialEq>(
        &self,
        keys: &[K],
        key: &K,
        compare: fn(&K, &K) -> Ordering,
        hash: fn(&K) -> u64,
    ) -> Option<KeyNumber> {
        if keys.len() < Self::TABLE_FROM {
            let rank = keys.binary_search_by(|other| compare(other, key)).ok()?;
            return Some(number(rank));
        }
        let table = self.table.get_or_init(|| number_table(keys, hash));
        table
            .find(hash(key), |number| keys.get(index(*number)) == Some(key))
            .copied()
    }

    /// Returns the number of distinct keys. More than `u32::MAX` keys would not fit into memory.
    pub(crate) fn len(&self) -> KeyNumber {
        number(self.keys.len())
    }

    pub(crate) fn key(&self, number: KeyNumber) -> Option<JoinKey> {
        self.keys.get(number)
    }

    /// Returns the sorted keys whose numbers pass a test.
    pub(crate) fn keys_where(&self, test: impl FnMut(&KeyNumber) -> bool) -> Vec<JoinKey> {
        let numbers = (0..self.len()).filter(test);
        numbers.filter_map(|number| self.keys.get(number)).collect()
    }

    /// Divides the keys into ranges, one for each statement.
    pub(crate) fn ranges(&self, settings: &Settings, cut: Cut) -> Vec<Range<KeyNumber>> {
        let sizes = (0..self.len()).map(|number| self.keys.size(number));
        ranges(sizes, settings, cut)
    }

    /// Returns the sorted keys as values for a statement. If the keys are sorted, the server scans an index in one
    /// direction, which costs about half as much as for unsorted keys.
    pub(crate) fn values(&self, range: Range<KeyNumber>) -> Vec<Bson> {
        range.filter_map(|number| self.keys.value(number)).collect()
    }

    /// Returns whether the comparison of these keys depends on a collation.
    pub(crate) fn has_collation(&self) -> bool {
        match &self.keys {
            DistinctKeys::ObjectIds(_) => false,
            DistinctKeys::Any(keys) => keys.iter().any(JoinKey::has_collation),
        }
    }

    /// Returns whether there is only one key, and the server compares it in the same way as this library. For such a
    /// key, the library does not have to compare the keys of the found documents again.
    pub(crate) fn is_single_exact_key(&self) -> bool {
        self.len() == 1 && !self.has_collation()
    }
}

/// Returns the hash table that maps distinct keys to their numbers.
fn number_table<K>(keys: &[K], hash: fn(&K) -> u64) -> HashTable<KeyNumber> {
    let mut table = HashTable::with_capacity(keys.len());
    let hash_of = |number: &KeyNumber| keys.get(index(*number)).map_or(0, hash);
    for (number, key) in (0..).zip(keys) {
        table.insert_unique(hash(key), number, hash_of);
    }
    table
}

/// Hashes an object id as one number. Hashing the id's bytes takes several times as long.
fn hash_id(id: &ObjectId) -> u64 {
    FixedState::default().hash_one(as_number(id))
}

/// Hashes a key. An object id has the same hash in both representations.
fn hash_key(key: &JoinKey) -> u64 {
    key.as_object_id()
        .map_or_else(|| FixedState::default().hash_one(key), |id| hash_id(&id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::key_collector::KeyCollector;

    fn index_of(keys: impl IntoIterator<Item = JoinKey>) -> KeyIndex {
        let mut found = KeyCollector::default();
        keys.into_iter().for_each(|key| found.push(key));
        KeyIndex::from(found.finish().0)
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
    fn few_keys_are_found_without_a_table_and_many_with_one() {
        for keys in [KeyIndex::TABLE_FROM - 1, KeyIndex::TABLE_FROM] {
            let keys = i32::try_from(keys).unwrap();
            let key = |number: i32| JoinKey::from(Bson::Int32(number));
            let index = index_of((0..keys).rev().map(key));
            for number in 0..keys {
                assert_eq!(index.get(&key(number)), u32::try_from(number).ok());
            }
            assert_eq!(index.get(&key(keys)), None);
            let table = index.table.get().map(HashTable::len);
            assert_eq!(table.is_some(), index.keys.len() == KeyIndex::TABLE_FROM);
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
}
