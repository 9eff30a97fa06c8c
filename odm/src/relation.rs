//! Relations: application-level joins over references.
//!
//! A load takes one document's relation, a join that of many documents; both send one `find` with
//! `$in` over the distinct keys. The steps are the same: keys are collected (`keys`), cut into
//! ranges and fetched (`fetch`), and put where they belong by key.

mod count;
mod fetch;
mod has_many;
mod join;
mod joined;
mod keys;
mod load;
mod load_one;
mod ranges;
mod raw_keys;
mod request;

pub use count::{CountEach, CountRelated, Counts};
pub use has_many::owner_keys;
pub use join::Join;
pub use joined::{Joined, Slot};
pub use load::LoadMany;
pub use load_one::LoadOne;

use crate::{copy::Counters, model::Model, odm::Executor, reference::KeySlot};

/// A relation from structs `O` to documents of `T`: where the keys are on both sides.
///
/// Emitted by the derive for every reference and every `has_many`; the generated `load_*`, `join_*`
/// and `count_*` methods are calls of it.
pub struct Relation<O, T> {
    name: &'static str,
    keys: KeysOf<O>,
    path: fn() -> String,
    target: std::marker::PhantomData<fn() -> T>,
}

/// Hands over the keys that a struct holds, in stored order.
pub(crate) type KeysOf<O> = fn(&O, &mut dyn FnMut(KeySlot));

impl<O, T> Clone for Relation<O, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O, T> Copy for Relation<O, T> {}

impl<O, T> std::fmt::Debug for Relation<O, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Relation({})", self.name)
    }
}

impl<O, T> Relation<O, T> {
    /// Describes a relation: its name (`Product.parts`), how to take the keys out of an owner, and
    /// the stored path in the target that they are compared with.
    pub const fn new(name: &'static str, keys: KeysOf<O>, path: fn() -> String) -> Self {
        Self {
            name,
            keys,
            path,
            target: std::marker::PhantomData,
        }
    }

    /// Returns the name, `Product.parts` for instance.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the stored path in the target that the keys are compared with.
    pub fn path(&self) -> String {
        (self.path)()
    }
}

impl<O, T: Model> Relation<O, T> {
    /// Returns a builder that loads the documents that `owner` refers to.
    pub fn load_many(&self, owner: &O, odm: &impl Executor) -> LoadMany<T> {
        self.count_joins(1, odm);
        LoadMany::new(
            self.name,
            self.path(),
            keys::Slots::of(self.keys, owner),
            odm.exec(),
        )
    }

    /// Returns a builder that loads the one document that `owner` refers to.
    pub fn load_one(&self, owner: &O, odm: &impl Executor) -> LoadOne<T> {
        self.count_joins(1, odm);
        LoadOne::new(
            self.name,
            self.path(),
            keys::Slots::of(self.keys, owner),
            odm.exec(),
        )
    }

    /// Returns a builder that loads the documents that many owners refer to.
    pub fn join<'a>(
        &self,
        owners: impl IntoIterator<Item = &'a O>,
        odm: &impl Executor,
    ) -> Join<O, T>
    where
        O: 'a,
    {
        let mut joined = 0;
        let owners = owners.into_iter().inspect(|_| joined += 1);
        let join = Join::new(*self, owners, odm.exec());
        self.count_joins(joined, odm);
        join
    }

    /// Counts the join of a source whose copies could have done.
    fn count_joins(&self, owners: usize, odm: &impl Executor) {
        let owner = self.name.split('.').next().unwrap_or(self.name);
        let exec = odm.exec();
        let counters = exec.odm().deployment().kept::<Counters>();
        counters.joined(owner, T::SHAPE.collection, self.path, owners);
    }

    /// Returns a builder that loads the one document that each of many owners refers to.
    pub fn join_one<'a>(
        &self,
        owners: impl IntoIterator<Item = &'a O>,
        odm: &impl Executor,
    ) -> Join<O, T>
    where
        O: 'a,
    {
        self.join(owners, odm).single()
    }

    /// Returns a builder that counts the documents that `owner` refers to.
    pub fn count(&self, owner: &O, odm: &impl Executor) -> CountRelated {
        let slots = keys::Slots::of(self.keys, owner);
        CountRelated::new(self.name, T::SHAPE, self.path(), slots, odm.exec())
    }
}
