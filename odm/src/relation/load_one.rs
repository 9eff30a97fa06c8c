//! Loads the single document that is related to one owner.

use super::{
    absence::Absence,
    load_result::documents,
    query::{One, RelationQuery},
    slot::Slot,
};
use crate::{
    client::odm::Running, error::Result, model::derive_traits::Described, value::key::JoinKey,
};

/// Loads the target of a reference to a single document: `task.load_owner(&odm)`.
///
/// Awaiting the builder returns `None` if the reference is null or dangling.
///
/// # Sends
///
/// One `find`, or nothing if the reference is null.
///
/// # Index
///
/// The call uses an index on the target's field whose values are compared with the key. `_id` always has an index, and
/// [`sync_indexes`](crate::Odm::sync_indexes) creates the indexes on other fields.
///
/// # Errors
///
/// - [`Error::Ambiguous`](crate::Error::Ambiguous) if several documents match the key
/// - [`Error::Decode`](crate::Error::Decode) if the document does not match the struct
/// - [`Error::Missing`](crate::Error::Missing) if you call [`require`](RelationQuery::require) and the document does
///   not exist
/// - errors from the driver
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/part_models.txt")]
/// # async fn example(odm: Odm, product: Product) -> mongo_odm::Result<()> {
/// let main: Option<Part> = product.load_main(&odm).await?;
/// // `require` returns an error if the part does not exist.
/// let main: Part = product.load_main(&odm).require().await?;
/// println!("{}", main.name);
/// # Ok(()) }
/// ```
pub type LoadOne<T, V = T> = RelationQuery<One, T, V>;

impl<T: Described, V: Send + 'static> RelationQuery<One, T, V> {
    /// Loads the document, or fails if none exists.
    ///
    /// # Errors
    ///
    /// - [`Error::Missing`](crate::Error::Missing) if the reference is null or dangling
    /// - [`Error::Unmatched`](crate::Error::Unmatched) if no document with the key matches the filter, or if the target
    ///   has `#[deleted_at]` and no live document has the key
    /// - the same errors as awaiting the load
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, book: Book) -> mongo_odm::Result<()> {
    /// // Fails with `Error::Missing` if the author does not exist.
    /// let author: Author = book.load_author(&odm).require().await?;
    /// # Ok(()) }
    /// ```
    pub async fn require(mut self) -> Result<V> {
        self.load.require_all = true;
        self.run("load_one", |load, decode| async move {
            let ready = load.ready()?;
            let null = ready.request.absent(Absence::Missing, &[JoinKey::NULL]);
            let documents = ready.documents(decode).await?;
            documents.into_iter().next().ok_or(null)
        })
        .await
    }

    /// Loads the [`Slot`] of the reference: the document, a key without a document, or null.
    ///
    /// # Errors
    ///
    /// The same errors as awaiting the load.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/part_models.txt")]
    /// # async fn example(odm: Odm, product: Product) -> mongo_odm::Result<()> {
    /// if product.load_main(&odm).slot().await?.is_missing() {
    ///     println!("the main part of {} does not exist", product.name);
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn slot(self) -> Result<Slot<V>> {
        self.run("slot", |load, decode| async move {
            let slots = load.ready()?.slots(decode).await?;
            Ok(slots.into_iter().next().unwrap_or(Slot::Null))
        })
        .await
    }
}

impl<T: Described, V: Send + 'static> IntoFuture for RelationQuery<One, T, V> {
    type Output = Result<Option<V>>;
    type IntoFuture = Running<Option<V>>;

    fn into_future(self) -> Self::IntoFuture {
        let documents = documents(self.load, "load_one", self.decode);
        Box::pin(async move { Ok(documents.await?.pop()) })
    }
}
