//! The owners' keys in a load or a join.

use std::sync::Arc;

use super::{
    key_collector::KeyCollector,
    key_index::KeyIndex,
    key_number::{KeyNumber, NO_KEY},
};
use crate::{error::EncodeError, model::reference::KeySlot, value::key::JoinKey};

/// A function that passes the keys in a struct to another function, in the order of the references.
pub(crate) type KeysOf<O> = fn(&O, &mut dyn FnMut(KeySlot));

/// The keys of one or more owners.
#[derive(Debug, Default)]
pub(crate) struct OwnerKeys {
    pub(crate) index: Arc<KeyIndex>,
    /// The number of the key in each stored reference, owner by owner. A null reference has
    /// [`NO_KEY`].
    pub(crate) positions: Vec<KeyNumber>,
    /// The largest number of keys that a single owner has.
    pub(crate) most_keys: usize,
    /// Number of owners.
    pub(crate) owners: usize,
}

impl OwnerKeys {
    /// Reads the keys that the owners contain.
    ///
    /// # Errors
    ///
    /// Fails if a key cannot be encoded.
    pub(crate) fn read<'a, O: 'a>(
        keys: KeysOf<O>,
        owners: impl IntoIterator<Item = &'a O>,
    ) -> Result<Self, EncodeError> {
        let mut taken = OwnerKeysBuilder::default();
        for owner in owners {
            keys(owner, &mut |slot| taken.take(slot));
            taken.end_of_owner();
        }
        taken.finish()
    }

    fn new(taken: OwnerKeysBuilder) -> Self {
        let (keys, positions) = taken.found.finish();
        Self {
            index: Arc::new(KeyIndex::from(keys)),
            positions,
            most_keys: taken.most_keys,
            owners: taken.owners,
        }
    }

    /// Returns whether the stored reference at a position contains the given key, which may be null.
    pub(super) fn is_key_at(&self, position: usize, key: &JoinKey) -> bool {
        match self.positions.get(position) {
            Some(&NO_KEY) => key.is_null(),
            Some(number) => self.index.is_key(*number, key),
            None => false,
        }
    }
}

/// The keys that have been read so far. This type is not generic, so its code is compiled only
/// once.
#[derive(Default)]
struct OwnerKeysBuilder {
    found: KeyCollector,
    /// Number of keys that the current owner has.
    held: usize,
    most_keys: usize,
    owners: usize,
    failed: Option<EncodeError>,
}

impl OwnerKeysBuilder {
    fn take(&mut self, slot: KeySlot) {
        match slot {
            Ok(key) => {
                self.held += usize::from(!key.is_null());
                self.found.push(key);
            }
            Err(failed) => self.failed = Some(failed),
        }
    }

    fn end_of_owner(&mut self) {
        self.most_keys = self.most_keys.max(std::mem::take(&mut self.held));
        self.owners += 1;
    }

    fn finish(mut self) -> Result<OwnerKeys, EncodeError> {
        match self.failed.take() {
            Some(failed) => Err(failed),
            None => Ok(OwnerKeys::new(self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{Bson, oid::ObjectId};

    use super::*;

    const KEYS: KeysOf<Vec<Bson>> = |owner, found| {
        for key in owner {
            found(Ok(JoinKey::from(key.clone())));
        }
    };

    #[test]
    fn positions_hold_the_numbers_of_the_keys_of_all_owners() {
        let [low, high] = [[1; 12], [2; 12]].map(ObjectId::from_bytes);
        let mut owners: [Vec<Bson>; 2] = [vec![high.into(), Bson::Null], vec![low.into(); 2]];
        let held = OwnerKeys::read(KEYS, &owners).unwrap();
        assert_eq!(held.positions, [1, NO_KEY, 0, 0]);
        assert_eq!((held.index.len(), held.most_keys, held.owners), (2, 2, 2));
        owners[1].push("a".into());
        let held = OwnerKeys::read(KEYS, &owners).unwrap();
        assert_eq!(held.positions, [2, NO_KEY, 1, 1, 0], "strings come first");
        assert_eq!((held.index.len(), held.most_keys), (3, 3));
    }
}
