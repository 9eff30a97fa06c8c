//! Loads a relation of many documents at once; `relation.rs` lists the steps.

use std::{future::IntoFuture, marker::PhantomData};

use super::{
    count_each::CountEach,
    fetched_documents::Decoded,
    joined::Joined,
    load::Load,
    load_result::placed,
    owner_keys::KeysOf,
    owner_lookup::OwnerLookup,
    query::{Each, RelationQuery},
};
use crate::{
    client::odm::Running, error::Result, model::derive_traits::Described, value::decode::Decode,
};

/// Loads a relation of many documents: `Product::join_parts(&products, &odm)`.
///
/// Awaiting it sends one `find` with `$in` over the distinct keys of all owners, never for no keys
/// and never with null; from 2,000 keys on several, each with a range of sorted keys, two in flight
/// (see [`Settings`](crate::Settings)), one after the other in a transaction. It wants an index on
/// the keys' path in the target, which [`sync_indexes`](crate::Odm::sync_indexes) creates.
///
/// Each document is decoded once and owned by the result ([`Joined`]). The ranges are separate
/// statements: a document that changes meanwhile can be seen before or after, unless the join runs
/// in a transaction.
///
/// # Errors
///
/// [`Error::Decode`](crate::Error::Decode) with the collection, the `_id` and the path of a document that does not fit,
/// [`Error::Missing`](crate::Error::Missing) after [`require_all`](RelationQuery::require_all),
/// [`Error::Ambiguous`](crate::Error::Ambiguous) if a to-one reference leads to several documents, and
/// what the driver reports.
pub type Join<O, T, R, V = T> = RelationQuery<Each<O, R>, T, V>;

impl<O, T: Described, V: Send + 'static, R> RelationQuery<Each<O, R>, T, V> {
    /// Joins at most so many documents of each owner: the first in order. For none, nothing is sent.
    ///
    /// Children of a parent (`has_many`) are limited by the server, with one aggregation that reads
    /// no more than it skips and returns if an index starts with the reference and goes on with the
    /// sort (`{host: 1, time: -1}`); it needs `MongoDB` 5.1. Arrays of references are limited after
    /// loading, since what comes first depends on which documents exist.
    pub fn limit_each(mut self, documents: usize) -> Self {
        self.load.window.limit = Some(documents);
        self
    }

    /// Leaves out so many documents of each owner at the start.
    ///
    /// The server skips them where it applies [`limit_each`](Self::limit_each); then a key without
    /// further documents is [`Slot::Unmatched`](super::Slot). Otherwise they are left out after
    /// loading.
    pub fn skip_each(mut self, documents: usize) -> Self {
        self.load.window.skip = documents;
        self
    }

    /// Makes a key with several documents an error.
    pub(super) const fn single(mut self) -> Self {
        self.load.to_one = true;
        self
    }

    /// Counts the documents of each owner instead of loading them, with one aggregation.
    pub fn count_each(self) -> CountEach<O, R> {
        CountEach::new(self.form.0, self.load)
    }
}

async fn join<O, V: Send + 'static, R>(
    load: Load,
    keys: KeysOf<O>,
    decode: Decode<V>,
) -> Result<Joined<O, V, R>> {
    let mut documents = Decoded::new(decode);
    let placed = placed(load, &mut documents).await?;
    Ok(Joined {
        documents: documents.finish(),
        groups: placed.groups,
        sorted: placed.sorted,
        window: placed.window,
        absence: placed.absence,
        lookup: OwnerLookup::new(keys, placed.keys),
        relation: PhantomData,
    })
}

impl<O: 'static, T: Described, V: Send + 'static, R: 'static> IntoFuture
    for RelationQuery<Each<O, R>, T, V>
{
    type Output = Result<Joined<O, V, R>>;
    type IntoFuture = Running<Joined<O, V, R>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(join(self.load, self.form.0, self.decode))
    }
}
