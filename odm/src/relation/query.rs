//! The builder for loads and joins, and the methods that they have in common.

use std::marker::PhantomData;

use mongodb::{bson::Document, options::FindOptions};
use serde::de::DeserializeOwned;

use super::{load::Load, owner_keys::KeysOf};
use crate::{
    client::{
        odm::{Running, traced_relation},
        place::visibility_setters,
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

/// The builder of a load or a join. [`LoadMany`](super::LoadMany), [`LoadOne`](super::LoadOne) and
/// [`Join`](super::Join) are aliases of this type.
///
/// `F` is the form of the result, `T` is the target model, and `V` is the type into which the documents are decoded.
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/part_models.txt")]
/// #[derive(Debug, Deserialize, Projection)]
/// #[projection(of = "Part")]
/// struct PartName {
///     name: String,
/// }
///
/// # async fn example(odm: Odm, products: Vec<Product>) -> mongo_odm::Result<()> {
/// let names = || {
///     Product::join_parts(&products, &odm)
///         .filter(Part::fields().name.ne("bolt"))
///         .sort(Part::fields().name.asc())
///         .options(|find| find.no_cursor_timeout = Some(true))
///         .select::<PartName>()
/// };
/// println!("{}", names().plan()?); // sends nothing
/// let names = names().await?;
/// for product in &products {
///     println!("{}: {:?}", product.name, names.of(product).next());
/// }
/// // `project` can return any type, for example raw documents.
/// let parts: Vec<mongo_odm::bson::Document> = products[0].load_parts(&odm).project(doc! { "name": 1 }).await?;
/// # Ok(()) }
/// ```
#[must_use = "a load or a join is sent when it is awaited"]
pub struct RelationQuery<F, T, V = T> {
    pub(super) load: Load,
    pub(super) decode: Decode<V>,
    pub(super) form: F,
    target: PhantomData<fn() -> T>,
}

/// The form of a [`LoadOne`](super::LoadOne): the only related document of one owner.
#[derive(Debug)]
pub struct One;

/// The form of a [`LoadMany`](super::LoadMany): the related documents of one owner.
#[derive(Debug)]
pub struct Many;

/// The form of a [`Join`](super::Join): the related documents of many owners of type `O`.
pub struct Each<O, R>(pub(super) KeysOf<O>, pub(super) PhantomData<fn() -> R>);

/// The forms that can contain several documents.
#[diagnostic::on_unimplemented(
    message = "this relation leads to one document, which has no order",
    label = "one document",
    note = "`sort` and `require_all` belong to `#[refs(many)]`, `has_many` and joins"
)]
pub trait ManyDocuments: sealed::Sealed {}

impl ManyDocuments for Many {}
impl<O, R> ManyDocuments for Each<O, R> {}

/// A trait that no builder implements. The trait's compiler message explains a missing `.await`.
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
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, author: Author) -> mongo_odm::Result<()> {
    /// #[derive(Deserialize, Projection)]
    /// #[projection(of = Book)]
    /// struct Title {
    ///     title: String,
    /// }
    ///
    /// let titles = author.load_books(&odm).select::<Title>().await?;
    /// # Ok(()) }
    /// ```
    pub fn select<V: Projection<T>>(self) -> RelationQuery<F, T, V> {
        let decode = Decode::with_reader(V::__odm_read_projected);
        self.projected(|path| Ok(Projected::of_type::<T, V>(Some(path))), decode)
    }

    /// Loads only the fields that a plain projection document selects, and decodes them as a type of your choice. The
    /// library adds the join key to the projection.
    ///
    /// # Errors
    ///
    /// The call fails with [`Error::Invalid`](crate::Error::Invalid) if the projection excludes or computes the join
    /// key.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, author: Author) -> mongo_odm::Result<()> {
    /// #[derive(Deserialize)]
    /// struct Title {
    ///     title: String,
    /// }
    ///
    /// let titles: Vec<Title> = author.load_books(&odm).project(doc! { "title": 1 }).await?;
    /// # Ok(()) }
    /// ```
    pub fn project<V: DeserializeOwned + Send + 'static>(
        self,
        projection: Document,
    ) -> RelationQuery<F, T, V> {
        let decode = Decode::serde();
        self.projected(|path| Projected::plain(projection, Some(path)), decode)
    }

    /// Cannot be called. Only the result of the builder has a method `of`, so the compiler message explains the missing
    /// `.await`.
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

    /// Runs the builder inside the `tracing` span of an operation.
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

    /// Loads only the documents that match a filter. If the filter matches no document with a given key, the slot for
    /// this key is [`Slot::Unmatched`](super::Slot), whether or not such a document exists.
    ///
    /// The filter applies to the whole document. If documents contain the keys of several owners, an `elem_match` in
    /// the filter can also match an element that contains another owner's key. For a condition on the owner's own
    /// element, use [`filter_element`](Self::filter_element).
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, author: Author) -> mongo_odm::Result<()> {
    /// let books = author.load_books(&odm).filter(Book::fields().sold.gt(10)).await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(self, filter: impl IntoFilter<T>) -> Self {
        self.change_load(|load| load.filter(filter.into_filter().into_document()))
    }

    /// Loads only documents in which the array element that contains the owner's key matches a condition.
    ///
    /// `array` is the array of structs that contains the keys. The condition uses the field handles of that struct. In
    /// contrast, a [`filter`](Self::filter) applies to the whole document: an `elem_match` in the filter can also match
    /// an element that contains another owner's key. To declare such a condition for all loads of a relation, use
    /// [`ElementFilter`](crate::ElementFilter).
    ///
    /// # Sends
    ///
    /// If there are several keys, the call sends an aggregation instead of a `find`. This aggregation requires MongoDB
    /// 6.0.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if `array` does not contain the keys, or if you set a collation and
    /// the keys are strings.
    ///
    /// # Examples
    ///
    /// See [`ElementFilter`](crate::ElementFilter).
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

    /// Changes options of the driver's `find`.
    ///
    /// # Limits
    ///
    /// - Sort, skip, limit and projection are rejected, because they have their own methods. The library sets the batch
    ///   size.
    /// - A collation also affects the comparison of string keys. If the server then returns documents that have other
    ///   keys, the library drops these documents, and applies limits afterwards.
    /// - If the library sends an aggregation, for example for `limit_each` or for a count, the aggregation uses only
    ///   the options that aggregations support.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, books: Vec<Book>) -> mongo_odm::Result<()> {
    /// let authors = Book::join_author(&books, &odm)
    ///     .options(|options| options.allow_partial_results = Some(true))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn options(self, change: impl FnOnce(&mut FindOptions)) -> Self {
        self.change_load(|mut load| {
            change(&mut load.request.options);
            load
        })
    }

    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference);
    option_setters!(@ in load.request.options: FindOptions);

    visibility_setters!(T in load.request);

    /// Returns the statements that the call would send, in mongosh syntax. Without any keys, the plan is empty. Sends
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode) and [`Error::Invalid`](crate::Error::Invalid), in the same cases as the
    /// call itself.
    ///
    /// # Examples
    ///
    /// See [`Plan`](crate::Plan).
    pub fn plan(self) -> Result<Plan> {
        let (_, target) = self.load.request.relation_and_model();
        self.load.plan().map_err(|error| error.in_model(target))
    }

    /// Returns the sorted keys for which no document exists. This method ignores the filter, and sends one `find` that
    /// returns only keys.
    ///
    /// # Errors
    ///
    /// Errors from the driver.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/part_models.txt")]
    /// # async fn example(odm: Odm, product: Product) -> mongo_odm::Result<()> {
    /// let missing = product.load_parts(&odm).missing().await?;
    /// println!("{} parts do not exist", missing.len());
    /// # Ok(()) }
    /// ```
    pub async fn missing(self) -> Result<Vec<JoinKey>> {
        let about = self.load.request.relation_and_model();
        traced_relation(about, "missing", self.load.missing()).await
    }
}

impl<F, T: Described, V: Send + 'static> RelationQuery<F, T, V> {
    /// Sorts the documents by their fields instead of by the order of the stored references. The result contains each
    /// document of an owner only once.
    ///
    /// This sort replaces an earlier one and the order that the relation declares. All keys are sent in one statement,
    /// because the server sorts all documents together.
    ///
    /// # Errors
    ///
    /// The call fails with [`Error::TooManyKeys`](crate::Error::TooManyKeys) if the keys do not fit into one statement.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/log_models.txt")]
    /// # async fn example(odm: Odm, host: Host) -> mongo_odm::Result<()> {
    /// let newest = host
    ///     .load_messages(&odm)
    ///     .sort(LogMsg::fields().time.desc())
    ///     .limit(10)
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn sort(self, sort: impl IntoSort<T>) -> Self
    where
        F: ManyDocuments,
    {
        self.change_load(|load| load.sort(sort.into_sort().into_document()))
    }

    /// Makes the call fail if a document is missing. The error is [`Error::Missing`](crate::Error::Missing), or
    /// [`Error::Unmatched`](crate::Error::Unmatched) if the call or its relation has a filter, or if the target has
    /// `#[deleted_at]`.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/part_models.txt")]
    /// # async fn example(odm: Odm, product: Product) -> mongo_odm::Result<()> {
    /// use mongo_odm::Error;
    ///
    /// match product.load_parts(&odm).require_all().await {
    ///     Err(Error::Missing { keys, .. }) => println!("{} parts do not exist", keys.len()),
    ///     parts => println!("{} parts", parts?.len()),
    /// }
    /// # Ok(()) }
    /// ```
    pub fn require_all(mut self) -> Self
    where
        F: ManyDocuments,
    {
        self.load.require_all = true;
        self
    }
}
