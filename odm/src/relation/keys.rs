//! Keys of owners: distinct, numbered, sorted.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::{HashTable, hash_table::Entry};
use mongodb::bson::{Bson, RawBsonRef, oid::ObjectId};

use super::{KeysOf, joined::index};
use crate::{
    error::{EncodeError, Error, Result},
    key::JoinKey,
};

/// Number of a distinct key: in the order of first appearance while keys are collected, then by size.
pub(crate) type SlotNumber = u32;

/// The distinct keys of a join with their numbers.
///
/// The table holds numbers alone and the keys are beside it, without gaps. The keys of a single
/// owner have no table: they are sorted at once, and found by halves.
#[derive(Debug, Default)]
pub(crate) struct KeyIndex {
    keys: Distinct,
    numbers: HashTable<SlotNumber>,
}

/// Distinct keys by number. Object ids, as keys mostly are, take a quarter of a [`JoinKey`].
#[derive(Debug)]
enum Distinct {
    ObjectIds(Vec<ObjectId>),
    Any(Vec<JoinKey>),
}

impl Default for Distinct {
    fn default() -> Self {
        Self::ObjectIds(Vec::new())
    }
}

impl Distinct {
    /// Returns the keys as keys of any type, which they are from now on.
    fn any(&mut self) -> &mut Vec<JoinKey> {
        if let Self::ObjectIds(ids) = self {
            *self = Self::Any(ids.drain(..).map(JoinKey::object_id).collect());
        }
        match self {
            Self::Any(keys) => keys,
            Self::ObjectIds(_) => unreachable!("they were converted above"),
        }
    }
}

impl KeyIndex {
    pub(crate) fn with_capacity(keys: usize) -> Self {
        Self {
            keys: Distinct::ObjectIds(Vec::with_capacity(keys)),
            numbers: HashTable::with_capacity(keys),
        }
    }

    /// Returns the number of a key, a new one if it is seen for the first time.
    pub(crate) fn insert(&mut self, key: JoinKey) -> SlotNumber {
        match (key.as_object_id(), &mut self.keys) {
            (Some(id), Distinct::ObjectIds(ids)) => insert(&mut self.numbers, ids, id, hash_id),
            (_, keys) => insert(&mut self.numbers, keys.any(), key, hash_key),
        }
    }

    pub(crate) fn get(&self, key: &JoinKey) -> Option<SlotNumber> {
        match (&self.keys, key.as_object_id()) {
            (Distinct::ObjectIds(ids), Some(id)) => find(&self.numbers, ids, &id, hash_id),
            (Distinct::ObjectIds(_), None) => None,
            (Distinct::Any(keys), _) => find(&self.numbers, keys, key, hash_key),
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
            .or_else(|| find(&self.numbers, ids, &id, hash_id))
    }

    /// Returns how many distinct keys there are; more than `u32::MAX` do not fit into memory.
    pub(crate) fn len(&self) -> SlotNumber {
        let keys = match &self.keys {
            Distinct::ObjectIds(ids) => ids.len(),
            Distinct::Any(keys) => keys.len(),
        };
        SlotNumber::try_from(keys).unwrap_or(SlotNumber::MAX)
    }

    /// Numbers the keys by size, once they are complete.
    pub(crate) fn sort(&mut self) {
        match &mut self.keys {
            Distinct::ObjectIds(ids) => sort(ids, &mut self.numbers),
            Distinct::Any(keys) => sort(keys, &mut self.numbers),
        }
    }

    /// Returns the keys for which a test of their number holds, in the order of their numbers.
    pub(crate) fn keys_where(&self, mut test: impl FnMut(SlotNumber) -> bool) -> Vec<JoinKey> {
        match &self.keys {
            Distinct::ObjectIds(ids) => {
                let ids = (0..).zip(ids).filter(|(number, _)| test(*number));
                ids.map(|(_, id)| JoinKey::object_id(*id)).collect()
            }
            Distinct::Any(keys) => {
                let keys = (0..).zip(keys).filter(|(number, _)| test(*number));
                keys.map(|(_, key)| key.clone()).collect()
            }
        }
    }

    /// Returns the keys in the order of their numbers.
    pub(crate) fn by_number(&self) -> Vec<JoinKey> {
        self.keys_where(|_| true)
    }

    /// Returns the keys as values to send, sorted: the server walks an index in one direction, at
    /// about half the cost of unsorted keys.
    pub(crate) fn sorted_values(&self) -> Vec<Bson> {
        match &self.keys {
            Distinct::ObjectIds(ids) => {
                debug_assert!(ids.is_sorted());
                ids.iter().copied().map(Bson::ObjectId).collect()
            }
            Distinct::Any(keys) => {
                debug_assert!(keys.is_sorted());
                keys.iter().map(JoinKey::to_bson).collect()
            }
        }
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

fn insert<K: Eq>(
    numbers: &mut HashTable<SlotNumber>,
    keys: &mut Vec<K>,
    key: K,
    hash: fn(&K) -> u64,
) -> SlotNumber {
    let next = SlotNumber::try_from(keys.len()).unwrap_or(SlotNumber::MAX);
    let is_key = |number: &SlotNumber| keys.get(index(*number)) == Some(&key);
    let hash_of = |number: &SlotNumber| keys.get(index(*number)).map_or(0, hash);
    match numbers.entry(hash(&key), is_key, hash_of) {
        Entry::Occupied(known) => *known.get(),
        Entry::Vacant(place) => {
            place.insert(next);
            keys.push(key);
            next
        }
    }
}

fn sort<K: Ord>(keys: &mut Vec<K>, numbers: &mut HashTable<SlotNumber>) {
    let mut numbered: Vec<_> = std::mem::take(keys).into_iter().zip(0..).collect();
    numbered.sort_unstable();
    let mut ranks = vec![0; numbered.len()];
    for (rank, (_, number)) in (0..).zip(&numbered) {
        if let Some(place) = ranks.get_mut(index(*number)) {
            *place = rank;
        }
    }
    *keys = numbered.into_iter().map(|(key, _)| key).collect();
    keys.shrink_to_fit();
    // A number stays where it is: where that is depends on the key alone.
    for number in numbers.iter_mut() {
        if let Some(rank) = ranks.get(index(*number)) {
            *number = *rank;
        }
    }
}

fn find<K: Ord>(
    numbers: &HashTable<SlotNumber>,
    keys: &[K],
    key: &K,
    hash: impl FnOnce(&K) -> u64,
) -> Option<SlotNumber> {
    if numbers.is_empty() {
        let rank = keys.binary_search(key).ok()?;
        return SlotNumber::try_from(rank).ok();
    }
    numbers
        .find(hash(key), |number| keys.get(index(*number)) == Some(key))
        .copied()
}

/// Sorts keys of positions, each key once, and notes at every position the number of its key.
fn rank<K: Ord>(mut placed: Vec<(K, usize)>, positions: &mut [Option<SlotNumber>]) -> Vec<K> {
    placed.sort_unstable();
    let mut keys: Vec<K> = Vec::with_capacity(placed.len());
    for (key, position) in placed {
        if keys.last() != Some(&key) {
            keys.push(key);
        }
        if let Some(place) = positions.get_mut(position) {
            *place = SlotNumber::try_from(keys.len() - 1).ok();
        }
    }
    keys
}

/// Hashes an object id as two numbers: bytes take several times as long.
fn hash_id(id: &ObjectId) -> u64 {
    let [a, b, c, d, rest @ ..] = id.bytes();
    FixedState::default().hash_one((u32::from_le_bytes([a, b, c, d]), u64::from_le_bytes(rest)))
}

/// Hashes a key, and an object id alike, whichever way it is kept.
fn hash_key(key: &JoinKey) -> u64 {
    key.as_object_id()
        .map_or_else(|| FixedState::default().hash_one(key), |id| hash_id(&id))
}

/// The keys of one owner by position; none where the owner stores null.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    pub(crate) index: KeyIndex,
    pub(crate) positions: Vec<Option<SlotNumber>>,
    pub(crate) error: Option<EncodeError>,
}

impl Slots {
    pub(crate) fn of<O>(keys: KeysOf<O>, owner: &O) -> Self {
        let mut slots = Self::default();
        let (mut ids, mut others) = (Vec::new(), Vec::new());
        keys(owner, &mut |slot| match slot {
            Ok(key) => {
                let position = slots.positions.len();
                slots.positions.push(None);
                match key.as_object_id() {
                    Some(id) => ids.push((id, position)),
                    None if key.is_null() => {}
                    None => others.push((key, position)),
                }
            }
            Err(error) => slots.error = Some(error),
        });
        slots.index.keys = if others.is_empty() {
            Distinct::ObjectIds(rank(ids, &mut slots.positions))
        } else {
            let ids = ids
                .into_iter()
                .map(|(id, position)| (JoinKey::object_id(id), position));
            others.extend(ids);
            Distinct::Any(rank(others, &mut slots.positions))
        };
        slots
    }

    /// Reports a key that could not be encoded.
    pub(crate) fn check(&mut self, relation: &str) -> Result<()> {
        match self.error.take() {
            Some(source) => Err(Error::encode(format!("a key of `{relation}`"), source)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> Vec<JoinKey> {
        let ids = (0..100_u8)
            .rev()
            .map(|byte| ObjectId::from_bytes([byte; 12]));
        ids.map(JoinKey::object_id).collect()
    }

    #[test]
    fn keys_of_several_types_keep_the_numbers_that_they_got_as_object_ids() {
        let (ids, text) = (ids(), JoinKey::from(Bson::from("a")));
        let mut index = KeyIndex::default();
        for (number, id) in (0..).zip(&ids) {
            assert_eq!(index.insert(id.clone()), number);
        }
        assert_eq!(index.get(&text), None);
        assert_eq!(index.insert(text.clone()), 100);
        for (number, id) in (0..).zip(&ids) {
            assert_eq!(
                (index.get(id), index.insert(id.clone())),
                (Some(number), number)
            );
        }
        assert_eq!((index.get(&text), index.len()), (Some(100), 101));
    }

    #[test]
    fn sorted_keys_are_found_by_their_new_numbers() {
        let mut index = KeyIndex::default();
        for id in ids() {
            index.insert(id);
        }
        index.sort();
        for (rank, byte) in (0..100_u32).zip(0..) {
            let id = ObjectId::from_bytes([byte; 12]);
            assert_eq!(index.get(&JoinKey::object_id(id)), Some(rank));
            for last in [0, rank.saturating_sub(1), rank, 99, u32::MAX] {
                assert_eq!(index.get_raw(last, RawBsonRef::ObjectId(id)), Some(rank));
            }
        }
        assert_eq!(
            index.get_raw(0, RawBsonRef::ObjectId(ObjectId::new())),
            None
        );
        assert_eq!(index.get_raw(0, RawBsonRef::Int32(1)), None);
    }

    #[test]
    fn positions_of_one_owner_hold_the_numbers_of_its_keys() {
        let keys: KeysOf<Vec<Bson>> = |owner, found| {
            for key in owner {
                found(Ok(JoinKey::from(key.clone())));
            }
        };
        let (low, high) = (ObjectId::from_bytes([1; 12]), ObjectId::from_bytes([2; 12]));
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
