//! Builder returned by `find`.
//!
//! An awaited `find` returns all documents at once. Therefore the library requests the largest first batch that fits
//! into a reply. The server's default batch of 101 documents would cost a second round trip. A stream keeps the
//! default.

mod documents;

use futures_util::{Stream, StreamExt, TryStreamExt};
use mongodb::{
    bson::Document,
    options::{FindOptions, ReadConcern},
};
use serde::de::DeserializeOwned;

pub(super) use documents::{find_each, read};

use super::{Count, Exists, rejected_options::check_projection};
use crate::{
    client::{
        command,
        odm::{Exec, Running, traced_stream},
        place::{Place, visibility_setters},
        plan::Plan,
    },
    error::{Error, Result},
    model::{
        derive_traits::{Described, Projection},
        projection::{Projected, ProjectedBy},
        shape::ModelShape,
    },
    observe::slow_statements::{FindWatch, queried},
    query::{
        filter::{Filter, IntoFilter},
        sort::IntoSort,
        text::check_score,
    },
    relation::Joined,
    setters::option_setters,
    value::decode::Decode,
};

/// A query: `Product::find(&odm).filter(..).sort(..).limit(10)`.
///
/// See the example at [`Documents::find`](crate::Documents::find).
///
/// # Sends
///
/// One `find`. If the result exceeds 16 MB, the driver reads further batches, each of which takes one round trip. As in
/// the driver, a [`stream`](Self::stream) starts with a batch of 101 documents.
///
/// # Index
///
/// The server can use an index on the fields in the filter, followed by the fields in the sort.
///
/// # Errors
///
/// [`Error::Decode`] if a document does not match the struct; the error contains the collection, the `_id` and the
/// path. [`Error::Encode`] if serde cannot encode an operand. All other errors are reported by the server.
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Find<M, V = M> {
    pub(super) filter: Filter<M>,
    pub(super) options: FindOptions,
    pub(super) projected: Projected,
    pub(super) by: ProjectedBy,
    pub(super) exec: Exec,
    pub(super) decode: Decode<V>,
}

impl<M: Described> Find<M> {
    pub(crate) fn new(exec: Exec) -> Self {
        Self {
            filter: Filter::all(),
            options: FindOptions::default(),
            projected: Projected::default(),
            by: ProjectedBy::Struct,
            exec,
            decode: Decode::with_reader(M::__odm_read_document),
        }
    }

    /// Reads only the fields of a projection: `.select::<PartName>()`.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// #[derive(Deserialize, Projection)]
    /// #[projection(of = Book)]
    /// struct Title {
    ///     title: String,
    /// }
    ///
    /// let titles: Vec<Title> = Book::find(&odm).select().await?;
    /// # Ok(()) }
    /// ```
    pub fn select<V: Projection<M>>(self) -> Find<M, V> {
        let decode = Decode::with_reader(V::__odm_read_projected);
        let by = ProjectedBy::of_struct(V::__ODM_STRICT);
        self.projected(Projected::of_type::<M, V>(None), by, decode)
    }

    /// Reads the fields that a plain projection document selects, and decodes them as a type of your choice.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// #[derive(Deserialize)]
    /// struct Title {
    ///     title: String,
    /// }
    ///
    /// let titles: Vec<Title> = Book::find(&odm)
    ///     .project(doc! { "_id": 0, "title": 1 })
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn project<V: DeserializeOwned + Send + 'static>(self, projection: Document) -> Find<M, V> {
        self.projected(
            Projected {
                document: Some(projection),
                strip: None,
            },
            ProjectedBy::Document,
            Decode::serde(),
        )
    }

    pub(super) fn projected<V>(
        self,
        projected: Projected,
        by: ProjectedBy,
        decode: Decode<V>,
    ) -> Find<M, V> {
        let Self {
            filter,
            options,
            exec,
            ..
        } = self;
        Find {
            filter,
            options,
            projected,
            by,
            exec,
            decode,
        }
    }
}

impl<M: Described, V: Send + 'static> Find<M, V> {
    /// Returns only the documents that match the filter. If you set several filters, they are combined with "and".
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// let books = Book::find(&odm).filter(book.sold.gt(1_000)).await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// Sorts the documents. A second sort orders the documents that the first sort considers equal.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// let best_sellers = Book::find(&odm)
    ///     .sort(book.sold.desc().then(book.id.asc()))
    ///     .limit(10)
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn sort(mut self, sort: impl IntoSort<M>) -> Self {
        let sort = sort.into_sort().into_document();
        self.options.sort.get_or_insert_default().extend(sort);
        self
    }

    /// Returns at most this many documents. As in the driver, 0 means no limit. See the example at
    /// [`sort`](Self::sort).
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let best = Book::find(&odm).sort(Book::fields().sold.desc()).limit(10).await?;
    /// # Ok(()) }
    /// ```
    pub fn limit(mut self, documents: usize) -> Self {
        self.options.limit = Some(command::limit_of(documents));
        self
    }

    /// Skips this many documents. The server still reads the skipped documents; [`page`](Self::page) avoids that.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let title = Book::fields().title;
    /// let second_ten = Book::find(&odm).sort(title.asc()).skip(10).limit(10).await?;
    /// # Ok(()) }
    /// ```
    pub fn skip(mut self, documents: usize) -> Self {
        self.options.skip = Some(command::skip_of(documents));
        self
    }

    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference);

    pub(super) const fn options_mut(&mut self) -> &mut FindOptions {
        &mut self.options
    }

    visibility_setters!(M in exec);

    /// Reads all batches from one snapshot. If a transaction changes several copies, you see either all of its changes
    /// or none.
    ///
    /// This method has no effect in a transaction, because a transaction reads from a snapshot anyway. The server
    /// keeps a snapshot for five minutes. Snapshots require a replica set.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// // An import that commits a book in the meantime is seen either as a whole or not at all.
    /// let books = Book::find(&odm).snapshot().await?;
    /// # Ok(()) }
    /// ```
    pub fn snapshot(mut self) -> Self {
        if !self.exec.in_transaction() {
            self.options.read_concern = Some(ReadConcern::snapshot());
        }
        self
    }

    /// Changes any option of the driver's `find`, except the projection. To set a projection, use
    /// [`select`](Self::select) or [`project`](Self::project).
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<Vec<Book>> {
    /// Book::find(&odm).options(|options| options.batch_size = Some(50)).await
    /// # }
    /// ```
    pub fn options(mut self, change: impl FnOnce(&mut FindOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// Returns the statements that the call would send, in mongosh syntax. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] if serde cannot encode an operand.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let plan = Book::find(&odm).filter(Book::fields().sold.gt(10)).plan()?;
    /// assert_eq!(plan.to_string(), "db.books.find({ sold: { $gt: NumberLong(\"10\") } })");
    /// # Ok(()) }
    /// ```
    pub fn plan(self) -> Result<Plan> {
        let (find, _, exec) = self.into_parts()?;
        exec.plan_read(find)
    }

    /// Streams the documents from a single cursor.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use futures_util::TryStreamExt;
    ///
    /// let mut books = std::pin::pin!(Book::find(&odm).stream());
    /// while let Some(book) = books.try_next().await? {
    ///     println!("{}", book.title);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn stream(self) -> impl Stream<Item = Result<V>> + Send + 'static {
        let documents = futures_util::stream::once(async move {
            let (find, decode, exec) = self.into_parts()?;
            let (collection, reads) = (M::SHAPE.collection, queried(&find, &exec));
            let looking = FindWatch::look_at_find(&find, &exec);
            Ok::<_, Error>(exec.stream(find, move |raw| {
                reads.add(1);
                looking.see(raw);
                decode.decode(collection, raw)
            }))
        });
        traced_stream(M::SHAPE, "find", documents.try_flatten())
    }

    /// Streams the documents in batches of `size`. The last batch can be smaller.
    ///
    /// You can combine the stream with joins: `Product::join_parts(&batch, &odm)` sends one `find` for each batch.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use futures_util::TryStreamExt;
    ///
    /// let mut batches = std::pin::pin!(Book::find(&odm).batches(500));
    /// while let Some(books) = batches.try_next().await? {
    ///     println!("{} books", books.len());
    /// }
    /// # Ok(()) }
    /// ```
    pub fn batches(self, size: usize) -> impl Stream<Item = Result<Vec<V>>> + Send + 'static {
        // `try_chunks` would allocate memory for the size at once.
        let documents = Box::pin(self.stream().fuse());
        futures_util::stream::try_unfold(documents, move |mut documents| async move {
            let batch: Vec<V> = documents.by_ref().take(size.max(1)).try_collect().await?;
            Ok((!batch.is_empty()).then_some((batch, documents)))
        })
    }

    /// Streams the documents in batches of `size`. Each item also contains the related documents, which `join` reads.
    ///
    /// # Sends
    ///
    /// In addition to the `find` itself, one `find` for the related documents of each batch.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// use futures_util::TryStreamExt;
    ///
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let mut batches = std::pin::pin!(Author::find(&odm).join_batches(1_000, {
    ///     let odm = odm.clone();
    ///     move |authors| Author::join_books(authors, &odm)
    /// }));
    /// while let Some((authors, books)) = batches.try_next().await? {
    ///     for author in &authors {
    ///         println!("{} has {} books", author.name, books.of(author).len());
    ///     }
    /// }
    /// # Ok(()) }
    /// ```
    #[doc(alias("populate", "include", "preload", "with"))]
    pub fn join_batches<T, J, R>(
        self,
        size: usize,
        mut join: impl FnMut(&[V]) -> J + Send + 'static,
    ) -> impl Stream<Item = Result<(Vec<V>, Joined<V, T, R>)>> + Send + 'static
    where
        J: IntoFuture<Output = Result<Joined<V, T, R>>>,
        J::IntoFuture: Send + 'static,
        T: Send + 'static,
        R: 'static,
    {
        self.batches(size).and_then(move |batch| {
            let joining = join(&batch).into_future();
            async move { Ok((batch, joining.await?)) }
        })
    }

    /// Returns the number of matching documents instead of the documents themselves.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let sold: u64 = Book::find(&odm)
    ///     .filter(Book::fields().sold.gt(0))
    ///     .count()
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn count(self) -> Count<M> {
        Count::new(self.filter, &self.options, self.exec)
    }

    /// Returns whether any document matches, instead of the documents themselves.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let is_any_sold: bool = Book::find(&odm)
    ///     .filter(Book::fields().sold.gt(0))
    ///     .exists()
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn exists(self) -> Exists<M> {
        Exists::new(self.filter, self.options, self.exec)
    }

    /// Returns the command, the decoder for the documents, and the `Exec` that runs the command.
    pub(super) fn into_parts(self) -> Result<(command::FindCommand, Decode<V>, Exec)> {
        let (filter, projection) = (self.filter.into_document(), self.projected.document);
        let mut find = find(M::SHAPE, filter, self.options, projection)?;
        find.place = self.exec.place(M::SHAPE);
        Ok((find, self.decode, self.exec))
    }
}

/// Builds the command. This function is not generic, so it is compiled only once.
fn find(
    model: &'static ModelShape,
    filter: Result<Document>,
    mut options: FindOptions,
    projection: Option<Document>,
) -> Result<command::FindCommand> {
    check_projection(model.name, &options)?;
    options.projection = projection;
    if let (Some(limit @ (..=-1 | 1..)), None) = (options.limit, options.batch_size) {
        options.batch_size = command::batch_size_for(limit.unsigned_abs());
    }
    let filter = filter.map_err(|error| error.in_model(model))?;
    check_score(model, &filter, &options)?;
    let mut find = command::FindCommand::new(Place::of(model), filter);
    find.options = options;
    Ok(find)
}

impl<M: Described, V: Send + 'static> IntoFuture for Find<M, V> {
    type Output = Result<Vec<V>>;
    type IntoFuture = Running<Vec<V>>;

    fn into_future(self) -> Self::IntoFuture {
        let parts = self.into_parts();
        // Requests the largest batch that fits into a reply, instead of the server's default of 101 documents.
        let parts = parts.map(|(find, decode, exec)| (find.all(), decode, exec));
        Box::pin(read((M::SHAPE, "find"), parts))
    }
}
