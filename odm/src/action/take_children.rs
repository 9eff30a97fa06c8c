//! Gives documents to an owner, whosever they were.

use std::collections::HashSet;

use mongodb::{
    bson::{Bson, doc},
    options::UpdateOptions,
};

use super::{get::encoded_id, with_model, write_builder::write_builder};
use crate::{
    client::odm::{Exec, Executor},
    derived::follow::{CopyOptions, FanOut},
    error::Result,
    model::{
        array_bound::Bound,
        derive_traits::{AsId, Described, Storable},
        reference::Leads,
        shape::{FieldShape, ModelShape, find_field},
    },
    query::field::FieldOf,
    relation::stored_key,
    setters::option_setters,
    value::key::JoinKey,
    write::{self, BoundedUpdate, Taker, UpdateReport},
};

/// Gives documents to an owner, whosever they were: all of them, or none.
///
/// `kate.take_tasks(&odm, [write, teach])` is generated for an array that follows a single reference; it takes the ids
/// of the documents, and an id that comes twice counts once. Awaiting it sends in one transaction a `find` of these
/// documents by `_id`; for an array with a `max` an aggregation that counts those that the owner has; and for documents
/// with another owner what an [`UpdateMany`](super::UpdateMany) of the reference sends: an `update`, a `find`, and one
/// `update` of the owner and of all that were it. Copies cost what they cost there. It wants an index on the reference,
/// which [`sync_indexes`](crate::Odm::sync_indexes) makes.
///
/// Documents that the owner has already are not written, and no ids at all send nothing. The report counts all
/// documents as matched, and as modified those that had another owner. Whether the owner itself is stored is not asked,
/// no more than an update of the reference asks.
///
/// # Errors
///
/// [`Error::Missing`](crate::Error::Missing) with the ids of documents that are not there, and
/// [`Error::BoundExceeded`](crate::Error::BoundExceeded) with the number of documents that the owner would have; both
/// before anything is written, so that a transaction of the caller may go on. [`Error::Encode`](crate::Error::Encode), and
/// what the driver reports. A standalone server has no transactions: what fails there after the first write stays half
/// done.
/// [`Error::NoTarget`](crate::Error::NoTarget) for a reference that [must not lead
/// nowhere](derive@crate::Model#references-that-must-not-lead-nowhere), with nothing written.
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct Take {
    write: Result<write::TakeWrite>,
    options: UpdateOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl Take {
    /// Puts the key of an owner into a reference of documents, which its array follows.
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
        let write = once.and_then(|ids| write(owner, array, (target, reference), ids));
        Self {
            write: write.map_err(with_model::<L::Target>),
            options: UpdateOptions::default(),
            fan_out: FanOut::default(),
            exec: odm.exec(),
        }
    }

    option_setters!(comment, write_concern);

    const fn options_mut(&mut self) -> &mut UpdateOptions {
        &mut self.options
    }

    fn into_write(self) -> Result<(write::TakeWrite, Exec)> {
        let mut write = self.write?;
        write.update.options = self.options;
        write.update.fan_out = self.fan_out;
        Ok((write, self.exec))
    }
}

write_builder!([] Take: write::TakeWrite => UpdateReport, "take");

impl CopyOptions for Take {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

/// Takes the documents out of typed operands.
fn write<O: Storable>(
    owner: &O,
    array: impl FieldOf<O>,
    (target, reference): (&'static ModelShape, Option<&'static FieldShape>),
    ids: Vec<Bson>,
) -> Result<write::TakeWrite> {
    let key = stored_key(owner, reference).map_err(with_model::<O>)?;
    let path = reference.map_or_else(String::new, |field| field.stored.to_owned());
    let set = doc! { "$set": { &path: &key } };
    let update = BoundedUpdate::new(target, doc! {}, set.into(), UpdateOptions::default())?;
    let taker = Taker {
        model: O::SHAPE,
        relation: format!("{}.{}", O::SHAPE.name, array.path()),
        bound: array.shape().and_then(|shape| shape.max).map(|max| Bound {
            path: array.path(),
            max,
        }),
        path,
        key,
    };
    Ok(write::TakeWrite { update, ids, taker })
}

/// Keeps each id once, in their order.
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
