//! Builder returned by `find`.
//!
//! An awaited `find` returns all documents at once. Therefore the library requests the largest first batch that fits
//! into a reply. The server's default batch of 101 documents would cost a second round trip. A stream keeps the
//! default.

use std::future::IntoFuture;

use futures_util::{Stream, StreamExt, TryStreamExt, future::BoxFuture};
use mongodb::{
    bson::{Document, RawDocument},
    options::{FindOptions, ReadConcern},
};
use serde::de::DeserializeOwned;

use super::{Count, Exists, PageOf, rejected_options::check_projection};
use crate::{
    client::{
        command,
        odm::{Exec, Found, Running, traced, traced_stream},
        place::Place,
        plan::Plan,
    },
    error::{Error, Result},
    model::{
        derive_traits::{Described, Projection},
        projection::Projected,
        shape::ModelShape,
    },
    observe::slow_statements::{FindWatch, queried},
    query::{
        filter::{Filter, IntoFilter},
        sort::IntoSort,
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
/// [`Error::Decode`] if a document does not fit the struct; the error contains the collection, the `_id` and the path.
/// [`Error::Encode`] if serde cannot encode an operand. All other errors are reported by the server.
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Find<M, V = M> {
    filter: Filter<M>,
    options: FindOptions,
    projected: Projected,
    strict: bool,
    exec: Exec,
    decode: Decode<V>,
}

impl<M: Described> Find<M> {
    pub(crate) fn new(exec: Exec) -> Self {
        Self {
            filter: Filter::all(),
            options: FindOptions::default(),
            projected: Projected::default(),
            strict: false,
            exec,
            decode: Decode::with_reader(M::__odm_read_document),
        }
    }

    /// Reads only the fields of a projection: `.select::<PartName>()`.
    pub fn select<V: Projection<M>>(self) -> Find<M, V> {
        let decode = Decode::with_reader(V::__odm_read_projected);
        self.projected(Projected::of_type::<M, V>(None), V::__ODM_STRICT, decode)
    }

    /// Reads the fields that a plain projection document selects, and decodes them as a type of your choice.
    pub fn project<V: DeserializeOwned + Send + 'static>(self, projection: Document) -> Find<M, V> {
        self.projected(
            Projected {
                document: Some(projection),
                strip: None,
            },
            false,
            Decode::serde(),
        )
    }

    fn projected<V>(self, projected: Projected, strict: bool, decode: Decode<V>) -> Find<M, V> {
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
            strict,
            exec,
            decode,
        }
    }
}

impl<M: Described, V: Send + 'static> Find<M, V> {
    /// Returns only the documents that match the filter. If you set several filters, they are combined with "and".
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// Sorts the documents. A second sort orders the documents that the first sort considers equal.
    pub fn sort(mut self, sort: impl IntoSort<M>) -> Self {
        let sort = sort.into_sort().into_document();
        self.options.sort.get_or_insert_default().extend(sort);
        self
    }

    /// Returns at most this many documents. As in the driver, 0 means no limit.
    pub fn limit(mut self, documents: usize) -> Self {
        self.options.limit = Some(i64::try_from(documents).unwrap_or(i64::MAX));
        self
    }

    /// Skips this many documents. The server still reads the skipped documents; [`page`](Self::page) avoids that.
    pub fn skip(mut self, documents: usize) -> Self {
        self.options.skip = Some((documents as u64).min(i64::MAX.unsigned_abs()));
        self
    }

    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference);

    pub(super) const fn options_mut(&mut self) -> &mut FindOptions {
        &mut self.options
    }

    /// Reads all batches from one snapshot. If a transaction changes several copies, you see either all of its changes
    /// or none.
    ///
    /// This method has no effect in a transaction, because a transaction reads from a snapshot anyway. The server
    /// keeps a snapshot for five minutes. Snapshots require a replica set.
    pub fn snapshot(mut self) -> Self {
        if !self.exec.in_transaction() {
            self.options.read_concern = Some(ReadConcern::snapshot());
        }
        self
    }

    /// Changes any option of the driver's `find`, except the projection. To set a projection, use
    /// [`select`](Self::select) or [`project`](Self::project).
    pub fn options(mut self, change: impl FnOnce(&mut FindOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// Returns the statements that the call would send, as mongosh text. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] if serde cannot encode an operand.
    pub fn plan(self) -> Result<Plan> {
        let (find, _, exec) = self.into_parts()?;
        exec.plan_read(find)
    }

    /// Streams the documents from a single cursor.
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
    pub fn batches(self, size: usize) -> impl Stream<Item = Result<Vec<V>>> + Send + 'static {
        self.stream()
            .try_chunks(size.max(1))
            .map(|batch| batch.map_err(|failed| failed.1))
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
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "parts")]
    /// # struct Part {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Part>,
    /// #     name: String,
    /// #     qty: i64,
    /// #     price: f64,
    /// # }
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "products")]
    /// # struct Product {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Product>,
    /// #     #[refs(many)]
    /// #     parts: Vec<Id<Part>>,
    /// # }
    /// use futures_util::TryStreamExt;
    ///
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let mut batches = std::pin::pin!(Product::find(&odm).join_batches(1_000, {
    ///     let odm = odm.clone();
    ///     move |products| Product::join_parts(products, &odm)
    /// }));
    /// while let Some((products, parts)) = batches.try_next().await? {
    ///     for product in &products {
    ///         println!("{}", parts.of(product).len());
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
    pub fn count(self) -> Count<M> {
        Count::new(self.filter, self.options, self.exec)
    }

    /// Returns whether any document matches, instead of the documents themselves.
    pub fn exists(self) -> Exists<M> {
        Exists::new(self.filter, self.options, self.exec)
    }

    /// Reads one page of `size` documents. Inserts and deletes do not shift the following pages.
    pub fn page(self, size: u32) -> PageOf<M, V> {
        PageOf::new(
            self.filter,
            self.options,
            (self.projected.document, self.strict),
            size,
            self.exec,
            self.decode,
        )
    }

    /// Returns the command, the decoder for the documents, and the exec that runs the command.
    pub(super) fn into_parts(self) -> Result<(command::FindCommand, Decode<V>, Exec)> {
        let (filter, projection) = (self.filter.into_document(), self.projected.document);
        let find = find(M::SHAPE, filter, self.options, projection)?;
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
        // The batch has room for one more document than the limit, so that the server closes the cursor with the first
        // batch.
        options.batch_size = u32::try_from(limit.unsigned_abs() + 1).ok();
    }
    let filter = filter.map_err(|error| error.in_model(model))?;
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

/// Reads and decodes documents. Only the decoding is compiled separately for each type.
pub(super) async fn read<V: Send>(
    (model, operation): (&'static ModelShape, &'static str),
    parts: Result<(command::FindCommand, Decode<V>, Exec)>,
) -> Result<Vec<V>> {
    let (find, decode, exec) = parts.map_err(|error| error.in_model(model))?;
    let mut documents = Vec::new();
    let mut found = |collection: &str, raw: &RawDocument| {
        documents.push(decode.decode(collection, raw)?);
        Ok(())
    };
    in_span((model, operation), find, exec, &mut found).await?;
    Ok(documents)
}

/// Reads documents inside the `tracing` span of an operation.
fn in_span<'a>(
    (model, operation): (&'static ModelShape, &'static str),
    find: command::FindCommand,
    exec: Exec,
    found: &'a mut Found<'_>,
) -> BoxFuture<'a, Result<()>> {
    traced(model, operation, find_each(find, exec, found))
}

/// Passes each document to `found`, and counts the copies in the documents for the statistics.
pub(super) async fn find_each(
    find: command::FindCommand,
    exec: Exec,
    found: &mut Found<'_>,
) -> Result<()> {
    let reads = queried(&find, &exec);
    let looking = FindWatch::look_at_find(&find, &exec);
    let mut found = |collection: &str, raw: &RawDocument| {
        looking.see(raw);
        found(collection, raw)
    };
    let documents = exec.find(find, &mut found).await?;
    looking.end(documents);
    reads.add(documents);
    Ok(())
}
