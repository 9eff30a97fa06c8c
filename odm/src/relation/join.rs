//! Loads a relation of many documents at once.

use std::{future::IntoFuture, marker::PhantomData, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::{bson::Document, options::FindOptions};
use serde::de::DeserializeOwned;

use super::{
    Joined, Relation,
    count::CountEach,
    fetch::Fetched,
    keys::{Collected, KeyIndex},
    ranges::Cut,
    request::Request,
};
use crate::{
    command::Command,
    error::{EncodeError, Error, Result},
    filter::Filter,
    model::{Model, Projection},
    odm::Exec,
    projection::Projected,
    sort::Sort,
    statement::Plan,
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
/// [`Error::Decode`] with the collection, the `_id` and the path of a document that does not fit,
/// [`Error::Missing`] after [`require_all`](Self::require_all), [`Error::Ambiguous`] if a to-one
/// reference leads to several documents, and what the driver reports.
#[must_use = "a join is sent when it is awaited"]
pub struct Join<O, T, V = T> {
    relation: Relation<O, T>,
    index: KeyIndex,
    /// The most keys that one owner holds.
    keys_per_owner: usize,
    request: Result<Request>,
    limit_each: Option<usize>,
    require_all: bool,
    to_one: bool,
    exec: Exec,
    view: PhantomData<fn() -> V>,
}

impl<O, T: Model> Join<O, T> {
    pub(super) fn new<'a>(
        relation: Relation<O, T>,
        owners: impl IntoIterator<Item = &'a O>,
        exec: Exec,
    ) -> Self
    where
        O: 'a,
    {
        let mut found = Collected::default();
        let mut error = None;
        let mut keys_per_owner = 0;
        for owner in owners {
            let mut keys = 0;
            (relation.keys)(owner, &mut |slot| match slot {
                Ok(key) if key.is_null() => {}
                Ok(key) => {
                    found.push(key);
                    keys += 1;
                }
                Err(failed) => error = Some(failed),
            });
            keys_per_owner = keys_per_owner.max(keys);
        }
        let request = request(&relation, error);
        Self {
            relation,
            index: KeyIndex::from(found),
            keys_per_owner,
            request,
            limit_each: None,
            require_all: false,
            to_one: false,
            exec,
            view: PhantomData,
        }
    }

    /// Loads only the fields of a projection: `.select::<PartName>()`.
    pub fn select<V: Projection<T>>(self) -> Join<O, T, V> {
        self.projected(|path| Ok(Projected::of::<T, V>(Some(path))))
    }

    /// Loads by a plain projection document, into any type. The join key is added to it.
    pub fn project<V: DeserializeOwned + Send + 'static>(
        self,
        projection: Document,
    ) -> Join<O, T, V> {
        self.projected(|path| Projected::plain(projection, Some(path)))
    }

    fn projected<V>(self, plan: impl FnOnce(&str) -> Result<Projected>) -> Join<O, T, V> {
        let request = self.request.and_then(|mut request| {
            request.projected = plan(&request.path)?;
            Ok(request)
        });
        Join {
            relation: self.relation,
            index: self.index,
            keys_per_owner: self.keys_per_owner,
            request,
            limit_each: self.limit_each,
            require_all: self.require_all,
            to_one: self.to_one,
            exec: self.exec,
            view: PhantomData,
        }
    }

    /// Makes a key with several documents an error.
    pub(super) fn single(mut self) -> Self {
        self.to_one = true;
        self
    }
}

fn request<O, T: Model>(relation: &Relation<O, T>, error: Option<EncodeError>) -> Result<Request> {
    match error {
        Some(source) => Err(Error::encode(
            format!("a key of `{}`", relation.name()),
            source,
        )),
        None => Ok(Request::new(relation.name(), T::SHAPE, relation.path())),
    }
}

impl<O, T: Model, V: DeserializeOwned + Send + 'static> Join<O, T, V> {
    fn change(mut self, change: impl FnOnce(&mut Request) -> Result<()>) -> Self {
        self.request = self
            .request
            .and_then(|mut request| change(&mut request).map(|()| request));
        self
    }

    /// Joins only documents that match a filter; the others count as missing.
    pub fn filter(self, filter: impl Into<Filter<T>>) -> Self {
        self.change(|request| {
            request.narrow(filter.into().into_document()?);
            Ok(())
        })
    }

    /// Orders the documents of each owner; they appear once each then.
    ///
    /// All keys go into one statement, because the server sorts them as a whole.
    pub fn sort(self, sort: impl Into<Sort<T>>) -> Self {
        self.change(|request| {
            request.sort = Some(sort.into().into_document());
            Ok(())
        })
    }

    /// Joins at most so many documents of each owner: the first in order.
    ///
    /// Children of a parent (`has_many`) are limited by the server, with one aggregation that reads
    /// no more than it returns if an index starts with the reference and goes on with the sort
    /// (`{host: 1, time: -1}`); it needs `MongoDB` 5.1. Arrays of references are limited after
    /// loading, since what comes first depends on which documents exist.
    pub fn limit_each(mut self, documents: usize) -> Self {
        self.limit_each = Some(documents);
        self
    }

    /// Makes the join fail with [`Error::Missing`] if a key leads to no document.
    pub fn require_all(mut self) -> Self {
        self.require_all = true;
        self
    }

    /// Changes further options of the driver's `find`: hint, comment, time limit, collation.
    ///
    /// The library keeps sort, limit, projection and batch size. A collation of your own applies to
    /// the comparison of string keys too; what it finds too much is dropped.
    pub fn options(self, change: impl FnOnce(&mut FindOptions)) -> Self {
        self.change(|request| {
            change(&mut request.options);
            Ok(())
        })
    }

    /// Counts the documents of each owner instead of loading them, with one aggregation.
    pub fn count_each(self) -> CountEach<O> {
        CountEach::new(self.relation.keys, self.index, self.request, self.exec)
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] and [`Error::Invalid`], as awaiting it would.
    pub fn plan(self) -> Result<Plan> {
        let limited_on_server = self.limited_on_server();
        let request = self.request?;
        if self.index.len() == 0 || self.limit_each == Some(0) {
            return Ok(Plan::default());
        }
        match self.limit_each.filter(|_| limited_on_server) {
            Some(limit) => Ok(request.plan_each(&self.index, limit, &self.exec)),
            None => request.plan(&self.index, &self.exec),
        }
    }

    /// Whether the limit of an owner is the limit of its only key, so that the server can apply it.
    fn limited_on_server(&self) -> bool {
        let unique = self
            .request
            .as_ref()
            .is_ok_and(|request| request.path == "_id");
        self.limit_each.is_some() && self.keys_per_owner <= 1 && !unique
    }

    async fn run(self) -> Result<Joined<O, V>> {
        let limited_on_server = self.limited_on_server();
        let request = self.request?;
        let sorted = request.sort.is_some() && !limited_on_server;
        let index = Arc::new(self.index);
        let fetched = match self.limit_each {
            _ if index.len() == 0 => Fetched::none(),
            Some(0) => Fetched::none(),
            Some(limit) if limited_on_server => {
                request.fetch_each(&index, limit, &self.exec).await?
            }
            _ => request.fetch(&index, &self.exec).await?,
        };
        // The tasks that shared the index have ended.
        let index = Arc::into_inner(index).unwrap_or_default();
        let joined = Joined::new(self.relation.keys, index, fetched, sorted, self.limit_each);
        if let (true, Some((key, found))) = (self.to_one, joined.ambiguous()) {
            return Err(request.ambiguous(key.to_string(), found));
        }
        if self.require_all {
            match joined.missing() {
                missing if missing.is_empty() => {}
                missing => return Err(request.missing(&missing)),
            }
        }
        Ok(joined)
    }
}

impl<O: 'static, T: Model, V: DeserializeOwned + Send + 'static> IntoFuture for Join<O, T, V> {
    type Output = Result<Joined<O, V>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl Request {
    /// Returns the aggregations of a limited join, for plans.
    fn plan_each(&self, keys: &KeyIndex, limit: usize, exec: &Exec) -> Plan {
        let ranges = keys.ranges(exec.settings(), Cut::Busy).into_iter();
        let statements = ranges.map(|range| self.each(keys, range, limit).shown());
        Plan {
            statements: statements.collect(),
        }
    }
}
