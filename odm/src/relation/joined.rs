//! The result of a join.

use std::marker::PhantomData;

use super::{
    KeysOf,
    fetch::Fetched,
    keys::{KeyIndex, SlotNumber},
};
use crate::key::JoinKey;

/// The documents of a relation for many owners, each owned once.
///
/// [`of`](Self::of) finds them by the keys in the owner, so that any clone of an owner serves, and
/// an owner that was not part of the join simply has none.
pub struct Joined<O, V> {
    keys: KeysOf<O>,
    index: KeyIndex,
    documents: Vec<V>,
    groups: Groups,
    sorted: bool,
    limit_each: Option<usize>,
    owners: PhantomData<fn(&O)>,
}

/// What a reference leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Slot<V> {
    /// The document.
    Found(V),
    /// No document has this key, or a filter left it out.
    Missing(JoinKey),
    /// The owner stores null here.
    Null,
}

impl<V> Slot<V> {
    /// Returns the document, if there is one.
    pub fn found(self) -> Option<V> {
        match self {
            Self::Found(document) => Some(document),
            _ => None,
        }
    }

    /// Returns whether the reference leads to no document.
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing(_))
    }
}

impl<O, V> Joined<O, V> {
    pub(crate) fn new(
        keys: KeysOf<O>,
        index: KeyIndex,
        fetched: Fetched<V>,
        sorted: bool,
        limit_each: Option<usize>,
    ) -> Self {
        let groups = Groups::new(index.len(), &fetched.answers);
        Self {
            keys,
            index,
            documents: fetched.documents,
            groups,
            sorted,
            limit_each,
            owners: PhantomData,
        }
    }

    /// Returns the documents of one owner: in stored order with repeats, or in the order of an
    /// explicit sort, then each once. References that lead nowhere are left out; see
    /// [`slots_of`](Self::slots_of).
    ///
    /// Nothing is sent to the server.
    pub fn of(&self, owner: &O) -> impl ExactSizeIterator<Item = &V> + Clone + use<'_, O, V> {
        let mut found = Vec::new();
        (self.keys)(owner, &mut |slot| {
            if let Some(number) = slot.ok().and_then(|key| self.index.get(&key)) {
                found.extend_from_slice(self.groups.of(number));
            }
        });
        if self.sorted {
            found.sort_unstable();
            found.dedup();
        }
        found.truncate(self.limit_each.unwrap_or(usize::MAX));
        let documents: Vec<&V> = found.iter().filter_map(|at| self.document(*at)).collect();
        documents.into_iter()
    }

    /// Returns the first document of one owner: the one that a to-one reference leads to.
    pub fn one_of(&self, owner: &O) -> Option<&V> {
        self.of(owner).next()
    }

    /// Returns what every stored reference of one owner leads to, in stored order: documents,
    /// missing keys and nulls in their places. Sorts and limits do not apply, but for a `limit_each`
    /// that the server applied.
    pub fn slots_of(&self, owner: &O) -> Vec<Slot<&V>> {
        let mut slots = Vec::new();
        (self.keys)(owner, &mut |slot| match slot {
            Ok(key) if key.is_null() => slots.push(Slot::Null),
            Ok(key) => {
                let group = self
                    .index
                    .get(&key)
                    .map_or(&[][..], |number| self.groups.of(number));
                if group.is_empty() {
                    slots.push(Slot::Missing(key));
                }
                slots.extend(
                    group
                        .iter()
                        .filter_map(|at| self.document(*at))
                        .map(Slot::Found),
                );
            }
            Err(_) => {}
        });
        slots
    }

    /// Returns the keys that lead to no document, each once, sorted.
    pub fn missing(&self) -> Vec<JoinKey> {
        self.index
            .keys_where(|number| self.groups.of(*number).is_empty())
    }

    /// Returns all documents in the order in which they came: each once, but for a document that
    /// belongs to several owners under `limit_each`, or whose keys lie in several ranges; it is there
    /// once for each of them.
    pub fn documents(&self) -> &[V] {
        &self.documents
    }

    /// Returns what [`documents`](Self::documents) does, and drops which owner they belong to.
    pub fn into_documents(self) -> Vec<V> {
        self.documents
    }

    /// Returns the number of [`documents`](Self::documents).
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Returns whether no document was found.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Returns a key that has more than one document, with how many.
    pub(crate) fn ambiguous(&self) -> Option<(JoinKey, usize)> {
        let number = (0..self.index.len()).find(|number| self.groups.of(*number).len() > 1)?;
        Some((self.index.key(number)?, self.groups.of(number).len()))
    }

    fn document(&self, at: u32) -> Option<&V> {
        self.documents.get(usize::try_from(at).ok()?)
    }
}

impl<O, V: std::fmt::Debug> std::fmt::Debug for Joined<O, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Joined")
            .field("keys", &self.index.len())
            .field("documents", &self.documents)
            .finish_non_exhaustive()
    }
}

/// Which documents answer which key: one array of documents, cut by key.
#[derive(Debug)]
pub(crate) struct Groups {
    /// Where the documents of each key begin; one more entry than keys.
    starts: Vec<u32>,
    documents: Vec<u32>,
}

impl Groups {
    /// Groups answers by key, keeping their order within a key (a counting sort).
    pub(crate) fn new(keys: SlotNumber, answers: &[(SlotNumber, u32)]) -> Self {
        let keys = usize::try_from(keys).unwrap_or(usize::MAX);
        let mut starts = vec![0_u32; keys + 1];
        for (slot, _) in answers {
            if let Some(count) = starts.get_mut(index(*slot) + 1) {
                *count += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut next = starts.clone();
        let mut documents = vec![0; answers.len()];
        for (slot, document) in answers {
            if let Some(at) = next.get_mut(index(*slot)) {
                if let Some(place) = documents.get_mut(index(*at)) {
                    *place = *document;
                }
                *at += 1;
            }
        }
        Self { starts, documents }
    }

    /// Returns the documents of a key.
    pub(crate) fn of(&self, slot: SlotNumber) -> &[u32] {
        let bounds = (
            self.starts.get(index(slot)),
            self.starts.get(index(slot) + 1),
        );
        match bounds {
            (Some(start), Some(end)) => self
                .documents
                .get(index(*start)..index(*end))
                .unwrap_or_default(),
            _ => &[],
        }
    }
}

pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_grouped_by_key_and_keep_their_order() {
        let groups = Groups::new(4, &[(2, 0), (0, 1), (2, 2), (0, 3), (3, 4)]);
        assert_eq!(groups.of(0), [1, 3]);
        assert_eq!(groups.of(1), [0; 0]);
        assert_eq!(groups.of(2), [0, 2]);
        assert_eq!(groups.of(3), [4]);
        assert_eq!(groups.of(9), [0; 0]);
    }
}
