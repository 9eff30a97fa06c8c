//! Gives documents to an owner, whosever they were.

use std::collections::HashSet;

use mongodb::{
    bson::{Bson, doc},
    options::UpdateOptions,
};

use super::{about, get::encoded_id, write_builder::write_builder};
use crate::{
    bound::Bound,
    described::{AsId, Described, Storable},
    effects::{CopyOptions, FanOut},
    error::Result,
    field::FieldOf,
    key::JoinKey,
    odm::{Exec, Executor},
    relation::stored_key,
    setters::option_setters,
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
    /// Puts the key of an owner into the references of documents, which its array follows. The ids name `D`, the model of
    /// these documents again, so that a reference that is wrong is the only error.
    #[track_caller]
    pub fn new<O: Storable, T: Storable, D: Described>(
        owner: &O,
        array: impl FieldOf<O>,
        reference: impl FieldOf<T>,
        ids: impl IntoIterator<Item: AsId<D>>,
        odm: &(impl Executor + ?Sized),
    ) -> Self {
        let ids = ids.into_iter().map(|id| encoded_id::<D>(id.as_id()));
        let write = each_once(ids).and_then(|ids| write(owner, array, reference, ids));
        Self {
            write: write.map_err(about::<T>),
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
        write.fan_out = self.fan_out;
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
fn write<O: Storable, T: Storable>(
    owner: &O,
    array: impl FieldOf<O>,
    reference: impl FieldOf<T>,
    ids: Vec<Bson>,
) -> Result<write::TakeWrite> {
    let key = stored_key(owner, reference.shape()).map_err(about::<O>)?;
    let path = reference.path();
    let set = doc! { "$set": { &path: &key } };
    let update = BoundedUpdate::new(T::SHAPE, doc! {}, set.into(), UpdateOptions::default())?;
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
    Ok(write::TakeWrite {
        update,
        ids,
        taker,
        fan_out: FanOut::default(),
    })
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
