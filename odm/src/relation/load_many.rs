//! Loads the related documents of one owner.
//!
//! Without a sort, a document that is referenced repeatedly is decoded once for each reference, so target types do not
//! have to implement `Clone`. In contrast, a `Joined` contains each document once.

use futures_util::{
    Stream, StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use mongodb::bson::RawDocument;

use super::{
    load_result::documents,
    query::{Many, RelationQuery},
    slot::Slot,
    statement_choice::ReadyLoad,
};
use crate::{
    client::odm::{into_future, traced_relation_stream},
    error::Result,
    model::derive_traits::Described,
    value::decode::Decode,
};

/// Loads the related documents of one document: `product.load_parts(&odm)`.
///
/// Awaiting the builder returns the documents in the order of the stored references. A document that is referenced
/// twice is returned twice. With a [`sort`](RelationQuery::sort), each document is returned once, in the sort order.
///
/// Dangling references are left out. To get the keys of dangling references, call [`slots`](RelationQuery::slots) or
/// [`missing`](RelationQuery::missing). After [`require_all`](RelationQuery::require_all), a dangling reference makes
/// the call fail.
///
/// # Sends
///
/// One `find` with `$in` over the distinct keys. Null references are left out. If the owner does not have any keys,
/// nothing is sent. If there are 2,000 keys or more ([`Settings::split_from`](crate::Settings)), the library splits
/// them into several statements, as in a [`Join`](super::Join).
///
/// # Index
///
/// The call uses an index on the target's field whose values are compared with the keys. `_id` always has an index, and
/// [`sync_indexes`](crate::Odm::sync_indexes) creates the indexes on other fields.
///
/// # Guarantees
///
/// If there are several statements, they can read the data at different moments. In a transaction, they read the same
/// snapshot.
///
/// # Errors
///
/// - [`Error::Decode`](crate::Error::Decode) if a document does not match the struct; the error contains the
///   collection, the `_id` and the path
/// - [`Error::Missing`](crate::Error::Missing) if a document is missing and you called `require_all`
/// - errors from the driver
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/part_models.txt")]
/// # async fn example(odm: Odm, product: Product) -> mongo_odm::Result<()> {
/// let parts: Vec<Part> = product.load_parts(&odm).await?;
/// let by_name = product
///     .load_parts(&odm)
///     .sort(Part::fields().name.asc())
///     .limit(10)
///     .await?;
/// println!("{} parts, first by name: {:?}", parts.len(), by_name.first());
/// # Ok(()) }
/// ```
pub type LoadMany<T, V = T> = RelationQuery<Many, T, V>;

impl<T: Described, V: Send + 'static> RelationQuery<Many, T, V> {
    /// Loads at most this many documents, starting with the first in the order of the result. If the number is 0,
    /// nothing is sent, unlike in a `find`.
    ///
    /// For the children of a parent, and for a sorted load, the server applies the limit. For an unsorted load of an
    /// array of references, the library applies the limit after the `find`. Only then does it know which references
    /// have a document.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, author: Author) -> mongo_odm::Result<()> {
    /// let best_sellers = author
    ///     .load_books(&odm)
    ///     .sort(Book::fields().sold.desc())
    ///     .limit(3)
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn limit(mut self, documents: usize) -> Self {
        self.load.window.limit = Some(documents);
        self
    }

    /// Skips this many documents.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, author: Author) -> mongo_odm::Result<()> {
    /// let title = Book::fields().title;
    /// let others = author.load_books(&odm).sort(title.asc()).skip(3).await?;
    /// # Ok(()) }
    /// ```
    pub fn skip(mut self, documents: usize) -> Self {
        self.load.window.skip = documents;
        self
    }

    /// Loads one [`Slot`] for each stored reference, in the order of the references: the document, a key without a
    /// document, or null.
    ///
    /// Sends the same statements as awaiting the load. `sort`, `skip` and `limit` do not apply.
    ///
    /// # Errors
    ///
    /// The same errors as awaiting the load.
    ///
    /// # Examples
    ///
    /// See [`Slot`].
    pub async fn slots(self) -> Result<Vec<Slot<V>>> {
        self.run("slots", |load, decode| async move {
            load.in_stored_order().ready()?.slots(decode).await
        })
        .await
    }

    /// Returns the documents as a stream.
    ///
    /// The children of a parent and the documents of a sorted load arrive batch by batch from one cursor. If the
    /// documents are in the order of an array of references, the library loads all of them before the stream returns
    /// the first one.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/log_models.txt")]
    /// # async fn example(odm: Odm, host: Host) -> mongo_odm::Result<()> {
    /// use futures_util::TryStreamExt;
    ///
    /// let mut messages = std::pin::pin!(host.load_messages(&odm).stream());
    /// while let Some(message) = messages.try_next().await? {
    ///     println!("{}", message.text);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn stream(self) -> impl Stream<Item = Result<V>> + Send + 'static {
        let (load, decode) = (self.load, self.decode);
        let about = load.request.relation_and_model();
        let documents = stream::once(async move {
            let ready = load.ready()?;
            if ready.is_cursor() {
                return ready.cursor(decode);
            }
            let documents = ready.documents(decode).await?;
            Ok(stream::iter(documents.into_iter().map(Ok)).boxed())
        });
        traced_relation_stream(about, "load_many", documents.try_flatten())
    }
}

impl ReadyLoad {
    fn cursor<V: Send + 'static>(self, decode: Decode<V>) -> Result<BoxStream<'static, Result<V>>> {
        let related = self.count_call();
        let index = self.keys.index;
        let query = self.request.queries(&index, &self.exec)?.pop();
        let request = self.request;
        // If your code has set a collation, the server can return documents whose keys differ from the requested keys.
        let decode = move |document: &RawDocument| {
            let has_key = request.has_any_key(document, &index);
            related.add(usize::from(has_key));
            has_key
                .then(|| request.decode(decode, document))
                .transpose()
        };
        Ok(match query {
            Some(query) => {
                let found = self.exec.stream(query, decode);
                found
                    .try_filter_map(|document| std::future::ready(Ok(document)))
                    .boxed()
            }
            None => stream::empty().boxed(),
        })
    }
}

into_future!(
    [T: Described, V: Send + 'static] RelationQuery<Many, T, V> => Vec<V>,
    |it| Box::pin(documents(it.load, "load_many", it.decode))
);
