//! The keys that owners hold.

use std::sync::Arc;

use super::{
    collected::Collected,
    key_index::KeyIndex,
    key_number::{KeyNumber, NO_KEY},
};
use crate::{error::EncodeError, key::JoinKey, reference::KeySlot};

/// Hands over the keys that a struct holds, in stored order.
pub(crate) type KeysOf<O> = fn(&O, &mut dyn FnMut(KeySlot));

/// The keys of one owner or of many.
#[derive(Debug, Default)]
pub(crate) struct HeldKeys {
    pub(crate) index: Arc<KeyIndex>,
    /// The number of the key at each position, owner after owner; [`NO_KEY`] for a null.
    pub(crate) positions: Vec<KeyNumber>,
    /// The most keys that one owner holds.
    pub(crate) most: usize,
}

impl HeldKeys {
    /// Takes the keys out of owners.
    ///
    /// # Errors
    ///
    /// If a key cannot be encoded.
    pub(crate) fn of<'a, O: 'a>(
        keys: KeysOf<O>,
        owners: impl IntoIterator<Item = &'a O>,
    ) -> Result<Self, EncodeError> {
        let mut found = Collected::default();
        let (mut most, mut error) = (0, None);
        for owner in owners {
            let mut held = 0;
            keys(owner, &mut |slot| match slot {
                Ok(key) => {
                    held += usize::from(!key.is_null());
                    found.push(key);
                }
                Err(failed) => error = Some(failed),
            });
            most = most.max(held);
        }
        match error {
            Some(error) => Err(error),
            None => Ok(Self::new(found, most)),
        }
    }

    fn new(found: Collected, most: usize) -> Self {
        let (keys, positions) = found.finish();
        Self {
            index: Arc::new(KeyIndex::from(keys)),
            positions,
            most,
        }
    }

    /// Whether a key, or null, stands at a position.
    pub(super) fn stands_at(&self, position: usize, key: &JoinKey) -> bool {
        match self.positions.get(position) {
            Some(&NO_KEY) => key.is_null(),
            Some(number) => self.index.is(*number, key),
            None => false,
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
        let held = HeldKeys::of(KEYS, &owners).unwrap();
        assert_eq!(held.positions, [1, NO_KEY, 0, 0]);
        assert_eq!((held.index.len(), held.most), (2, 2));
        owners[1].push("a".into());
        let held = HeldKeys::of(KEYS, &owners).unwrap();
        assert_eq!(held.positions, [2, NO_KEY, 1, 1, 0], "strings come first");
        assert_eq!((held.index.len(), held.most), (3, 3));
    }
}
