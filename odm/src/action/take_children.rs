//! Builder returned by `take_..`, which makes several documents refer to one document.

use std::collections::HashSet;

use mongodb::{
    bson::{Bson, doc},
    options::UpdateOptions,
};

use super::{get::encoded_id, with_model, write_builder::prepared_update};
use crate::{
    client::odm::{Exec, Executor},
    derived::follow::FanOut,
    error::Result,
    model::{
        array_bound::Bound,
        derive_traits::{AsId, Described, Storable},
        reference::Leads,
        shape::{FieldShape, ModelShape, find_field},
    },
    query::{field::FieldOf, maintained::Stamp},
    relation::stored_key,
    value::key::JoinKey,
    write::{self, BoundedUpdate, Taker},
};

/// A write that makes several documents refer to this document: `kate.take_tasks(&odm, [write, teach])`.
///
/// The derive generates the method for an array whose `inverse` is a single reference. You pass the ids of the
/// documents. The call stores this document's key in all of them or in none.
///
/// # Sends
///
/// One transaction:
///
/// 1. a `find` for the documents by `_id`;
/// 2. if the array has a `max`, an `aggregate` that counts the documents that already refer to this document;
/// 3. for the other documents, the statements of an [`UpdateMany`](super::UpdateMany): an `update`, a `find`, and one
///    `update` for the arrays of the old targets and of this document.
///
/// If copies depend on the reference, the transaction also contains the statements that update these copies. Documents
/// that already refer to this document are not written. Nothing is sent for an empty list of ids.
///
/// # Index
///
/// The call uses the index on the reference. [`sync_indexes`](crate::Odm::sync_indexes) creates this index.
///
/// # Limits
///
/// The library does not check whether this document is stored. A standalone server has no transactions, so an error
/// after the first statement leaves a partial change.
///
/// # Errors
///
/// - [`Error::NotFound`](crate::Error::NotFound) if documents do not exist; the error's filter contains their ids.
/// - [`Error::BoundExceeded`](crate::Error::BoundExceeded) if the array would exceed its `max`.
/// - [`Error::NoTarget`](crate::Error::NoTarget) if a reference that must have a target
///   ([`exists`](derive@crate::Model#required-targets)) is dangling.
/// - [`Error::Encode`](crate::Error::Encode), and errors from the server.
///
/// If the call fails with one of the first three errors, nothing was written. After `NotFound` or `BoundExceeded`,
/// your own transaction can continue.
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/owner_models.txt")]
/// # async fn example(odm: Odm, kate: Person, write: Id<Task>, teach: Id<Task>) -> mongo_odm::Result<()> {
/// let report = kate.take_tasks(&odm, [write, teach]).await?;
/// assert_eq!(report.matched, 2);
/// # Ok(()) }
/// ```
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct Take {
    write: Result<write::TakeWrite>,
    options: UpdateOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl Take {
    /// Returns the write that makes several documents refer to `owner`.
    #[doc(hidden)]
    #[track_caller]
    pub fn new<L: Leads, O: Storable>(
        owner: &O,
        array: impl FieldOf<O>,
        reference: &'static str,
        ids: impl IntoIterator<Item: AsId<L::Target>>,
        odm: &(impl Executor + ?Sized),
    ) -> Self {
        let ids = ids
            .into_iter()
            .map(|id| encoded_id::<L::Target>(id.as_id()));
        let target = L::Target::SHAPE;
        let reference = find_field(target.fields, reference);
        let once = each_once(ids);
        let exec = odm.exec();
        let write = once.and_then(|ids| write(owner, array, (target, reference), ids, &exec));
        Self {
            write: write.map_err(with_model::<L::Target>),
            options: UpdateOptions::default(),
            fan_out: FanOut::default(),
            exec,
        }
    }
}

prepared_update!(Take: write::TakeWrite, "take");

/// Builds the write that stores the key of `owner` in the documents with the given ids.
fn write<O: Storable>(
    owner: &O,
    array: impl FieldOf<O>,
    (target, reference): (&'static ModelShape, Option<&'static FieldShape>),
    ids: Vec<Bson>,
    exec: &Exec,
) -> Result<write::TakeWrite> {
    let key = stored_key(owner, reference).map_err(with_model::<O>)?;
    let path = reference.map_or_else(String::new, |field| field.stored.to_owned());
    let set = doc! { "$set": { &path: &key } };
    let (all, options) = (doc! {}, UpdateOptions::default());
    let stamp = Stamp::of_change(target, exec)?;
    let update = BoundedUpdate::new(target, all, set.into(), options, stamp)?;
    let taker = Taker {
        model: O::SHAPE,
        bound: array.shape().and_then(|shape| shape.max).map(|max| Bound {
            path: array.path(),
            max,
        }),
        path,
        key,
    };
    Ok(write::TakeWrite { update, ids, taker })
}

/// Removes repeated ids. The other ids keep their order.
fn each_once(ids: impl Iterator<Item = Result<Bson>>) -> Result<Vec<Bson>> {
    let mut seen = HashSet::new();
    let mut once = Vec::new();
    for id in ids {
        let id = id?;
        if seen.insert(JoinKey::from(id.clone())) {
            once.push(id);
        }
    }
    Ok(once)
}
