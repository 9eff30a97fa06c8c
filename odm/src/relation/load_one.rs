//! Loads the one document that a document refers to.

use std::{future::IntoFuture, marker::PhantomData, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::{bson::Document, options::FindOptions};
use serde::de::DeserializeOwned;

use super::{keys::Slots, request::Request};
use crate::{
    error::Result,
    filter::Filter,
    key::JoinKey,
    model::{Model, Projection},
    odm::Exec,
    projection::Projected,
    statement::Plan,
};

/// Loads the one document that a document refers to: `task.load_owner(&odm)`.
///
/// Awaiting it sends one `find`, none for a null reference, and returns `None` if the reference is
/// null or leads nowhere. It wants an index on the key's path in the target.
///
/// # Errors
///
/// [`Error::Ambiguous`](crate::Error::Ambiguous) if the key is not unique and several documents have it, [`Error::Decode`](crate::Error::Decode),
/// [`Error::Missing`](crate::Error::Missing) from [`require`](Self::require), and what the driver reports.
#[must_use = "a load is sent when it is awaited"]
pub struct LoadOne<T, V = T> {
    slots: Slots,
    request: Result<Request>,
    exec: Exec,
    view: PhantomData<fn() -> (T, V)>,
}

impl<T: Model> LoadOne<T> {
    pub(super) fn new(relation: &'static str, path: String, mut slots: Slots, exec: Exec) -> Self {
        let request = slots
            .check(relation)
            .map(|()| Request::new(relation, T::SHAPE, path));
        Self {
            slots,
            request,
            exec,
            view: PhantomData,
        }
    }

    /// Loads only the fields of a projection: `.select::<PersonName>()`.
    pub fn select<V: Projection<T>>(self) -> LoadOne<T, V> {
        self.projected(|path| Ok(Projected::of::<T, V>(Some(path))))
    }

    /// Loads by a plain projection document, into any type. The join key is added to it.
    pub fn project<V: DeserializeOwned + Send + 'static>(
        self,
        projection: Document,
    ) -> LoadOne<T, V> {
        self.projected(|path| Projected::plain(projection, Some(path)))
    }

    fn projected<V>(self, plan: impl FnOnce(&str) -> Result<Projected>) -> LoadOne<T, V> {
        let request = self.request.and_then(|mut request| {
            request.projected = plan(&request.path)?;
            Ok(request)
        });
        LoadOne {
            slots: self.slots,
            request,
            exec: self.exec,
            view: PhantomData,
        }
    }
}

impl<T: Model, V: DeserializeOwned + Send + 'static> LoadOne<T, V> {
    fn change(mut self, change: impl FnOnce(&mut Request) -> Result<()>) -> Self {
        self.request = self
            .request
            .and_then(|mut request| change(&mut request).map(|()| request));
        self
    }

    /// Loads the document only if it matches a filter.
    pub fn filter(self, filter: impl Into<Filter<T>>) -> Self {
        self.change(|request| {
            request.narrow(filter.into().into_document()?);
            Ok(())
        })
    }

    /// Changes further options of the driver's `find`: hint, comment, time limit, collation.
    pub fn options(self, change: impl FnOnce(&mut FindOptions)) -> Self {
        self.change(|request| {
            change(&mut request.options);
            Ok(())
        })
    }

    /// Returns what will be sent, as mongosh text; nothing for a null reference.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode), as awaiting it would.
    pub fn plan(self) -> Result<Plan> {
        let request = limited(self.request?);
        match self.slots.index.len() {
            0 => Ok(Plan::default()),
            _ => request.plan(&self.slots.index, &self.exec),
        }
    }

    /// Loads the document, or fails with [`Error::Missing`](crate::Error::Missing) if the reference is null or leads
    /// nowhere.
    ///
    /// # Errors
    ///
    /// As awaiting the load, and [`Error::Missing`](crate::Error::Missing).
    pub async fn require(self) -> Result<V> {
        let request = self.request?;
        let mut keys = self.slots.index.by_number();
        if keys.is_empty() {
            keys.push(JoinKey::NULL);
        }
        let found = load(request.clone(), self.slots, self.exec).await?;
        found.ok_or_else(|| request.missing(&keys))
    }
}

/// Asks for two documents, to see that a key is not unique.
fn limited(mut request: Request) -> Request {
    request.limit = (request.path != "_id").then_some(2);
    request
}

async fn load<V>(request: Request, slots: Slots, exec: Exec) -> Result<Option<V>>
where
    V: DeserializeOwned + Send + 'static,
{
    if slots.index.len() == 0 {
        return Ok(None);
    }
    let request = limited(request);
    let index = Arc::new(slots.index);
    let mut found = request.fetch::<V>(&index, &exec).await?.documents;
    if found.len() > 1 {
        let key = index.key(0).unwrap_or(JoinKey::NULL);
        return Err(request.ambiguous(key.to_string(), found.len()));
    }
    Ok(found.pop())
}

impl<T: Model, V: DeserializeOwned + Send + 'static> IntoFuture for LoadOne<T, V> {
    type Output = Result<Option<V>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { load(self.request?, self.slots, self.exec).await })
    }
}
