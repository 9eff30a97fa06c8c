//! The builder that loads and joins have in common.

use std::marker::PhantomData;

use mongodb::{bson::Document, options::FindOptions};
use serde::de::DeserializeOwned;

use super::{load::Load, owner_keys::KeysOf};
use crate::{
    client::{
        odm::{Running, traced_relation},
        plan::Plan,
    },
    error::Result,
    model::{
        derive_traits::{Described, HasFields, Path, Projection, Queried},
        projection::Projected,
    },
    query::{
        field::{ArrayElements, EmbedType, Field, FieldOf},
        filter::{ElementFields, ElementFilter, IntoFilter, RelationFilter},
        sort::IntoSort,
    },
    setters::option_setters,
    value::{decode::Decode, key::JoinKey},
};

/// A query over a relation to documents of `T`, read as `V`: what [`LoadMany`](super::LoadMany),
/// [`LoadOne`](super::LoadOne) and [`Join`](super::Join) have in common.
#[must_use = "a load or a join is sent when it is awaited"]
pub struct RelationQuery<F, T, V = T> {
    pub(super) load: Load,
    pub(super) decode: Decode<V>,
    pub(super) form: F,
    target: PhantomData<fn() -> T>,
}

/// The form of [`LoadOne`](super::LoadOne): the one document that a document refers to.
#[derive(Debug)]
pub struct One;

/// The form of [`LoadMany`](super::LoadMany): the documents that a document refers to.
#[derive(Debug)]
pub struct Many;

/// The form of [`Join`](super::Join): the documents that each of many owners `O` refers to.
pub struct Each<O, R>(pub(super) KeysOf<O>, pub(super) PhantomData<fn() -> R>);

/// The forms that hand over several documents.
#[diagnostic::on_unimplemented(
    message = "this relation leads to one document, which has no order",
    label = "one document",
    note = "`sort` and `require_all` belong to `#[refs(many)]`, `has_many` and joins"
)]
pub trait ManyDocuments: sealed::Sealed {}

impl ManyDocuments for Many {}
impl<O, R> ManyDocuments for Each<O, R> {}

/// What a relation is that nobody has awaited.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the documents of this relation are not loaded yet",
    label = "a query",
    note = "write `.await?` after the call that loads them, and ask its result"
)]
pub trait LoadedAlready {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Many {}
    impl<O, R> Sealed for super::Each<O, R> {}
}

impl<F, T: Described> RelationQuery<F, T> {
    pub(super) const fn new(load: Load, form: F) -> Self {
        Self {
            load,
            decode: Decode::with_reader(T::__odm_read_document),
            form,
            target: PhantomData,
        }
    }

    /// Loads only the fields of a projection: `.select::<PartName>()`.
    pub fn select<V: Projection<T>>(self) -> RelationQuery<F, T, V> {
        let decode = Decode::with_reader(V::__odm_read_projected);
        self.projected(|path| Ok(Projected::of_type::<T, V>(Some(path))), decode)
    }

    /// Loads by a plain projection document, into any type. The join key is added to it.
    pub fn project<V: DeserializeOwned + Send + 'static>(
        self,
        projection: Document,
    ) -> RelationQuery<F, T, V> {
        let decode = Decode::serde();
        self.projected(|path| Projected::plain(projection, Some(path)), decode)
    }

    /// No call of a query, for the words of the compiler.
    #[doc(hidden)]
    pub fn of<A>(&self, _: A)
    where
        Self: LoadedAlready,
    {
    }

    fn projected<V>(
        self,
        plan: impl FnOnce(&str) -> Result<Projected>,
        decode: Decode<V>,
    ) -> RelationQuery<F, T, V> {
        RelationQuery {
            load: self.load.project(plan),
            decode,
            form: self.form,
            target: PhantomData,
        }
    }
}

impl<F, T: Described, V: Send + 'static> RelationQuery<F, T, V> {
    pub(super) fn change_load(mut self, change: impl FnOnce(Load) -> Load) -> Self {
        self.load = change(self.load);
        self
    }

    /// Runs it in the span of an operation.
    pub(super) fn run<A, R>(
        self,
        operation: &'static str,
        run: impl FnOnce(Load, Decode<V>) -> R,
    ) -> Running<A>
    where
        R: Future<Output = Result<A>> + Send + 'static,
    {
        let about = self.load.request.relation_and_model();
        traced_relation(about, operation, run(self.load, self.decode))
    }

    /// Loads only documents that match a filter. The keys of others are
    /// [`Slot::Unmatched`](super::Slot), as are keys that no document has.
    ///
    /// The filter describes the document as a whole. In a document with keys of several owners, its `elem_match` holds
    /// also if only the element of another owner matches; [`filter_element`](Self::filter_element) is about the
    /// owner's own element.
    pub fn filter(self, filter: impl IntoFilter<T>) -> Self {
        self.change_load(|load| load.filter(filter.into_filter().into_document()))
    }

    /// Loads only documents whose element with the key of the owner fulfils a condition.
    ///
    /// `array` is the array of structs with the keys, and the condition is built from the handles of the struct. A
    /// [`filter`](Self::filter) describes the document as a whole instead: its `elem_match` holds also if only the
    /// element of another owner matches. See [`ElementFilter`](crate::ElementFilter), which declares such a condition
    /// for all loads.
    ///
    /// # Sends
    ///
    /// For the keys of several owners an aggregation in the place of the `find`; it needs `MongoDB` 6.0.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if `array` does not hold the keys, and for a collation of your own
    /// over keys that are strings.
    pub fn filter_element<P, O, A, const I: usize, C, W>(
        self,
        array: Field<T, P, O, A, I, C>,
        condition: impl FnOnce(ElementFields<A>) -> W,
    ) -> Self
    where
        P: Path + Queried,
        O: HasFields + 'static,
        A: ArrayElements<Item: EmbedType<Embedded: 'static>> + 'static,
        Field<T, P, O, A, I, C>: FieldOf<T>,
        W: IntoFilter<<A::Item as EmbedType>::Embedded>,
    {
        let element = ElementFilter::new(array, condition).into_scope();
        self.change_load(|load| load.scoped(element))
    }

    /// Changes any option of the driver's `find`.
    ///
    /// Sort, skip, limit and projection are refused here, and have methods of their own; the library keeps the batch
    /// size. A collation of your own applies to
    /// the comparison of string keys too; what it finds too much is dropped, and limits apply after that.
    /// Where an aggregation is sent, for a limit of each owner or a count, it has those options that
    /// aggregations have.
    pub fn options(self, change: impl FnOnce(&mut FindOptions)) -> Self {
        self.change_load(|mut load| {
            change(&mut load.request.options);
            load
        })
    }

    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference);

    const fn options_mut(&mut self) -> &mut FindOptions {
        &mut self.load.request.options
    }

    /// Returns what will be sent, as mongosh text; nothing where there are no keys.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode) and [`Error::Invalid`](crate::Error::Invalid), as awaiting it would.
    pub fn plan(self) -> Result<Plan> {
        let (_, target) = self.load.request.relation_and_model();
        self.load.plan().map_err(|error| error.in_model(target))
    }

    /// Returns the keys that no document has, sorted, whatever the filter: one `find` that brings
    /// back keys alone.
    ///
    /// # Errors
    ///
    /// What the driver reports.
    pub async fn missing(self) -> Result<Vec<JoinKey>> {
        let about = self.load.request.relation_and_model();
        traced_relation(about, "missing", self.load.missing()).await
    }
}

impl<F, T: Described, V: Send + 'static> RelationQuery<F, T, V> {
    /// Orders the documents by their fields instead of by the stored references; those of an owner
    /// appear once each then. It takes the place of an order that the relation declares, and of a sort before.
    ///
    /// All keys go into one statement, because the server sorts their documents as a whole.
    pub fn sort(self, sort: impl IntoSort<T>) -> Self
    where
        F: ManyDocuments,
    {
        self.change_load(|load| load.sort(sort.into_sort().into_document()))
    }

    /// Makes the call fail if a key leads to no document: with [`Error::Missing`](crate::Error::Missing),
    /// and after a filter with [`Error::Unmatched`](crate::Error::Unmatched).
    pub fn require_all(mut self) -> Self
    where
        F: ManyDocuments,
    {
        self.load.require_all = true;
        self
    }
}
