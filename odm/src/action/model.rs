//! The calls of a model: those that read, which an enum over several kinds has as well, and those that write.

use mongodb::{Collection, bson::Document};
use serde::de::DeserializeOwned;

use super::{
    Aggregate, Count, Delete, Distinct, Exists, Find, FindOne, FindOneAndUpdate, Get, Insert, Save,
    UpdateMany, UpdateOne, Upsert, by_id,
};
use crate::{
    client::odm::{Executor, Odm},
    model::derive_traits::{AsId, Described, Storable},
    query::{
        field::{FieldOf, Queried},
        filter::IntoFilter,
    },
};

/// The calls of a [`Model`], and of an enum over several kinds of documents in one collection
/// ([`SingleCollection`](derive@crate::SingleCollection)); derived.
///
/// Both have the calls that read. Only models have the calls that write: a document is written by the model of its kind.
///
/// # Arguments
///
/// The first argument is the handle or a transaction: `&odm`, `&tx`. The other arguments follow one rule:
///
/// - A call that reads has no filter as an argument. Its filter is a method, and without it all documents match:
///   `Product::find(&odm).filter(..)`, also of `find_one`, `count`, `exists` and `distinct`. A second `filter` is
///   combined with the first by "and".
/// - A call that writes has its filter as an argument: `Product::update_many(&odm, filter)`, also of `delete_many`,
///   `find_one_and_update` and `upsert`. A write to all documents is explicit: `Product::delete_many(&odm, doc! {})`.
/// - A call about one document has its id as an argument: `get`, `update` and `delete`.
/// - `distinct` and `aggregate` have an argument without which they have no meaning: the field and the pipeline.
pub trait Documents: Described {
    /// Gets the document with an id: one `find` on `_id`; no document is an error.
    #[track_caller]
    fn get(odm: &(impl Executor + ?Sized), id: impl AsId<Self>) -> Get<Self> {
        Get::new(id.as_id(), odm.exec())
    }

    /// Finds documents: one `find`, and further batches of up to 16 MB.
    #[track_caller]
    fn find(odm: &(impl Executor + ?Sized)) -> Find<Self> {
        Find::new(odm.exec())
    }

    /// Finds the first document that matches, or none: one `find`.
    #[track_caller]
    fn find_one(odm: &(impl Executor + ?Sized)) -> FindOne<Self> {
        Self::find(odm).first()
    }

    /// Counts documents: one aggregation on the server.
    #[track_caller]
    fn count(odm: &(impl Executor + ?Sized)) -> Count<Self> {
        Self::find(odm).count()
    }

    /// Returns whether a document matches: one `find` that reads an `_id`.
    #[track_caller]
    fn exists(odm: &(impl Executor + ?Sized)) -> Exists<Self> {
        Self::find(odm).exists()
    }

    /// Lists the distinct values of a field: one `distinct`.
    #[track_caller]
    fn distinct<F, V>(odm: &(impl Executor + ?Sized), field: F) -> Distinct<Self, V>
    where
        F: FieldOf<Self, Value = V, Place: Queried>,
        V: Send + 'static,
    {
        Distinct::new(field, odm.exec())
    }

    /// Runs an aggregation on the collection and decodes its documents as `T`: one `aggregate`.
    #[track_caller]
    fn aggregate<T: DeserializeOwned + Send + 'static>(
        odm: &(impl Executor + ?Sized),
        pipeline: impl IntoIterator<Item = Document>,
    ) -> Aggregate<T> {
        Aggregate::new(Self::SHAPE, pipeline.into_iter().collect(), odm.exec())
    }

    /// Inserts the document: one `insert`.
    #[track_caller]
    fn insert(&self, odm: &(impl Executor + ?Sized)) -> Insert
    where
        Self: Storable,
    {
        Insert::one(self, odm.exec())
    }

    /// Inserts documents: one `insert` for each 100,000 documents or 48 MB.
    #[track_caller]
    fn insert_many<'a>(
        odm: &(impl Executor + ?Sized),
        documents: impl IntoIterator<Item = &'a Self>,
    ) -> Insert
    where
        Self: Storable,
    {
        Insert::many(documents, odm.exec())
    }

    /// Writes the whole document over the stored one, or inserts it: one `update` on `_id`.
    #[track_caller]
    fn save(&self, odm: &(impl Executor + ?Sized)) -> Save
    where
        Self: Storable,
    {
        Save::new(self, true, odm.exec())
    }

    /// Writes the whole document over the stored one, if there is one: one `update` on `_id`.
    #[track_caller]
    fn replace(&self, odm: &(impl Executor + ?Sized)) -> Save
    where
        Self: Storable,
    {
        Save::new(self, false, odm.exec())
    }

    /// Updates the document with an id: one `update`.
    #[track_caller]
    fn update(odm: &(impl Executor + ?Sized), id: impl AsId<Self>) -> UpdateOne<Self>
    where
        Self: Storable,
    {
        UpdateOne::new(by_id::<Self>(id.as_id()), odm.exec())
    }

    /// Updates all documents that match: one `update`.
    #[track_caller]
    fn update_many(
        odm: &(impl Executor + ?Sized),
        filter: impl IntoFilter<Self>,
    ) -> UpdateMany<Self>
    where
        Self: Storable,
    {
        UpdateMany::new(filter.into_filter(), odm.exec())
    }

    /// Updates the first document that matches and returns it: one `findAndModify`.
    #[track_caller]
    fn find_one_and_update(
        odm: &(impl Executor + ?Sized),
        filter: impl IntoFilter<Self>,
    ) -> FindOneAndUpdate<Self>
    where
        Self: Storable,
    {
        FindOneAndUpdate::new(filter.into_filter(), odm.exec())
    }

    /// Updates the document that matches, or inserts it: one `update`.
    #[track_caller]
    fn upsert(odm: &(impl Executor + ?Sized), filter: impl IntoFilter<Self>) -> Upsert<Self>
    where
        Self: Storable,
    {
        Upsert::new(filter.into_filter(), odm.exec())
    }

    /// Deletes the document with an id: one `delete`.
    #[track_caller]
    fn delete(odm: &(impl Executor + ?Sized), id: impl AsId<Self>) -> Delete<Self>
    where
        Self: Storable,
    {
        Delete::new(by_id::<Self>(id.as_id()), false, odm.exec())
    }

    /// Deletes all documents that match: one `delete`.
    #[track_caller]
    fn delete_many(odm: &(impl Executor + ?Sized), filter: impl IntoFilter<Self>) -> Delete<Self>
    where
        Self: Storable,
    {
        Delete::new(filter.into_filter(), true, odm.exec())
    }
}

#[diagnostic::do_not_recommend]
impl<M: Described> Documents for M {}

/// A struct that is stored as the documents of a collection; derived.
///
/// The derive is documented at [`derive@crate::Model`]; the calls are those of [`Documents`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `{Self}`; an enum over several kinds is read \
            alone: what writes takes the model of a kind"
)]
pub trait Model: Documents + Storable {
    /// Returns the id of the document.
    fn id(&self) -> &Self::Id {
        self.stored_id()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Documents + Storable> Model for M {}

impl Odm {
    /// Returns the driver's handle of the collection of a model: everything the driver can do.
    ///
    /// It knows the collection alone: reads through it are not limited to the model's kind, and writes
    /// bypass bounds and copies.
    pub fn collection<M: Model>(&self) -> Collection<M> {
        self.database().collection(M::SHAPE.collection)
    }
}
