//! Loads, joins and counts related documents.
//!
//! A load reads the targets of one owner. A join reads the targets of many owners. Loads and joins send one `find` with
//! `$in` over the distinct keys. Large numbers of keys are split into several statements.
//!
//! For each reference and each `has_many`, the derive generates the methods `load_*`, `join_*` and `count_*`:
//!
//! | method | result when awaited |
//! |---|---|
//! | `product.load_main(&odm)` | `Option<Part>`, by [`LoadOne`] |
//! | `product.load_parts(&odm)` | `Vec<Part>`, by [`LoadMany`] |
//! | `Product::join_parts(&products, &odm)` | [`Joined`], by [`Join`] |
//! | `host.count_messages(&odm)` | `u64`, by [`CountRelated`] |
//! | `Host::join_messages(&hosts, &odm).count_each()` | [`Counts`], by [`CountEach`] |
//! | `Subject::load_all(&subjects, &odm)` | one [`Slot`] for each polymorphic reference, by [`LoadAll`] |

// A join, step by step:
//
// 1. `owner_keys` reads the keys of every owner. `key_collector` sorts the keys from time to time and drops repeated
//    ones. For each stored reference, the collector records the number of its key.
// 2. `key_ranges` divides the sorted keys into ranges. `request` builds a `find` with `$in` for each range. If the keys
//    are unique in the target, the batch size is one more than the number of keys. So the server closes the cursor with
//    the first reply.
// 3. `fetch` keeps two ranges in flight, or as many as `Settings::in_flight` permits. A separate task reads each range
//    and decodes its batches. In a transaction, only one range is in flight, because a session runs one statement at a
//    time.
// 4. `fetch` reads the key of each document, even inside arrays, and looks up the key's number in `key_index`. Replies
//    are usually in the order of the keys, so the search starts at the key of the previous document. The document is
//    decoded directly from the bytes of the batch. The decoder is a function that the builder has chosen
//    (`value::decode`), so that this code is compiled only once, without type parameters.
// 5. `placement` groups documents by key number with a counting sort. The sort does not move the documents themselves.
// 6. The result's method `of(owner)` reads the keys of the owner again. `joined_owner` compares each key with the next
//    one in the order of the join, and searches for the key only if the two differ.
//
// Statements depend only on the keys and on `Settings::split_from`, not on other activity in the process. For 2,000
// keys or more, splitting is faster on both idle and busy servers. Between 128 and 2,000 keys, splitting saves a
// quarter of the time on an idle server, but takes a tenth longer on a busy one. So the default of `split_from` is
// 2,000.
//
// The files, from the bottom up:
//
// - Keys: `key_number`, `distinct_keys`, `key_ranges`, `key_index` (finds the number of a key), `key_collector`,
//   `owner_keys` (the owners' keys), `joined_owner` (reads the keys of one owner again after the join).
// - Statements: `request` (a `find`), `element_condition` (conditions on the array element that contains the key),
//   `fetched_documents` (the reply), `fetch` (sends the ranges), `limit_each_aggregation` (a limited number of
//   documents for each key).
// - Results: `relation_name` (the relation as a type), `slot`, `absence` (missing or unmatched), `placement` (assigns
//   documents to positions), `joined`.
// - Builders: `load` (the state that all builders share, without type parameters), `statement_choice` (whether the
//   server or the library sorts and limits), `load_result`, `query` (common methods), `load_many`, `load_one`,
//   `load_polymorphic` (several models), `join`, `count`, `count_each`. `has_many` reads the keys for a relation that
//   is stored on the other side.
mod absence;
mod count;
mod count_each;
mod distinct_keys;
mod element_condition;
mod fetch;
mod fetched_documents;
mod has_many;
mod join;
mod joined;
mod joined_owner;
mod key_collector;
mod key_index;
mod key_number;
mod key_ranges;
mod limit_each_aggregation;
mod load;
mod load_many;
mod load_one;
mod load_polymorphic;
mod load_result;
mod owner_keys;
mod placement;
mod query;
mod relation_name;
mod request;
mod slot;
mod statement_choice;

pub use count::CountRelated;
pub use count_each::{CountEach, Counts};
pub use has_many::owner_keys;
pub(crate) use has_many::stored_key;
pub use join::Join;
pub use joined::Joined;
pub use load_many::LoadMany;
pub use load_one::LoadOne;
pub use load_polymorphic::{LoadAll, LoadsAll};
#[doc(hidden)]
pub use load_polymorphic::{LoadTarget, LoadsTo};
pub use query::{Each, Many, ManyDocuments, One, RelationQuery};
#[doc(hidden)]
pub use relation_name::name;
pub use relation_name::{Related, Unnamed};
pub use slot::Slot;

use std::marker::PhantomData;

use mongodb::bson::Document;

use crate::{
    client::odm::{Exec, Executor},
    error::{EncodeError, Result},
    model::{derive_traits::Described, reference::Leads, shape::ModelShape},
    query::filter::RelationScope,
};
use load::{Form, Load};
use owner_keys::{KeysOf, OwnerKeys};

/// A relation that connects owners of type `O`, through references of type `L`, with the documents of one model.
///
/// The derive emits one `Relation` for every reference and every `has_many`. The generated methods `load_*`, `join_*`
/// and `count_*` call the methods of this `Relation`. `R` is the type that represents the relation's name; see
/// [`relation!`](crate::relation!).
#[doc(hidden)]
pub struct Relation<O, L, R = Unnamed> {
    name: &'static str,
    keys: KeysOf<O>,
    path: fn() -> String,
    sort: Option<fn() -> Document>,
    filter: Option<fn() -> Result<RelationScope>>,
    named: PhantomData<fn() -> (L, R)>,
}

impl<O, L, R> Clone for Relation<O, L, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O, L, R> Copy for Relation<O, L, R> {}

impl<O, L, R> std::fmt::Debug for Relation<O, L, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Relation({})", self.name)
    }
}

impl<O, L, R> Relation<O, L, R> {
    /// Describes a relation by its name (`Product.parts`), a function that reads the keys of an owner, and the stored
    /// path of the target's field with which the keys are compared.
    #[doc(hidden)]
    pub const fn new(name: &'static str, keys: KeysOf<O>, path: fn() -> String) -> Self {
        Self {
            name,
            keys,
            path,
            sort: None,
            filter: None,
            named: PhantomData,
        }
    }

    /// Sets the default order for all loads and joins. A `sort` in the call replaces this order.
    #[doc(hidden)]
    #[must_use]
    pub const fn sorted(mut self, sort: fn() -> Document) -> Self {
        self.sort = Some(sort);
        self
    }

    /// Restricts all loads, joins and counts to the documents that match a filter.
    #[doc(hidden)]
    #[must_use]
    pub const fn filtered(mut self, filter: fn() -> Result<RelationScope>) -> Self {
        self.filter = Some(filter);
        self
    }

    /// Returns the name, for example `Product.parts`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the stored path of the target's field with which the keys are compared.
    pub fn path(&self) -> String {
        (self.path)()
    }
}

impl<O, L: Leads, R> Relation<O, L, R> {
    /// Returns a builder that loads the documents that `owner` refers to.
    #[doc(alias("populate", "include"))]
    #[track_caller]
    pub fn load_many(&self, owner: &O, odm: &(impl Executor + ?Sized)) -> LoadMany<L::Target> {
        LoadMany::new(self.load_for_owner(Form::Many, owner, odm), Many)
    }

    /// Returns a builder that loads the single document that `owner` refers to.
    #[track_caller]
    pub fn load_one(&self, owner: &O, odm: &(impl Executor + ?Sized)) -> LoadOne<L::Target> {
        LoadOne::new(self.load_for_owner(Form::One, owner, odm), One)
    }

    /// Returns a builder that loads the documents that many owners refer to.
    #[doc(alias("populate", "include", "preload", "with"))]
    #[track_caller]
    pub fn join<'a>(
        &self,
        owners: impl IntoIterator<Item = &'a O>,
        odm: &(impl Executor + ?Sized),
    ) -> Join<O, L::Target, R>
    where
        O: 'a,
    {
        let mut joined = 0;
        let owners = owners.into_iter().inspect(|_| joined += 1);
        let keys = OwnerKeys::read(self.keys, owners);
        let load = self.load(Form::Each, keys, odm.exec());
        self.count_joins(joined, &load.exec);
        Join::new(load, Each(self.keys, PhantomData))
    }

    /// Returns a builder that loads, for each of many owners, the single document that the owner refers to.
    #[track_caller]
    pub fn join_one<'a>(
        &self,
        owners: impl IntoIterator<Item = &'a O>,
        odm: &(impl Executor + ?Sized),
    ) -> Join<O, L::Target, R>
    where
        O: 'a,
    {
        self.join(owners, odm).single()
    }

    /// Returns a builder that counts the documents that `owner` refers to.
    #[track_caller]
    pub fn count(&self, owner: &O, odm: &(impl Executor + ?Sized)) -> CountRelated<L::Target> {
        let keys = OwnerKeys::read(self.keys, [owner]);
        CountRelated::new(self.load(Form::Many, keys, odm.exec()))
    }

    #[track_caller]
    fn load_for_owner(&self, form: Form, owner: &O, odm: &(impl Executor + ?Sized)) -> Load {
        let load = self.load(form, OwnerKeys::read(self.keys, [owner]), odm.exec());
        self.count_joins(1, &load.exec);
        load
    }

    fn load(&self, form: Form, keys: Result<OwnerKeys, EncodeError>, exec: Exec) -> Load {
        let load = Load::new(form, self.name, (L::Target::SHAPE, self.path()), keys, exec);
        load.with_declared(
            self.filter.map(|filter| filter()),
            self.sort.map(|sort| sort()),
        )
    }

    fn count_joins(&self, owners: usize, exec: &Exec) {
        count_joins((self.name, self.path), L::Target::SHAPE, owners, exec);
    }
}

/// Adds a join to the handle's statistics. `odm-tools` uses these statistics to recommend copies that would make joins
/// unnecessary.
fn count_joins(
    (relation, path): (&'static str, fn() -> String),
    target: &'static ModelShape,
    owners: usize,
    exec: &Exec,
) {
    let owner = relation.split('.').next().unwrap_or(relation);
    exec.odm()
        .count_joined(owner, target.documents(), path, owners);
}
