//! Loads the one document that a document refers to.

use std::future::IntoFuture;

use super::{
    absence::Absence,
    load_result::documents,
    query::{One, RelationQuery},
    slot::Slot,
};
use crate::{
    client::odm::Running, error::Result, model::derive_traits::Described, value::key::JoinKey,
};

/// Loads the one document that a document refers to: `task.load_owner(&odm)`.
///
/// Awaiting it sends one `find`, none for a null reference, and returns `None` if the reference is
/// null or leads nowhere. It wants an index on the key's path in the target.
///
/// # Errors
///
/// [`Error::Ambiguous`](crate::Error::Ambiguous) if the key is not unique and several documents have it,
/// [`Error::Decode`](crate::Error::Decode), [`Error::Missing`](crate::Error::Missing) from
/// [`require`](RelationQuery::require), and what the driver reports.
pub type LoadOne<T, V = T> = RelationQuery<One, T, V>;

impl<T: Described, V: Send + 'static> RelationQuery<One, T, V> {
    /// Loads the document, or fails with [`Error::Missing`](crate::Error::Missing) if the reference is null or
    /// leads nowhere. With a filter it fails with [`Error::Unmatched`](crate::Error::Unmatched) if no document
    /// with the key passes.
    ///
    /// # Errors
    ///
    /// As awaiting the load, and [`Error::Missing`](crate::Error::Missing).
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

    /// Loads what the reference leads to: the document, a key without one, or null.
    ///
    /// # Errors
    ///
    /// As awaiting the load.
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
