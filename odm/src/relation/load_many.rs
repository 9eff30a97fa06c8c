//! Loads the documents that one document refers to.
//!
//! Without a sort, a repeated document is decoded once for each position. So target types do not need `Clone`. A
//! `Joined` contains each document once.

use std::future::IntoFuture;

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
    client::odm::{Running, traced_relation_stream},
    error::Result,
    model::derive_traits::Described,
    value::decode::Decode,
};

/// Loads the documents that one document refers to: `product.load_parts(&odm)`.
///
/// Awaiting it sends one `find` with the distinct keys, never for no keys and never with null, and
/// returns the documents in stored order with repeats. References that lead nowhere are left out;
/// [`missing`](RelationQuery::missing), [`slots`](RelationQuery::slots) and
/// [`require_all`](RelationQuery::require_all) tell them. It wants an index on the keys' path in the
/// target, which [`sync_indexes`](crate::Odm::sync_indexes) creates. From 2,000 keys on the keys are
/// split ([`Settings::split_from`](crate::Settings)), as in [`Join`](super::Join): several statements
/// can see several moments, unless they run in a transaction.
///
/// With an explicit [`sort`](RelationQuery::sort) the documents come in that order, each once.
///
/// # Errors
///
/// [`Error::Decode`](crate::Error::Decode) with the collection, the `_id` and the path of a document that does
/// not fit, [`Error::Missing`](crate::Error::Missing) after `require_all`, and what the driver reports.
pub type LoadMany<T, V = T> = RelationQuery<Many, T, V>;

impl<T: Described, V: Send + 'static> RelationQuery<Many, T, V> {
    /// Loads at most so many documents, the first in order.
    ///
    /// The server applies it to the children of a parent and to a sorted load; an array of
    /// references in stored order is cut after loading, since what comes first depends on which
    /// documents exist.
    pub fn limit(mut self, documents: usize) -> Self {
        self.load.window.limit = Some(documents);
        self
    }

    /// Leaves out so many documents at the start.
    pub fn skip(mut self, documents: usize) -> Self {
        self.load.window.skip = documents;
        self
    }

    /// Loads what every stored reference leads to, in stored order: documents, keys without one and
    /// nulls in their places. One `find`; `sort`, `skip` and `limit` do not apply.
    ///
    /// # Errors
    ///
    /// As awaiting the load.
    pub async fn slots(self) -> Result<Vec<Slot<V>>> {
        self.run("slots", |load, decode| async move {
            load.in_stored_order().ready()?.slots(decode).await
        })
        .await
    }

    /// Returns the documents as a stream.
    ///
    /// The children of a parent, and a sorted load, come batch by batch from one cursor; an array of
    /// references in stored order is loaded as a whole first.
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
        // A collation may find too much.
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

impl<T: Described, V: Send + 'static> IntoFuture for RelationQuery<Many, T, V> {
    type Output = Result<Vec<V>>;
    type IntoFuture = Running<Vec<V>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(documents(self.load, "load_many", self.decode))
    }
}
