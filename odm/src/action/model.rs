//! The traits `Documents` and `Model`, which provide the methods of a model.
//!
//! An enum over several kinds has only the methods that read. The methods that write require `Storable`, which the
//! derive implements only for models.

use mongodb::{Collection, bson::Document};
use serde::de::DeserializeOwned;

use super::{
    Aggregate, Count, Delete, Distinct, Exists, Find, FindOne, FindOneAndUpdate, Get, GetOrCreate,
    Group, Insert, Restore, Save, UpdateMany, UpdateOne, Upsert, Watch, by_id,
    save_changes::save_changes,
};
use crate::{
    client::odm::{Executor, Odm},
    model::{
        SoftDelete,
        derive_traits::{AsId, Described, HasFields, Storable},
    },
    query::{
        field::{FieldOf, InDocuments, Queried},
        filter::IntoFilter,
    },
};

/// The methods of a [`Model`], and of an enum over several kinds of documents in one collection.
///
/// The derives [`Model`](derive@crate::Model) and [`SingleCollection`](derive@crate::SingleCollection) implement this
/// trait. Models and enums both have the methods that read. Only models have the methods that write, so each document
/// is written through the model of its kind.
///
/// Each method returns a builder, which sends nothing until it is awaited. `plan()` returns the statements that the
/// builder would send, as text.
///
/// # Arguments
///
/// The first argument is the handle, `&odm`, or a transaction, `&tx`. The other arguments depend on the method:
///
/// - For a method that reads, you set the filter on the builder: `Product::find(&odm).filter(..)`. The same applies to
///   `find_one`, `count`, `exists` and `distinct`. Without a filter, all documents match. If you set several filters,
///   they are combined with "and".
/// - A method that writes takes its filter as an argument: `Product::update_many(&odm, filter)`. The same applies to
///   `delete_many`, `find_one_and_update` and `upsert`. Deleting all documents must be explicit:
///   `Product::delete_many(&odm, doc! {}).everything()`.
/// - A method for a single document takes the document's id as an argument: `get`, `update` and `delete`.
/// - `distinct` takes the field as an argument, and `aggregate` takes the pipeline.
// The compiler quotes the first line of a function if a call has too many arguments. The comment in that line shows
// which method of the builder accepts such an argument instead.
pub trait Documents: Described {
    /// Reads the document that has the given id.
    ///
    /// # Sends
    ///
    /// One `find` on `_id`.
    ///
    /// # Index
    ///
    /// The call uses the index on `_id`.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) if no document has the id. See [`Get`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Book>) -> mongo_odm::Result<()> {
    /// let book = Book::get(&odm, id).await?;
    /// # Ok(()) }
    /// ```
    #[doc(alias("find_by_id", "find_by_pk", "get_by_id"))]
    #[track_caller]
    fn get(odm: &(impl Executor + ?Sized), id: impl AsId<Self>) -> Get<Self> {
        Get::new(id.as_id(), odm.exec())
    }

    /// Reads all documents that match the filter.
    ///
    /// # Sends
    ///
    /// One `find`. If the result exceeds 16 MB, the driver reads further batches, each of which takes one round trip.
    ///
    /// # Index
    ///
    /// The server can use an index on the fields in the filter, followed by the fields in the sort.
    ///
    /// # Errors
    ///
    /// See [`Find`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let books = Book::find(&odm)
    ///     .filter(Book::fields().sold.gt(1_000))
    ///     .sort(Book::fields().title.asc())
    ///     .await?;
    /// # Ok(()) }
    /// ```
    #[doc(alias("all", "find_all", "find_many", "list"))]
    #[track_caller]
    fn find(odm: &(impl Executor + ?Sized)) -> Find<Self> /* then `.filter(..)` */ {
        Find::new(odm.exec())
    }

    /// Reads the first document that matches the filter. Returns `None` if no document matches.
    ///
    /// # Sends
    ///
    /// One `find` with a limit of 1.
    ///
    /// # Index
    ///
    /// The server can use an index on the fields in the filter, followed by the fields in the sort.
    ///
    /// # Errors
    ///
    /// See [`FindOne`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::find_one(&odm).filter(Book::fields().title.eq("Fair Play")).await?;
    /// assert!(book.is_some());
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn find_one(odm: &(impl Executor + ?Sized)) -> FindOne<Self> /* then `.filter(..)` */ {
        Self::find(odm).first()
    }

    /// Counts the documents that match the filter.
    ///
    /// # Sends
    ///
    /// One `aggregate`, like the driver's `count_documents`.
    ///
    /// # Index
    ///
    /// The server can use an index on the fields in the filter. If such an index exists, the server reads no documents.
    ///
    /// # Errors
    ///
    /// See [`Count`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let count = Book::count(&odm).filter(Book::fields().sold.eq(0)).await?;
    /// # Ok(()) }
    /// ```
    #[doc(alias("count_documents", "estimated_document_count"))]
    #[track_caller]
    fn count(odm: &(impl Executor + ?Sized)) -> Count<Self> /* then `.filter(..)` */ {
        Self::find(odm).count()
    }

    /// Checks whether any document matches the filter.
    ///
    /// # Sends
    ///
    /// One `find` with a limit of 1, which returns only an `_id`.
    ///
    /// # Index
    ///
    /// The server can use an index on the fields in the filter.
    ///
    /// # Errors
    ///
    /// See [`Exists`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let is_known = Book::exists(&odm).filter(Book::fields().title.eq("Fair Play")).await?;
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn exists(odm: &(impl Executor + ?Sized)) -> Exists<Self> /* then `.filter(..)` */ {
        Self::find(odm).exists()
    }

    /// Lists the distinct values of a field.
    ///
    /// # Sends
    ///
    /// One `distinct`.
    ///
    /// # Index
    ///
    /// The server can use an index on the field. If such an index exists and the call does not have a filter, the
    /// server reads no documents.
    ///
    /// # Errors
    ///
    /// See [`Distinct`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let titles: Vec<String> = Book::distinct(&odm, Book::fields().title).await?;
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn distinct<F, V>(odm: &(impl Executor + ?Sized), field: F) -> Distinct<Self, V>
    where
        F: FieldOf<Self, Value = V, Place: Queried, Role: InDocuments<Self>>,
        V: Send + 'static,
    {
        Distinct::new(field, odm.exec())
    }

    /// Runs an aggregation on the collection, and decodes the results as `T`.
    ///
    /// # Sends
    ///
    /// One `aggregate`, and one more round trip for each batch of results after the first.
    ///
    /// # Index
    ///
    /// The server can use an index for the first stage of the pipeline, if that stage is a `$match` or a `$sort`.
    ///
    /// # Errors
    ///
    /// See [`Aggregate`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use mongo_odm::bson::Document;
    ///
    /// let pipeline = [doc! { "$group": { "_id": "$author", "sold": { "$sum": "$sold" } } }];
    /// let sold: Vec<Document> = Book::aggregate(&odm, pipeline).await?;
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn aggregate<T: DeserializeOwned + Send + 'static>(
        odm: &(impl Executor + ?Sized),
        pipeline: impl IntoIterator<Item = Document>,
    ) -> Aggregate<T> {
        Aggregate::new(Self::SHAPE, pipeline.into_iter().collect(), odm.exec())
    }

    /// Groups the documents of the model, and decodes each group as a struct `R` that derives `Embedded`.
    ///
    /// # Sends
    ///
    /// One `aggregate`, and one more round trip for each batch of results after the first.
    ///
    /// # Index
    ///
    /// The server can use an index on the fields in the filter. The server reads all documents that match the filter.
    ///
    /// # Errors
    ///
    /// See [`Group`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// #[derive(Debug, Serialize, Deserialize, Embedded)]
    /// struct Sales {
    ///     author: Id<Author>,
    ///     sold: i64,
    /// }
    ///
    /// let book = Book::fields();
    /// let sales = Book::group_into::<Sales>(&odm)
    ///     .by(|row| row.author, book.author)
    ///     .sum(|row| row.sold, book.sold)
    ///     .sort(|row| row.sold.desc())
    ///     .await?;
    /// # Ok(()) }
    /// ```
    #[doc(alias("group", "group_by"))]
    #[track_caller]
    fn group_into<R: HasFields + 'static>(odm: &(impl Executor + ?Sized)) -> Group<Self, R> {
        Group::new(odm.exec())
    }

    /// Opens a change stream of the changes to the model's documents.
    ///
    /// # Sends
    ///
    /// One `aggregate`, and then one `getMore` after another while you read the stream.
    ///
    /// # Errors
    ///
    /// See [`Watch`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use futures_util::TryStreamExt;
    ///
    /// let mut changes = Book::watch(&odm).own_fields().await?;
    /// while let Some(event) = changes.try_next().await? {
    ///     println!("{:?}", event.change);
    /// }
    /// # Ok(()) }
    /// ```
    #[doc(alias("change_stream", "changes", "subscribe"))]
    #[track_caller]
    fn watch(odm: &Odm) -> Watch<Self> /* then `.filter(..)` */ {
        Watch::new(odm.exec())
    }

    /// Inserts the document, and fills in its copies from their sources.
    ///
    /// # Sends
    ///
    /// | model | statements |
    /// |---|---|
    /// | neither contains nor affects derived data | one `insert` |
    /// | contains copies | in a transaction: one `find` for each copied model, then the `insert`; after the commit: the same `find` again |
    /// | source whose fields no document copies yet | in a transaction: the `insert` and one `find` for each reference on which copies depend; after the commit: the same `find` again |
    /// | child in a summary, a recent list or a two-way reference | in a transaction: the `insert` and the statements that update the parent |
    ///
    /// Each transaction also takes a round trip for its commit. For example, inserting a source that is copied through
    /// one reference takes four round trips: `insert`, `find`, `commitTransaction`, `find`. See
    /// [`CopyOptions`](super::CopyOptions) and [the first write](super#the-first-write-of-a-handle).
    ///
    /// # Index
    ///
    /// The call uses an index on each reference that copies depend on. [`Odm::sync_indexes`] creates these indexes.
    ///
    /// # Errors
    ///
    /// See [`Insert`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let author = Author { id: Id::new(), name: "Tove Jansson".into(), books: 0 };
    /// author.insert(&odm).await?;
    /// # Ok(()) }
    /// ```
    #[doc(alias("create", "insert_one"))]
    #[track_caller]
    fn insert(&self, odm: &(impl Executor + ?Sized)) -> Insert<Self>
    where
        Self: Storable,
    {
        Insert::one(self, odm.exec())
    }

    /// Inserts documents, and fills in their copies from the sources.
    ///
    /// # Sends
    ///
    /// For models that have neither copies nor summaries, one `insert` for every 100,000 documents or 48 MB. For other
    /// models, one transaction for every 10,000 documents, which contains the same statements as
    /// [`insert`](Self::insert). Nothing is sent for an empty list.
    ///
    /// # Errors
    ///
    /// [`Error::InsertMany`](crate::Error::InsertMany) if the server rejected documents. See [`Insert`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let names = ["Tove Jansson", "Selma Lagerlöf"];
    /// let authors = names.map(|name| Author { id: Id::new(), name: name.into(), books: 0 });
    /// Author::insert_many(&odm, &authors).await?;
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn insert_many<'a>(
        odm: &(impl Executor + ?Sized),
        documents: impl IntoIterator<Item = &'a Self>,
    ) -> Insert<Vec<Self>>
    where
        Self: Storable,
    {
        Insert::many(documents, odm.exec())
    }

    /// Replaces the stored document, or inserts it if it does not exist.
    ///
    /// # Sends
    ///
    /// One `update` on `_id`. If the model has copies, or if other documents depend on its documents, the call sends a
    /// transaction instead; see [`Save`]. To change individual fields, prefer [`update`](Self::update), because `save`
    /// overwrites concurrent changes to all fields.
    ///
    /// # Index
    ///
    /// The call uses the index on `_id`.
    ///
    /// # Errors
    ///
    /// See [`Save`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Author>) -> mongo_odm::Result<()> {
    /// let mut author = Author::get(&odm, id).await?;
    /// author.name = "T. Jansson".into();
    /// author.save(&odm).await?;
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn save(&self, odm: &(impl Executor + ?Sized)) -> Save<Self>
    where
        Self: Storable,
    {
        Save::new(self, true, odm.exec())
    }

    /// Reads the document again, and returns it. The struct itself does not change.
    ///
    /// After a write, this method returns the values that the library has set: copies, timestamps and the version.
    ///
    /// # Sends
    ///
    /// One `find` on `_id`.
    ///
    /// # Index
    ///
    /// The call uses the index on `_id`.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) if the document no longer exists. See [`Get`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, book: Book) -> mongo_odm::Result<()> {
    /// book.save(&odm).await?;
    /// let book = book.reload(&odm).await?;
    /// println!("{}", book.author_name);
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn reload(&self, odm: &(impl Executor + ?Sized)) -> Get<Self>
    where
        Self: Storable,
    {
        Get::new(self.stored_id(), odm.exec())
    }

    /// Updates the fields in which this struct differs from `before`, which is the struct as your code loaded it.
    ///
    /// In contrast to [`save`](Self::save), the call keeps concurrent changes to the other fields. A changed array or
    /// embedded struct is written as a whole. If a struct contains a field of the shard key, its fields are compared
    /// and written separately. Copies, summaries and maintained fields are not compared. If the model has a
    /// `#[version]`, the stored document must still have the version of `before`.
    ///
    /// Arrays whose elements have a different order differ. The order of a `HashSet` is random, so two equal sets can
    /// differ unless one is a clone of the other. Declare such a field as a `BTreeSet`.
    ///
    /// # Sends
    ///
    /// The statements of an [`update`](Self::update) that sets the changed fields. If no field differs, the call sends
    /// nothing, and `matched` in the report is 0. The filter contains only
    /// the `_id`, because the shard key of `before` can differ from the stored one.
    ///
    /// # Index
    ///
    /// The call uses the index on `_id`.
    ///
    /// # Errors
    ///
    /// - [`Error::Conflict`](crate::Error::Conflict) if the model has a `#[version]`, and the stored document has a
    ///   different version from `before` or no longer exists. Nothing was written.
    /// - [`Error::Invalid`](crate::Error::Invalid) if the two structs have different ids or tenants, and
    ///   [`Error::Validation`](crate::Error::Validation) if this struct violates a rule of `#[model(validate)]`.
    ///   Nothing was sent.
    /// - The errors of [`UpdateOne`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Book>) -> mongo_odm::Result<()> {
    /// let before = Book::get(&odm, id).await?;
    /// let mut book = before.clone();
    /// book.title = "Comet in Moominland".into();
    /// // { $set: { title: "Comet in Moominland" } }
    /// book.save_changes(&odm, &before).await?;
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn save_changes(&self, odm: &(impl Executor + ?Sized), before: &Self) -> UpdateOne<Self>
    where
        Self: Storable,
    {
        save_changes(self, before, odm.exec())
    }

    /// Replaces the stored document. If the document does not exist, nothing is written, and `matched` in the report is
    /// 0.
    ///
    /// # Sends
    ///
    /// The same statements as [`save`](Self::save). If the model has `#[deleted_at]` and no document matches, also one
    /// `find`, which determines whether the document is deleted.
    ///
    /// # Index
    ///
    /// The call uses the index on `_id`.
    ///
    /// # Errors
    ///
    /// See [`Save`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Book>) -> mongo_odm::Result<()> {
    /// let mut book = Book::get(&odm, id).await?;
    /// book.sold = 0;
    /// let report = book.replace(&odm).await?;
    /// assert_eq!(report.matched, 1);
    /// # Ok(()) }
    /// ```
    #[doc(alias("find_one_and_replace", "replace_one"))]
    #[track_caller]
    fn replace(&self, odm: &(impl Executor + ?Sized)) -> Save<Self>
    where
        Self: Storable,
    {
        Save::new(self, false, odm.exec())
    }

    /// Updates the document that has the given id.
    ///
    /// # Sends
    ///
    /// One `update`. If derived data depends on the updated fields, the call sends a transaction instead; see
    /// [`UpdateOne`].
    ///
    /// # Index
    ///
    /// The call uses the index on `_id`.
    ///
    /// # Errors
    ///
    /// See [`UpdateOne`]. If no document has the id, the call succeeds, and `matched` in the report is 0.
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Book>) -> mongo_odm::Result<()> {
    /// let report = Book::update(&odm, id).inc(Book::fields().sold, 1).await?;
    /// assert_eq!(report.matched, 1);
    /// # Ok(()) }
    /// ```
    #[doc(alias("find_by_id_and_update", "update_by_id", "update_one"))]
    #[track_caller]
    #[rustfmt::skip]
    fn update(odm: &(impl Executor + ?Sized), id: impl AsId<Self>) -> UpdateOne<Self> /* then `.set(field, value)` */
    where
        Self: Storable,
    {
        UpdateOne::new(by_id::<Self>(id.as_id()), odm.exec())
    }

    /// Updates all documents that match the filter.
    ///
    /// # Sends
    ///
    /// One `update`. If derived data depends on the updated fields, the call sends one transaction for every 500
    /// documents instead; see [`UpdateMany`].
    ///
    /// # Index
    ///
    /// The server can use an index on the fields in the filter.
    ///
    /// # Errors
    ///
    /// See [`UpdateMany`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let unsold = Book::fields().sold.lt(0);
    /// let report = Book::update_many(&odm, unsold).set(Book::fields().sold, 0).await?;
    /// println!("{} books", report.modified);
    /// # Ok(()) }
    /// ```
    #[track_caller]
    #[rustfmt::skip]
    fn update_many( // then `.set(field, value)`
        odm: &(impl Executor + ?Sized),
        filter: impl IntoFilter<Self>,
    ) -> UpdateMany<Self>
    where
        Self: Storable,
    {
        UpdateMany::new(filter.into_filter(), odm.exec())
    }

    /// Updates the first document that matches the filter, and returns this document.
    ///
    /// # Sends
    ///
    /// One `findAndModify`. If derived data depends on the updated fields, the call sends a transaction instead; see
    /// [`FindOneAndUpdate`].
    ///
    /// # Index
    ///
    /// The server can use an index on the fields in the filter, followed by the fields in the sort.
    ///
    /// # Errors
    ///
    /// See [`FindOneAndUpdate`]. If no document matches, the call does not fail but returns `None`.
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let filter = Book::fields().title.eq("Fair Play");
    /// let book = Book::find_one_and_update(&odm, filter)
    ///     .inc(Book::fields().sold, 1)
    ///     .return_new()
    ///     .await?;
    /// # Ok(()) }
    /// ```
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

    /// Updates one document that matches the filter, or inserts a new document if none matches.
    ///
    /// # Sends
    ///
    /// One `update` with `upsert`. If the model has copies or bounds, or if other documents depend on its documents,
    /// the call sends a transaction instead; see [`Upsert`].
    ///
    /// # Index
    ///
    /// Declare a unique index on the fields in the filter. Without one, two concurrent upserts can insert two
    /// documents.
    ///
    /// # Errors
    ///
    /// See [`Upsert`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let filter = Author::fields().name.eq("Tove Jansson");
    /// let report = Author::upsert(&odm, filter).set_on_insert(Author::fields().id, Id::new()).await?;
    /// println!("{:?}", report.upserted_id);
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn upsert(odm: &(impl Executor + ?Sized), filter: impl IntoFilter<Self>) -> Upsert<Self>
    where
        Self: Storable,
    {
        Upsert::new(filter.into_filter(), odm.exec())
    }

    /// Returns the document that matches the filter. If there is none, inserts `new` and returns it as it is stored.
    ///
    /// # Sends
    ///
    /// One `find` if the document exists. Otherwise, a `find`, the statements of [`insert`](Self::insert), and another
    /// `find`.
    ///
    /// # Index
    ///
    /// The model must declare a unique index, and the filter must compare all fields of this index by equality. The
    /// filter can also compare the `_id`, which is always unique.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the model does not declare such an index. See [`GetOrCreate`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Author>) -> mongo_odm::Result<()> {
    /// let new = Author { id, name: "Tove Jansson".into(), books: 0 };
    /// let author = Author::get_or_create(&odm, Author::fields().id.eq(id), &new).await?;
    /// println!("{}, new: {}", author.document.name, author.is_created);
    /// # Ok(()) }
    /// ```
    #[doc(alias("find_or_create", "first_or_create", "find_or_insert"))]
    #[track_caller]
    fn get_or_create(
        odm: &(impl Executor + ?Sized),
        filter: impl IntoFilter<Self>,
        new: &Self,
    ) -> GetOrCreate<Self>
    where
        Self: Storable,
    {
        GetOrCreate::new(filter.into_filter(), Insert::one(new, odm.exec()))
    }

    /// Deletes the document that has the given id, and applies the delete rules of the references to this document.
    ///
    /// # Sends
    ///
    /// One `delete`. If a reference to the model has a delete rule, or if other documents copy the model's fields, the
    /// call sends a transaction instead; see [`Delete`].
    ///
    /// # Index
    ///
    /// The call uses an index on each reference to the model. [`Odm::sync_indexes`] creates these indexes.
    ///
    /// # Errors
    ///
    /// [`Error::Restricted`](crate::Error::Restricted) if a rule forbids the delete. See [`Delete`].
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Author>) -> mongo_odm::Result<()> {
    /// let report = Author::delete(&odm, id).await?;
    /// assert_eq!(report.deleted, 1);
    /// # Ok(()) }
    /// ```
    #[doc(alias(
        "delete_by_id",
        "delete_one",
        "find_by_id_and_delete",
        "find_one_and_delete",
        "remove"
    ))]
    #[track_caller]
    fn delete(odm: &(impl Executor + ?Sized), id: impl AsId<Self>) -> Delete<Self>
    where
        Self: Storable,
    {
        Delete::new(by_id::<Self>(id.as_id()), false, odm.exec())
    }

    /// Deletes all documents that match the filter, and applies the delete rules of the references to these documents.
    ///
    /// # Sends
    ///
    /// One `delete`. If a reference to the model has a delete rule, or if other documents copy the model's fields, the
    /// call sends one transaction for every 500 documents instead; see [`Delete`].
    ///
    /// # Index
    ///
    /// The server can use an index on the fields in the filter. The call also uses an index on each reference to the
    /// model.
    ///
    /// # Errors
    ///
    /// The errors of [`delete`](Self::delete), and [`Error::Invalid`](crate::Error::Invalid) if the filter is empty and
    /// you did not call [`everything`](Delete::everything).
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let report = Book::delete_many(&odm, Book::fields().sold.eq(0)).await?;
    /// println!("{} books", report.deleted);
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn delete_many(odm: &(impl Executor + ?Sized), filter: impl IntoFilter<Self>) -> Delete<Self>
    where
        Self: Storable,
    {
        Delete::new(filter.into_filter(), true, odm.exec())
    }

    /// Restores a deleted document, together with the children that the same delete has marked or archived.
    ///
    /// The model must have a field with `#[deleted_at]`, or the option `on_delete = "archive"`. A delete of such a
    /// document only sets the field, or moves the document to the archive. Until the document is purged, only the calls
    /// with [`with_deleted`](Find::with_deleted) and [`only_deleted`](Find::only_deleted) return it.
    ///
    /// # Sends
    ///
    /// One `update`. If a reference to the model has `on_delete = "cascade"`, if other documents depend on the
    /// document, or if the model has an archive, the call sends a transaction instead; see [`Restore`].
    ///
    /// # Errors
    ///
    /// The errors of [`Restore`]. In particular, the call fails with
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey) if another document now has the same value as the restored
    /// document in a unique index.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::prelude::*;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tasks")]
    /// struct Task {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Task>,
    ///     title: String,
    ///     #[deleted_at]
    ///     deleted_at: Option<DateTime>,
    /// }
    ///
    /// # async fn example(odm: Odm, id: Id<Task>) -> mongo_odm::Result<()> {
    /// Task::delete(&odm, id).await?;
    /// assert!(!Task::exists(&odm).filter(Task::fields().id.eq(id)).await?);
    ///
    /// let deleted = Task::find(&odm).only_deleted().await?;
    /// println!("{} deleted tasks", deleted.len());
    ///
    /// let report = Task::restore(&odm, id).await?;
    /// assert_eq!(report.restored, 1);
    /// # Ok(()) }
    /// ```
    #[doc(alias("undelete", "recover"))]
    #[track_caller]
    fn restore(odm: &(impl Executor + ?Sized), id: impl AsId<Self>) -> Restore<Self>
    where
        Self: Storable + SoftDelete,
    {
        Restore::new(by_id::<Self>(id.as_id()), odm.exec())
    }

    /// Removes the document that has the given id from the database, even if the model has `#[deleted_at]` or
    /// `on_delete = "archive"`. You need not delete the document first.
    ///
    /// The call applies the delete rules in the same way as a delete for a model that does not keep deleted documents:
    /// `cascade` also removes the children, and `nullify` and `pull` remove the references.
    ///
    /// # Sends
    ///
    /// One `delete`, or a transaction; see [`Delete`].
    ///
    /// # Errors
    ///
    /// The errors of [`delete`](Self::delete).
    ///
    /// # Examples
    ///
    /// See [`purge_many`](Self::purge_many).
    #[doc(alias("hard_delete", "force_delete", "destroy"))]
    #[track_caller]
    fn purge(odm: &(impl Executor + ?Sized), id: impl AsId<Self>) -> Delete<Self>
    where
        Self: Storable + SoftDelete,
    {
        Delete::new(by_id::<Self>(id.as_id()), false, odm.exec()).purging()
    }

    /// Removes all documents that match the filter from the database, both deleted and live documents.
    ///
    /// # Sends
    ///
    /// One `delete`, or one transaction for every 500 documents; see [`Delete`].
    ///
    /// # Errors
    ///
    /// The errors of [`delete_many`](Self::delete_many).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::prelude::*;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tasks")]
    /// struct Task {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Task>,
    ///     title: String,
    ///     #[deleted_at]
    ///     deleted_at: Option<DateTime>,
    /// }
    ///
    /// # async fn example(odm: Odm, a_month_ago: DateTime) -> mongo_odm::Result<()> {
    /// let old = Task::fields().deleted_at.lt(a_month_ago);
    /// let report = Task::purge_many(&odm, old).await?;
    /// println!("{} tasks removed", report.deleted);
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn purge_many(odm: &(impl Executor + ?Sized), filter: impl IntoFilter<Self>) -> Delete<Self>
    where
        Self: Storable + SoftDelete,
    {
        Delete::new(filter.into_filter(), true, odm.exec()).purging()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Described> Documents for M {}

/// A struct for the documents in a collection.
///
/// [`derive@crate::Model`] implements this trait and documents the attributes. [`Documents`] provides the methods.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `{Self}`; an enum over several kinds is read \
            alone: what writes takes the model of a kind"
)]
pub trait Model: Documents + Storable {
    /// Returns the id of the document.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/library_models.txt")]
    /// fn ids<M: Model>(documents: &[M]) -> Vec<&M::Id> {
    ///     documents.iter().map(Model::id).collect()
    /// }
    /// # let _ = ids::<Book>;
    /// ```
    fn id(&self) -> &Self::Id {
        self.stored_id()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Documents + Storable> Model for M {}

impl Odm {
    /// Returns the driver's handle to a model's collection.
    ///
    /// # Limits
    ///
    /// Reads through this handle return documents of all kinds in the collection. Writes through the handle bypass
    /// bounds, copies and delete rules; [`Odm::verify`] finds the resulting differences.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let books = odm.collection::<Book>();
    /// println!("{}", books.estimated_document_count().await?);
    /// # Ok(()) }
    /// ```
    pub fn collection<M: Model>(&self) -> Collection<M> /* `collection::<Book>()` */ {
        self.database().collection(M::SHAPE.collection)
    }
}
