//! Finds documents.

use std::future::IntoFuture;

use futures_util::{Stream, StreamExt, TryStreamExt};
use mongodb::{
    bson::Document,
    options::{FindOptions, ReadConcern},
};
use serde::de::DeserializeOwned;

use super::{Count, Exists, PageOf, about, refused_options::check_projection};
use crate::{
    command,
    copy::Counters,
    decode::Decode,
    described::{Described, Projection},
    error::{Error, Result},
    filter::{Filter, equality},
    odm::{Exec, Running, traced, traced_stream},
    place::Place,
    plan::Plan,
    projection::Projected,
    relation::Joined,
    setters::option_setters,
    shape::ModelShape,
    sort::Sort,
};

/// Finds documents: `Product::find(&odm).filter(..).sort(..).limit(10)`.
///
/// Awaiting it sends one `find` and returns all documents; the driver asks for further batches while
/// there are more than a reply of 16 MB holds. A stream starts with a batch of 101, as in the driver. The
/// filter and the sort decide which index it wants.
///
/// # Errors
///
/// [`Error::Decode`] with the collection, the `_id` and the path of a document that does not fit,
/// [`Error::Encode`] for an operand that cannot be written, and what the driver reports.
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
            decode: Decode::serde(),
        }
    }

    /// Finds only the fields of a projection: `.select::<PartName>()`.
    pub fn select<V: Projection<M>>(self) -> Find<M, V> {
        self.projected(Projected::of::<M, V>(None), V::STRICT)
    }

    /// Finds by a plain projection document, into any type.
    pub fn project<V: DeserializeOwned + Send + 'static>(self, projection: Document) -> Find<M, V> {
        self.projected(
            Projected {
                document: Some(projection),
                strip: None,
            },
            false,
        )
    }

    fn projected<V: DeserializeOwned>(self, projected: Projected, strict: bool) -> Find<M, V> {
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
            decode: Decode::serde(),
        }
    }
}

impl<M: Described, V: Send + 'static> Find<M, V> {
    /// Finds only documents that match; a second filter narrows the first.
    pub fn filter(mut self, filter: impl Into<Filter<M>>) -> Self {
        self.filter = self.filter.and(filter.into());
        self
    }

    /// Orders the documents; a second sort orders what the first leaves equal.
    pub fn sort(mut self, sort: impl Into<Sort<M>>) -> Self {
        let sort = sort.into().into_document();
        self.options.sort.get_or_insert_default().extend(sort);
        self
    }

    /// Finds at most so many documents; 0 means no limit, as in the driver.
    pub fn limit(mut self, documents: usize) -> Self {
        self.options.limit = Some(i64::try_from(documents).unwrap_or(i64::MAX));
        self
    }

    /// Leaves out so many documents at the start; the server still reads them, see
    /// [`page`](Self::page).
    pub fn skip(mut self, documents: usize) -> Self {
        self.options.skip = Some((documents as u64).min(i64::MAX.unsigned_abs()));
        self
    }

    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference);

    const fn options_mut(&mut self) -> &mut FindOptions {
        &mut self.options
    }

    /// Reads all documents as of one moment that a majority has: copies that were written with their
    /// source are all old or all new, however many batches they come in.
    ///
    /// Outside a transaction, which reads a snapshot anyway; the server keeps it for five minutes. It
    /// needs a replica set.
    pub fn snapshot(mut self) -> Self {
        if !self.exec.in_transaction() {
            self.options.read_concern = Some(ReadConcern::snapshot());
        }
        self
    }

    /// Changes any option of the driver's `find`, but for the projection, which is for
    /// [`select`](Self::select) and [`project`](Self::project).
    pub fn options(mut self, change: impl FnOnce(&mut FindOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] for an operand that cannot be written.
    pub fn plan(self) -> Result<Plan> {
        let (find, exec) = self.into_command()?;
        exec.plan_read(find)
    }

    /// Returns the documents as a stream, batch by batch from one cursor.
    pub fn stream(self) -> impl Stream<Item = Result<V>> + Send + 'static {
        let documents = futures_util::stream::once(async move {
            let decode = self.decode;
            let (find, exec) = self.into_command()?;
            let (collection, projection) = (M::SHAPE.collection, find.options.projection.clone());
            let counters = exec.odm().deployment().kept::<Counters>();
            let reads = counters.reads(Some(M::SHAPE.documents()), projection.as_ref());
            Ok::<_, Error>(exec.stream(find, move |raw| {
                reads.add(1);
                decode.whole(collection, raw)
            }))
        });
        traced_stream(M::SHAPE, "find", documents.try_flatten())
    }

    /// Returns the documents as a stream of batches of `size` documents; the last may be smaller.
    ///
    /// Batches suit joins: `Product::join_parts(&batch, &odm)` sends one `find` for each of them.
    pub fn batches(self, size: usize) -> impl Stream<Item = Result<Vec<V>>> + Send + 'static {
        self.stream()
            .try_chunks(size.max(1))
            .map(|batch| batch.map_err(|failed| failed.1))
    }

    /// Returns batches of `size` documents, each with a relation joined to it: one further `find` a
    /// batch.
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
    pub fn join_batches<T, J>(
        self,
        size: usize,
        mut join: impl FnMut(&[V]) -> J + Send + 'static,
    ) -> impl Stream<Item = Result<(Vec<V>, Joined<V, T>)>> + Send + 'static
    where
        J: IntoFuture<Output = Result<Joined<V, T>>>,
        J::IntoFuture: Send + 'static,
        T: Send + 'static,
    {
        self.batches(size).and_then(move |batch| {
            let joining = join(&batch).into_future();
            async move { Ok((batch, joining.await?)) }
        })
    }

    /// Returns the first document.
    pub fn first(self) -> FindOne<M, V> {
        FindOne {
            find: self.limit(1),
        }
    }

    /// Counts the documents instead of finding them.
    pub fn count(self) -> Count<M> {
        Count::new(self.filter, self.options, self.exec)
    }

    /// Asks whether there is a document instead of finding them.
    pub fn exists(self) -> Exists<M> {
        Exists::new(self.filter, self.options, self.exec)
    }

    /// Returns pages of `size` documents that do not shift when documents come and go before them.
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

    fn into_command(self) -> Result<(command::FindCommand, Exec)> {
        let (filter, projection) = (self.filter.into_document(), self.projected.document);
        let find = find(M::SHAPE, filter, self.options, projection)?;
        Ok((find, self.exec))
    }
}

/// Makes the command; compiled once, not for each model.
fn find(
    model: &'static ModelShape,
    filter: Result<Document>,
    mut options: FindOptions,
    projection: Option<Document>,
) -> Result<command::FindCommand> {
    check_projection(model.name, &options)?;
    options.projection = projection;
    if let (Some(limit @ (..=-1 | 1..)), None) = (options.limit, options.batch_size) {
        // One more than can come: the server closes the cursor with the first batch.
        options.batch_size = u32::try_from(limit.unsigned_abs() + 1).ok();
    }
    let filter = filter.map_err(|error| error.about(model))?;
    let mut find = command::FindCommand::new(Place::of(model), filter);
    find.options = options;
    Ok(find)
}

impl<M: Described, V: Send + 'static> IntoFuture for Find<M, V> {
    type Output = Result<Vec<V>>;
    type IntoFuture = Running<Vec<V>>;

    fn into_future(self) -> Self::IntoFuture {
        traced(M::SHAPE, "find", async move {
            let decode = self.decode;
            let (find, exec) = self.into_command()?;
            // As many as a reply holds, instead of the server's first 101.
            read(find.all(), decode, &exec).await
        })
    }
}

/// Finds and decodes documents for the caller, and counts them as reads of the copies in them.
async fn read<V>(find: command::FindCommand, decode: Decode<V>, exec: &Exec) -> Result<Vec<V>> {
    let (place, projection) = (find.place.clone(), find.options.projection.clone());
    let documents = exec.find(find, decode).await?;
    let counters = exec.odm().deployment().kept::<Counters>();
    let reads = counters.reads(place.documents(), projection.as_ref());
    reads.add(documents.len());
    Ok(documents)
}

/// Finds the first document: `Product::find_one(&odm, filter)`.
///
/// Awaiting it sends one `find` with a limit of 1 and returns `None` if nothing matches.
///
/// # Errors
///
/// As [`Find`].
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct FindOne<M, V = M> {
    find: Find<M, V>,
}

impl<M: Described> FindOne<M> {
    /// Finds only the fields of a projection: `.select::<PartName>()`.
    pub fn select<V: Projection<M>>(self) -> FindOne<M, V> {
        FindOne {
            find: self.find.select(),
        }
    }

    /// Finds by a plain projection document, into any type.
    pub fn project<V: DeserializeOwned + Send + 'static>(
        self,
        projection: Document,
    ) -> FindOne<M, V> {
        FindOne {
            find: self.find.project(projection),
        }
    }
}

impl<M: Described, V: Send + 'static> FindOne<M, V> {
    /// Orders the documents of which the first is found.
    pub fn sort(mut self, sort: impl Into<Sort<M>>) -> Self {
        self.find = self.find.sort(sort);
        self
    }

    option_setters!(
        hint,
        collation,
        comment,
        max_time,
        let_vars,
        allow_disk_use,
        read_concern,
        read_preference
    );
    option_setters!(@ any FindOptions);

    const fn options_mut(&mut self) -> &mut FindOptions {
        self.find.options_mut()
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] for an operand that cannot be written.
    pub fn plan(self) -> Result<Plan> {
        let (find, exec) = self.find.into_command()?;
        exec.plan_read(find.first())
    }

    /// Returns the document, or [`Error::NotFound`].
    ///
    /// # Errors
    ///
    /// As awaiting it, and [`Error::NotFound`].
    pub async fn require(self) -> Result<V> {
        traced(M::SHAPE, "find_one", self.found()).await
    }

    async fn found(self) -> Result<V> {
        let decode = self.find.decode;
        let (find, exec) = self.find.into_command()?;
        let filter = find.filter.clone();
        first(find, decode, &exec)
            .await?
            .ok_or_else(|| not_found::<M>(filter))
    }
}

impl<M: Described, V: Send + 'static> IntoFuture for FindOne<M, V> {
    type Output = Result<Option<V>>;
    type IntoFuture = Running<Option<V>>;

    fn into_future(self) -> Self::IntoFuture {
        traced(M::SHAPE, "find_one", async move {
            let decode = self.find.decode;
            let (find, exec) = self.find.into_command()?;
            first(find, decode, &exec).await
        })
    }
}

pub(super) async fn first<V>(
    find: command::FindCommand,
    decode: Decode<V>,
    exec: &Exec,
) -> Result<Option<V>> {
    Ok(read(find.first(), decode, exec).await?.pop())
}

pub(crate) fn not_found<M: Described>(filter: Document) -> Error {
    Error::NotFound {
        model: M::SHAPE.name,
        collection: M::SHAPE.collection,
        filter: Box::new(filter),
    }
}

/// Gets the document with an id: `Part::get(&odm, id)`.
///
/// Awaiting it sends one `find` on `_id`.
///
/// # Errors
///
/// [`Error::NotFound`] if there is none, otherwise as [`Find`].
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Get<M, V = M> {
    find: FindOne<M, V>,
}

impl<M: Described> Get<M> {
    pub(crate) fn new(id: &M::Id, exec: Exec) -> Self {
        Self {
            find: Find::new(exec).filter(by_id::<M>(id)).first(),
        }
    }

    /// Gets only the fields of a projection: `.select::<PartName>()`.
    pub fn select<V: Projection<M>>(self) -> Get<M, V> {
        Get {
            find: self.find.select(),
        }
    }
}

impl<M: Described, V: Send + 'static> Get<M, V> {
    option_setters!(comment, max_time, read_concern, read_preference);
    option_setters!(@ any FindOptions);

    const fn options_mut(&mut self) -> &mut FindOptions {
        self.find.options_mut()
    }

    /// Returns what finds the document, and what reads it.
    pub(super) fn into_parts(self) -> Result<(command::FindCommand, Decode<V>, Exec)> {
        let decode = self.find.find.decode;
        let (find, exec) = self.find.find.into_command()?;
        Ok((find, decode, exec))
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] for an id that cannot be written.
    pub fn plan(self) -> Result<Plan> {
        self.find.plan()
    }
}

impl<M: Described, V: Send + 'static> IntoFuture for Get<M, V> {
    type Output = Result<V>;
    type IntoFuture = Running<V>;

    fn into_future(self) -> Self::IntoFuture {
        traced(M::SHAPE, "get", self.find.found())
    }
}

/// Returns the filter for one id.
pub(crate) fn by_id<M: Described>(id: &M::Id) -> Filter<M> {
    Filter::new(encoded_id::<M>(id).map(|id| equality("_id", id)))
}

/// Encodes an id as it is stored.
pub(crate) fn encoded_id<M: Described>(id: &M::Id) -> Result<mongodb::bson::Bson> {
    crate::codec::encode_value(id).map_err(|source| about::<M>(Error::encode("an id", source)))
}
