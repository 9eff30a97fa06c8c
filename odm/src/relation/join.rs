//! Loads the related documents of many owners at once. `relation.rs` lists the steps.

use std::marker::PhantomData;

use super::{
    count_each::CountEach,
    fetched_documents::Decoded,
    joined::Joined,
    joined_owner::JoinedOwners,
    load::Load,
    load_result::placed,
    owner_keys::KeysOf,
    query::{Each, RelationQuery},
};
use crate::{
    client::odm::into_future, error::Result, model::derive_traits::Described, value::decode::Decode,
};

/// Loads the related documents of many owners: `Product::join_parts(&products, &odm)`.
///
/// Awaiting the builder returns a [`Joined`], which contains each document once. `joined.of(&product)` then returns the
/// documents of one owner and sends nothing. The methods of [`RelationQuery`] filter, sort and project the documents.
///
/// # Sends
///
/// One `find` with `$in` over the distinct keys of all owners. Null references are left out. If the owners do not have
/// any keys, nothing is sent.
///
/// If there are 2,000 keys or more ([`Settings::split_from`](crate::Settings)), the library splits the sorted keys into
/// ranges, and sends one `find` for each range. By default, two of these statements run at the same time. In a
/// transaction, the statements run one after the other.
///
/// # Index
///
/// The call uses an index on the target's field whose values are compared with the keys. `_id` always has an index, and
/// [`sync_indexes`](crate::Odm::sync_indexes) creates the indexes on other fields.
///
/// # Guarantees
///
/// The ranges are separate statements. If a document changes during the join, the result can contain the state before
/// or after the change. In a transaction, all ranges read the same snapshot.
///
/// # Errors
///
/// - [`Error::Decode`](crate::Error::Decode) if a document does not match the struct; the error contains the
///   collection, the `_id` and the path
/// - [`Error::Missing`](crate::Error::Missing) if a document is missing and you called
///   [`require_all`](RelationQuery::require_all)
/// - [`Error::Ambiguous`](crate::Error::Ambiguous) if a reference to a single document has several targets
/// - errors from the driver
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/log_models.txt")]
/// # async fn example(odm: Odm, hosts: Vec<Host>) -> mongo_odm::Result<()> {
/// // One aggregation loads the ten newest messages of each host.
/// let messages = Host::join_messages(&hosts, &odm)
///     .sort(LogMsg::fields().time.desc())
///     .limit_each(10)
///     .await?;
/// for host in &hosts {
///     println!("{}: {} messages", host.name, messages.of(host).len());
/// }
/// # Ok(()) }
/// ```
pub type Join<O, T, R, V = T> = RelationQuery<Each<O, R>, T, V>;

impl<O, T: Described, V: Send + 'static, R> RelationQuery<Each<O, R>, T, V> {
    /// Returns at most this many documents for each owner, starting with the first in the sort order. If the number is
    /// 0, nothing is sent.
    ///
    /// # Sends
    ///
    /// For the children of parents (`has_many`), the server applies the limit in one aggregation, which requires
    /// MongoDB 5.1. If there is an index on the reference and the sort fields (`{host: 1, time: -1}`), the server reads
    /// only the documents that it skips or returns.
    ///
    /// For arrays of references, the library applies the limit after the `find`. Only then does it know which
    /// references have a document.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, authors: Vec<Author>) -> mongo_odm::Result<()> {
    /// let best_sellers = Author::join_books(&authors, &odm)
    ///     .sort(Book::fields().sold.desc())
    ///     .limit_each(3)
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn limit_each(mut self, documents: usize) -> Self {
        self.load.window.limit = Some(documents);
        self
    }

    /// Skips this many documents for each owner.
    ///
    /// If the server applies [`limit_each`](Self::limit_each), it also skips these documents. In this case, the slot
    /// for a key that has no further documents is [`Slot::Unmatched`](super::Slot). Otherwise, the library skips the
    /// documents after the `find`.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/log_models.txt")]
    /// # async fn example(odm: Odm, hosts: Vec<Host>) -> mongo_odm::Result<()> {
    /// // Loads the second page of each host's newest messages.
    /// let page = Host::join_messages(&hosts, &odm)
    ///     .sort(LogMsg::fields().time.desc())
    ///     .skip_each(10)
    ///     .limit_each(10)
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn skip_each(mut self, documents: usize) -> Self {
        self.load.window.skip = documents;
        self
    }

    /// Makes the join fail if several documents match the same key.
    pub(super) const fn single(mut self) -> Self {
        self.load.to_one = true;
        self
    }

    /// Counts the documents of each owner with one aggregation, instead of loading the documents. See [`CountEach`].
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, authors: Vec<Author>) -> mongo_odm::Result<()> {
    /// let counts = Author::join_books(&authors, &odm).count_each().await?;
    /// for author in &authors {
    ///     println!("{}: {} books", author.name, counts.of(author));
    /// }
    /// # Ok(()) }
    /// ```
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
        lookup: JoinedOwners::new(keys, placed.keys),
        relation: PhantomData,
    })
}

into_future!(
    [O: 'static, T: Described, V: Send + 'static, R: 'static]
    RelationQuery<Each<O, R>, T, V> => Joined<O, V, R>,
    |it| Box::pin(join(it.load, it.form.0, it.decode))
);
