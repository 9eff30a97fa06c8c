//! Collects the keys of owners and removes duplicates. For each stored reference, this module records the number of the
//! key. So a load can return the documents in the order of the references.

use std::cmp::Ordering;

use mongodb::bson::oid::ObjectId;

use super::{
    distinct_keys::{DistinctKeys, compare_ids},
    key_number::{KeyNumber, NO_KEY, index, number},
};
use crate::value::key::JoinKey;

/// The keys that have been collected so far. Most repeated keys have already been dropped.
#[derive(Debug, Default)]
pub(super) struct KeyCollector {
    keys: FoundKeys,
    /// Number of distinct keys after the latest merge. Keys that were added later do not have a number yet.
    numbered: KeyNumber,
    /// For each stored reference, the number of its key. References that were added after the latest merge have the
    /// number [`NO_KEY`].
    positions: Vec<KeyNumber>,
}

#[derive(Debug)]
enum FoundKeys {
    ObjectIds(Vec<FoundKey<ObjectId>>),
    Any(Vec<FoundKey<JoinKey>>),
}

/// A collected key. For a new key, `at` is the position of its stored reference. For a key that has been merged, `at`
/// is its number.
#[derive(Debug)]
struct FoundKey<K> {
    key: K,
    is_new: bool,
    at: u32,
}

impl Default for FoundKeys {
    fn default() -> Self {
        Self::ObjectIds(Vec::new())
    }
}

impl KeyCollector {
    /// Number of collected keys at which the collector drops repeats. Sorting from time to time is faster than looking
    /// up every key, and requires no hash table.
    const MERGE_FROM: usize = 65_536;

    /// Adds the key of the next stored reference. A null key gets the number [`NO_KEY`].
    pub(super) fn push(&mut self, key: JoinKey) {
        let at = number(self.positions.len());
        self.positions.push(NO_KEY);
        if key.is_null() {
            return;
        }
        self.keys.push(key, at);
        if self.keys.len() >= Self::MERGE_FROM.max(2 * index(self.numbered)) {
            self.drop_repeats();
        }
    }

    fn drop_repeats(&mut self) {
        let (numbered, positions) = (&mut self.numbered, self.positions.as_mut_slice());
        match &mut self.keys {
            FoundKeys::ObjectIds(found) => merge(found, compare_ids, numbered, positions),
            FoundKeys::Any(found) => merge(found, Ord::cmp, numbered, positions),
        }
    }

    /// Returns the sorted, distinct keys, and the key number of each stored reference.
    pub(super) fn finish(mut self) -> (DistinctKeys, Vec<KeyNumber>) {
        self.drop_repeats();
        let keys = match self.keys {
            FoundKeys::ObjectIds(found) => {
                DistinctKeys::ObjectIds(rank(found, &mut self.positions))
            }
            FoundKeys::Any(found) => DistinctKeys::Any(rank(found, &mut self.positions)),
        };
        (keys, self.positions)
    }
}

impl FoundKeys {
    const fn len(&self) -> usize {
        match self {
            Self::ObjectIds(found) => found.len(),
            Self::Any(found) => found.len(),
        }
    }

    fn push(&mut self, key: JoinKey, at: u32) {
        match (key.as_object_id(), &mut *self) {
            (Some(id), Self::ObjectIds(found)) => found.push(FoundKey::new(id, at)),
            (_, Self::Any(found)) => found.push(FoundKey::new(key, at)),
            (None, Self::ObjectIds(ids)) => {
                let found = ids.drain(..).map(|found| found.map(JoinKey::object_id));
                let found = found.chain([FoundKey::new(key, at)]);
                *self = Self::Any(found.collect());
            }
        }
    }
}

impl<K> FoundKey<K> {
    const fn new(key: K, at: u32) -> Self {
        Self {
            key,
            is_new: true,
            at,
        }
    }

    fn map<L>(self, change: impl FnOnce(K) -> L) -> FoundKey<L> {
        FoundKey {
            key: change(self.key),
            is_new: self.is_new,
            at: self.at,
        }
    }

    /// Stores the number of a new key for the key's stored reference, and in the key itself.
    fn set_number(&mut self, number: KeyNumber, positions: &mut [KeyNumber]) {
        if let Some(place) = positions.get_mut(index(self.at)) {
            *place = number;
        }
        (self.at, self.is_new) = (number, false);
    }
}

/// Sorts keys and drops repeats. A new key gets the next number. A repeated key gets the number of the equal key.
fn merge<K: PartialEq>(
    found: &mut Vec<FoundKey<K>>,
    compare: fn(&K, &K) -> Ordering,
    numbered: &mut KeyNumber,
    positions: &mut [KeyNumber],
) {
    // A key that has a number is sorted before its repeats, so that the repeats get the same number.
    found.sort_unstable_by(|a, b| compare(&a.key, &b.key).then(a.is_new.cmp(&b.is_new)));
    let mut next_number = |found: &mut FoundKey<K>, positions: &mut [KeyNumber]| {
        if found.is_new {
            found.set_number(*numbered, positions);
            *numbered += 1;
        }
    };
    if let Some(first) = found.first_mut() {
        next_number(first, positions);
    }
    found.dedup_by(|found, before| {
        let repeats = found.key == before.key;
        if repeats {
            found.set_number(before.at, positions);
        } else {
            next_number(found, positions);
        }
        repeats
    });
}

/// Returns the sorted keys, and replaces the key number of each stored reference with the key's rank in this order.
fn rank<K>(found: Vec<FoundKey<K>>, positions: &mut [KeyNumber]) -> Vec<K> {
    let is_ranked = (0..).zip(&found).all(|(rank, found)| rank == found.at);
    if !is_ranked {
        let mut ranks = vec![NO_KEY; found.len()];
        for (rank, found) in (0..).zip(&found) {
            if let Some(place) = ranks.get_mut(index(found.at)) {
                *place = rank;
            }
        }
        for place in positions {
            *place = ranks.get(index(*place)).copied().unwrap_or(NO_KEY);
        }
    }
    let mut keys: Vec<K> = found.into_iter().map(|found| found.key).collect();
    keys.shrink_to_fit();
    keys
}

#[cfg(test)]
mod tests {
    use mongodb::bson::Bson;

    use super::*;

    #[test]
    fn many_repeats_take_little_room_and_every_position_has_its_key() {
        let mut found = KeyCollector::default();
        // The keys are in descending order, so the ranks are known only at the end.
        let key_at = |at: i32| 13 - at / 77_000;
        for at in 0..1_000_000 {
            found.push(JoinKey::from(Bson::Int32(key_at(at))));
            assert!(found.keys.len() < KeyCollector::MERGE_FROM);
        }
        let (keys, positions) = found.finish();
        let values: Vec<_> = (0..14).filter_map(|number| keys.value(number)).collect();
        assert_eq!(values, (1..14).map(Bson::Int64).collect::<Vec<_>>());
        assert_eq!(keys.len(), 13);
        assert_eq!(positions.len(), 1_000_000);
        for (at, number) in (0..).zip(&positions) {
            assert_eq!(keys.value(*number), Some(Bson::Int64(key_at(at).into())));
        }
    }

    #[test]
    fn object_ids_are_sorted_as_their_bytes_are() {
        let mut found = KeyCollector::default();
        let mut ids: Vec<_> = (0..1_000_u64).map(|_| ObjectId::new()).collect();
        for (id, byte) in ids.iter_mut().zip((0..=u8::MAX).cycle()) {
            let mut bytes = id.bytes();
            bytes.rotate_left(usize::from(byte % 12));
            *id = ObjectId::from_bytes(bytes);
        }
        for id in &ids {
            found.push(JoinKey::object_id(*id));
        }
        let (DistinctKeys::ObjectIds(sorted), positions) = found.finish() else {
            panic!("nothing but object ids");
        };
        for (id, number) in ids.iter().zip(positions) {
            assert_eq!(sorted.get(index(number)), Some(id));
        }
        ids.sort_unstable();
        assert_eq!(sorted, ids);
    }

    #[test]
    fn a_key_of_another_type_changes_no_position() {
        let [low, high] = [[1; 12], [2; 12]].map(ObjectId::from_bytes);
        let mut found = KeyCollector::default();
        for key in [high.into(), Bson::Null, low.into(), high.into()] {
            found.push(JoinKey::from(key));
        }
        found.drop_repeats();
        found.push(JoinKey::from(Bson::from("a")));
        found.push(JoinKey::object_id(low));
        let (keys, positions) = found.finish();
        assert_eq!(positions, [2, NO_KEY, 1, 2, 0, 1]);
        assert_eq!(keys.value(0), Some("a".into()));
    }
}
