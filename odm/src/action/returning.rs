//! Writes that return the stored document.

use std::marker::PhantomData;

use mongodb::bson::{Bson, Document, RawDocument};

use super::{Find, FindOne};
use crate::{
    client::{
        id_order::id_of,
        odm::{Exec, Running, into_future},
        place::Place,
        plan::Plan,
    },
    error::Result,
    model::{
        derive_traits::Described,
        shape::{Maintained, ModelShape},
    },
    query::filter::Filter,
    value::key::equality,
};

/// A write that returns the stored document: `task.insert(&odm).returning()`, `task.save(&odm).returning()`,
/// `Task::update(&odm, id).set(..).returning()`.
///
/// # Sends
///
/// After an insert or a save, a `find` on `_id` reads the document from the primary. If the write is part of a
/// transaction, so is the `find`. An update is sent as a [`FindOneAndUpdate`](super::FindOneAndUpdate) instead, which
/// returns the document itself.
///
/// # Errors
///
/// The errors of the write. If only the `find` fails, the write remains stored.
/// [`Error::NotFound`](crate::Error::NotFound) if an update matches no document, or if another program has deleted the
/// document after the write.
#[must_use = "a write is sent when it is awaited"]
#[derive(Debug)]
pub struct Returning<W, M> {
    write: W,
    of: PhantomData<fn() -> M>,
}

/// A write of one document that can return the stored document.
pub trait ReturnsDocument<M>: Send + 'static {
    /// Sends the write, and returns the stored document.
    #[doc(hidden)]
    fn run(self) -> Running<M>;

    /// Returns the statements of the write and of the `find`.
    #[doc(hidden)]
    fn plan(self) -> Result<Plan>;
}

impl<W, M> Returning<W, M> {
    pub(super) const fn new(write: W) -> Self {
        let of = PhantomData;
        Self { write, of }
    }
}

impl<W: ReturnsDocument<M>, M> Returning<W, M> {
    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        self.write.plan()
    }
}

into_future!([W: ReturnsDocument<M>, M] Returning<W, M> => M, |it| it.write.run());

/// Finds the document that a write has stored. If the document cannot be encoded, the write fails before the filter is
/// used.
pub(super) fn find_written<M: Described>(
    document: Option<&RawDocument>,
    exec: &Exec,
) -> FindOne<M> {
    let filter = document.map_or_else(
        || equality("_id", Bson::Null),
        |document| filter_of_written(M::SHAPE, document),
    );
    find_stored(filter.into(), exec)
}

/// Returns the filter for a written document. The filter contains those parts of the shard key that the write stores
/// unchanged.
pub(super) fn filter_of_written(model: &'static ModelShape, document: &RawDocument) -> Document {
    let id = id_of(document).unwrap_or_default();
    if model.hooks.is_some() {
        return equality("_id", id);
    }
    let mut filter = Place::live(model).filter_of_document(id, document);
    for (field, kind) in model.maintained() {
        let is_tenant = matches!(kind, Maintained::Tenant(_));
        if !is_tenant || filter.get(field.stored) == Some(&Bson::Null) {
            filter.remove(field.stored);
        }
    }
    filter
}

/// Finds a document after a write. The query also finds a write that other servers do not have yet.
pub(super) fn find_stored<M: Described>(filter: Filter<M>, exec: &Exec) -> FindOne<M> {
    let mut find = Find::new(exec.after_write()).filter(filter).first();
    exec.read_latest(find.options_mut());
    find
}
