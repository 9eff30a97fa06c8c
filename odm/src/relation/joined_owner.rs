//! Looks up the key numbers of one owner after a join.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::{
    key_index::KeyIndex,
    key_number::{KeyNumber, NO_KEY},
    owner_keys::{KeysOf, OwnerKeys},
};
use crate::value::key::JoinKey;

/// The keys of all owners in a join, which can be looked up by owner.
///
/// Your code usually looks up the owners in the order of the join. So the lookup tries the expected position first, and
/// searches the index only if a different key is at that position:
///
/// 1. The lookup expects the keys of the next owner after the keys of the previous one. If your code looks up the same
///    owner again, the lookup expects the keys at the same position.
/// 2. The lookup compares each key of the owner with the key at the expected position.
/// 3. The lookup searches the index of all keys only if the two keys differ.
#[derive(Debug)]
pub(crate) struct JoinedOwners<O> {
    keys: KeysOf<O>,
    held: OwnerKeys,
    /// The first position of the previous owner's keys.
    last: AtomicUsize,
    /// The position after the previous owner's keys.
    next: AtomicUsize,
    #[cfg(test)]
    looked_up: AtomicUsize,
}

/// The stored value of one reference in an owner.
pub(crate) enum StoredKey {
    Null,
    Key(KeyNumber),
    /// A key that was not part of the join.
    NotJoined(JoinKey),
}

impl<O> JoinedOwners<O> {
    pub(crate) fn new(keys: KeysOf<O>, held: OwnerKeys) -> Self {
        Self {
            keys,
            held,
            last: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            #[cfg(test)]
            looked_up: AtomicUsize::new(0),
        }
    }

    pub(crate) fn index(&self) -> &KeyIndex {
        &self.held.index
    }

    /// Passes the stored keys of an owner to a function, in the order of the references.
    pub(crate) fn each_key(&self, owner: &O, found: &mut dyn FnMut(StoredKey)) {
        let mut at = None;
        (self.keys)(owner, &mut |slot| {
            if let Ok(key) = slot {
                let position = at.unwrap_or_else(|| self.expected_start(&key));
                at = Some(position + 1);
                found(self.stored_key_at(position, key));
            }
        });
        if let Some(end) = at {
            self.next.store(end, Relaxed);
        }
    }

    /// Returns the key numbers for those keys of an owner that were part of the join.
    pub(crate) fn numbers(&self, owner: &O) -> Vec<KeyNumber> {
        let mut numbers = Vec::new();
        self.each_key(owner, &mut |held| {
            if let StoredKey::Key(number) = held {
                numbers.push(number);
            }
        });
        numbers
    }

    /// Returns the position at which the keys of an owner are expected to start. `key` is the first key of the owner.
    fn expected_start(&self, key: &JoinKey) -> usize {
        let (last, next) = (self.last.load(Relaxed), self.next.load(Relaxed));
        let is_last = !self.held.is_key_at(next, key) && self.held.is_key_at(last, key);
        let begin = if is_last { last } else { next };
        self.last.store(begin, Relaxed);
        begin
    }

    fn stored_key_at(&self, position: usize, key: JoinKey) -> StoredKey {
        if self.held.is_key_at(position, &key) {
            return match self.held.positions.get(position) {
                Some(&NO_KEY) | None => StoredKey::Null,
                Some(number) => StoredKey::Key(*number),
            };
        }
        if key.is_null() {
            return StoredKey::Null;
        }
        #[cfg(test)]
        self.looked_up.fetch_add(1, Relaxed);
        self.held
            .index
            .get(&key)
            .map_or(StoredKey::NotJoined(key), StoredKey::Key)
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::Bson;

    use super::*;

    const KEYS: KeysOf<Vec<i32>> = |owner, found| {
        for key in owner {
            let key = (*key != 0).then_some(*key);
            found(Ok(JoinKey::from(key.map_or(Bson::Null, Bson::Int32))));
        }
    };

    fn lookup(owners: &[Vec<i32>]) -> JoinedOwners<Vec<i32>> {
        JoinedOwners::new(KEYS, OwnerKeys::read(KEYS, owners).unwrap())
    }

    fn read(lookup: &JoinedOwners<Vec<i32>>, owner: &Vec<i32>) -> Vec<i32> {
        let number = |number| match lookup.index().key(number).map(|key| key.to_bson()) {
            Some(Bson::Int64(key)) => i32::try_from(key).unwrap(),
            other => panic!("{other:?}"),
        };
        let mut keys = Vec::new();
        lookup.each_key(owner, &mut |held| {
            keys.push(match held {
                StoredKey::Null => 0,
                StoredKey::Key(key) => number(key),
                StoredKey::NotJoined(_) => -1,
            });
        });
        keys
    }

    fn owners() -> Vec<Vec<i32>> {
        let many = (0..100).map(|number| vec![500 - number, 0, number % 7 + 1, 500 - number]);
        many.chain([vec![], vec![0], vec![9, 9]]).collect()
    }

    #[test]
    fn owners_that_are_read_in_the_order_of_the_join_are_looked_up_nowhere() {
        let owners = owners();
        let lookup = lookup(&owners);
        for owner in &owners {
            assert_eq!(&read(&lookup, owner), owner);
            assert_eq!(&read(&lookup, owner), owner, "and once more");
        }
        assert_eq!(lookup.looked_up.load(Relaxed), 0);
    }

    #[test]
    fn owners_that_are_read_in_another_order_have_the_same_keys() {
        let owners = owners();
        let lookup = lookup(&owners);
        for owner in owners.iter().rev().chain(owners.iter().step_by(3)) {
            assert_eq!(&read(&lookup, owner), owner);
        }
        assert!(lookup.looked_up.load(Relaxed) > 0);
        assert_eq!(read(&lookup, &vec![500, 777, 0]), [500, -1, 0]);
    }
}
