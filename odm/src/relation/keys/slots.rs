//! The keys of one owner, by position.

use super::{
    KeyIndex, KeysOf, SlotNumber,
    distinct::{Distinct, as_number},
};
use crate::{
    error::{EncodeError, Error, Result},
    key::JoinKey,
};

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
            ids.sort_unstable_by_key(|(id, _)| as_number(id));
            Distinct::ObjectIds(rank(ids, &mut slots.positions))
        } else {
            let ids = ids
                .into_iter()
                .map(|(id, position)| (JoinKey::object_id(id), position));
            others.extend(ids);
            others.sort_unstable();
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

/// Returns each of sorted keys once, and notes at every position the number of its key.
fn rank<K: PartialEq>(placed: Vec<(K, usize)>, positions: &mut [Option<SlotNumber>]) -> Vec<K> {
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
