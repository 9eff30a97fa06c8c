//! The result of a join.

use std::marker::PhantomData;

use super::{
    absence::Absence,
    key_number::{KeyNumber, index},
    owner_lookup::{OwnerLookup, StoredKey},
    placement::Groups,
    request::Window,
    slot::Slot,
};
use crate::value::key::JoinKey;

/// The documents of a relation for many owners, each owned once.
///
/// [`of`](Self::of) finds them by the keys in the owner, so that any clone of an owner serves, and
/// an owner that was not part of the join has what was joined of its keys. To read the owners in the
/// order of the join is the fastest.
///
/// It is the answer of one relation, `R`: what `Product::join_main` brought is no answer of `Product::join_parts`, which leads
/// to the same model. [`relation!`](crate::relation!) names it: `Joined<Product, Part, relation!(Product.parts)>`.
pub struct Joined<O, V, R> {
    pub(super) lookup: OwnerLookup<O>,
    pub(super) documents: Vec<V>,
    pub(super) groups: Groups,
    pub(super) sorted: bool,
    pub(super) window: Window,
    /// What it means that a key has no document.
    pub(super) absence: Absence,
    pub(super) relation: PhantomData<fn() -> R>,
}

impl<O, V, R> Joined<O, V, R> {
    /// Returns the documents of one owner: in stored order with repeats, or in the order of an
    /// explicit sort, then each once. References that lead nowhere are left out; see
    /// [`slots_of`](Self::slots_of).
    ///
    /// Nothing is sent to the server.
    pub fn of(&self, owner: &O) -> impl ExactSizeIterator<Item = &V> + Clone + use<'_, O, V, R> {
        let found = self.numbers_of(owner);
        let documents: Vec<&V> = found.iter().filter_map(|at| self.document(*at)).collect();
        documents.into_iter()
    }

    /// Returns the numbers of the documents of one owner.
    fn numbers_of(&self, owner: &O) -> Vec<u32> {
        let keys = self.lookup.numbers(owner);
        documents_of(&keys, &self.groups, self.sorted, self.window)
    }

    /// Returns the first document of one owner: the one that a to-one reference leads to.
    pub fn one_of(&self, owner: &O) -> Option<&V> {
        self.of(owner).next()
    }

    /// Returns what every stored reference of one owner leads to, in stored order: documents, keys
    /// without one and nulls in their places. Sorts and limits do not apply, but for a `limit_each`
    /// and a `skip_each` that the server applied.
    pub fn slots_of(&self, owner: &O) -> Vec<Slot<&V>> {
        let mut slots = Vec::new();
        self.lookup.each_key(owner, &mut |held| match held {
            StoredKey::Null => slots.push(Slot::Null),
            StoredKey::NotJoined(key) => slots.push(Slot::NotAsked(key)),
            StoredKey::Key(number) => self.push_slots(number, &mut slots),
        });
        slots
    }

    fn push_slots<'a>(&'a self, key: KeyNumber, slots: &mut Vec<Slot<&'a V>>) {
        let group = self.groups.documents(key);
        if group.is_empty() {
            let key = self.lookup.index().key(key);
            slots.extend(key.map(|key| self.absence.slot(key)));
        }
        let documents = group.iter().filter_map(|at| self.document(*at));
        slots.extend(documents.map(Slot::Found));
    }

    /// Returns the keys that no document has, each once, sorted.
    ///
    /// A join that left documents out, by a filter or by a `skip_each` that the server applied, knows
    /// of none; it has [`unmatched`](Self::unmatched) ones, and `missing()` of the [`Join`](super::Join)
    /// asks for them.
    pub fn missing(&self) -> Vec<JoinKey> {
        self.absent_as(Absence::Missing)
    }

    /// Returns the keys that no document came with though there may be one, because the join left
    /// documents out by a filter or by a `skip_each` that the server applied; each once, sorted.
    pub fn unmatched(&self) -> Vec<JoinKey> {
        self.absent_as(Absence::Unmatched)
    }

    fn absent_as(&self, absence: Absence) -> Vec<JoinKey> {
        if self.absence != absence {
            return Vec::new();
        }
        let index = self.lookup.index();
        index.keys_where(|key| self.groups.documents(*key).is_empty())
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

    fn document(&self, at: u32) -> Option<&V> {
        self.documents.get(index(at))
    }
}

/// Returns the numbers of the documents of one owner, by the keys that it holds.
fn documents_of(keys: &[KeyNumber], groups: &Groups, sorted: bool, window: Window) -> Vec<u32> {
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        found.extend_from_slice(groups.documents(*key));
    }
    if sorted {
        found.sort_unstable();
        found.dedup();
    }
    window.cut(&mut found);
    found
}

impl<O, V: std::fmt::Debug, R> std::fmt::Debug for Joined<O, V, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Joined")
            .field("keys", &self.lookup.index().len())
            .field("documents", &self.documents)
            .finish_non_exhaustive()
    }
}
