//! Loads the documents that one document refers to.

use std::{future::IntoFuture, marker::PhantomData, sync::Arc};

use futures_util::{
    Stream, StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use mongodb::{
    bson::{Document, RawDocument},
    options::FindOptions,
};
use serde::de::{DeserializeOwned, IgnoredAny};

use super::{
    Slot,
    fetch::Fetched,
    joined::{Groups, index},
    keys::{KeyIndex, SlotNumber, Slots},
    request::Request,
};
use crate::{
    error::Result,
    filter::Filter,
    key::JoinKey,
    model::{Model, Projection},
    odm::Exec,
    projection::Projected,
    sort::Sort,
    statement::Plan,
};

/// Loads the documents that one document refers to: `product.load_parts(&odm)`.
///
/// Awaiting it sends one `find` with the distinct keys, never for no keys and never with null, and
/// returns the documents in stored order with repeats. References that lead nowhere are left out;
/// [`missing`](Self::missing), [`slots`](Self::slots) and [`require_all`](Self::require_all) tell
/// them. It wants an index on the keys' path in the target, which
/// [`sync_indexes`](crate::Odm::sync_indexes) creates. From 2,000 keys on the keys are split, as in
/// [`Join`](super::Join); from 128 on while this handle has nothing else in flight, into two halves
/// at once, which are there in three quarters of the time (see
/// [`Settings::split_idle_from`](crate::Settings)). Two statements can see two moments; in a
/// transaction nothing is halved, and all is of one moment.
///
/// With an explicit [`sort`](Self::sort) the documents come in that order, each once.
///
/// # Errors
///
/// [`Error::Decode`](crate::Error::Decode) with the collection, the `_id` and the path of a document that does not fit,
/// [`Error::Missing`](crate::Error::Missing) after `require_all`, and what the driver reports.
#[must_use = "a load is sent when it is awaited"]
pub struct LoadMany<T, V = T> {
    slots: Slots,
    request: Result<Request>,
    limit: Option<usize>,
    skip: usize,
    require_all: bool,
    exec: Exec,
    view: PhantomData<fn() -> (T, V)>,
}

impl<T: Model> LoadMany<T> {
    pub(super) fn new(relation: &'static str, path: String, mut slots: Slots, exec: Exec) -> Self {
        let request = slots
            .check(relation)
            .map(|()| Request::new(relation, T::SHAPE, path).of_one_owner());
        let view = PhantomData;
        Self {
            slots,
            request,
            limit: None,
            skip: 0,
            require_all: false,
            exec,
            view,
        }
    }

    /// Loads only the fields of a projection: `.select::<PartName>()`.
    pub fn select<V: Projection<T>>(self) -> LoadMany<T, V> {
        self.projected(|path| Ok(Projected::of::<T, V>(Some(path))))
    }

    /// Loads by a plain projection document, into any type. The join key is added to it.
    pub fn project<V: DeserializeOwned + Send + 'static>(
        self,
        projection: Document,
    ) -> LoadMany<T, V> {
        self.projected(|path| Projected::plain(projection, Some(path)))
    }

    fn projected<V>(self, plan: impl FnOnce(&str) -> Result<Projected>) -> LoadMany<T, V> {
        let request = self.request.and_then(|mut request| {
            request.projected = plan(&request.path)?;
            Ok(request)
        });
        LoadMany {
            slots: self.slots,
            request,
            limit: self.limit,
            skip: self.skip,
            require_all: self.require_all,
            exec: self.exec,
            view: PhantomData,
        }
    }
}

impl<T: Model, V: DeserializeOwned + Send + 'static> LoadMany<T, V> {
    fn change(mut self, change: impl FnOnce(&mut Request) -> Result<()>) -> Self {
        self.request = self
            .request
            .and_then(|mut request| change(&mut request).map(|()| request));
        self
    }

    /// Loads only documents that match a filter; the others count as missing.
    pub fn filter(self, filter: impl Into<Filter<T>>) -> Self {
        self.change(|request| {
            request.narrow(filter.into().into_document()?);
            Ok(())
        })
    }

    /// Orders the documents by their fields instead of by the stored references.
    pub fn sort(self, sort: impl Into<Sort<T>>) -> Self {
        self.change(|request| {
            request.sort = Some(sort.into().into_document());
            Ok(())
        })
    }

    /// Loads at most so many documents, the first in order.
    ///
    /// The server applies it to the children of a parent and to a sorted load; an array of
    /// references in stored order is cut after loading, since what comes first depends on which
    /// documents exist.
    pub fn limit(mut self, documents: usize) -> Self {
        self.limit = Some(documents);
        self
    }

    /// Leaves out so many documents at the start.
    pub fn skip(mut self, documents: usize) -> Self {
        self.skip = documents;
        self
    }

    /// Makes the load fail with [`Error::Missing`](crate::Error::Missing) if a key leads to no document.
    pub fn require_all(mut self) -> Self {
        self.require_all = true;
        self
    }

    /// Changes further options of the driver's `find`: hint, comment, time limit, collation.
    ///
    /// The library keeps sort, limit, projection and batch size.
    pub fn options(self, change: impl FnOnce(&mut FindOptions)) -> Self {
        self.change(|request| {
            change(&mut request.options);
            Ok(())
        })
    }

    /// Returns what will be sent, as mongosh text; nothing for a document without references.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode) and [`Error::Invalid`](crate::Error::Invalid), as awaiting it would.
    pub fn plan(self) -> Result<Plan> {
        let prepared = self.prepare()?;
        if prepared.sends_nothing() {
            return Ok(Plan::default());
        }
        prepared.request.plan(&prepared.slots.index, &prepared.exec)
    }

    /// Loads what every stored reference leads to, in stored order: documents, missing keys and
    /// nulls in their places. One `find`; `sort`, `skip` and `limit` do not apply.
    ///
    /// # Errors
    ///
    /// As awaiting the load.
    pub async fn slots(self) -> Result<Vec<Slot<V>>> {
        let mut whole = self.change(|request| {
            request.sort = None;
            Ok(())
        });
        (whole.skip, whole.limit) = (0, None);
        let mut prepared = whole.prepare()?;
        prepared.request.repeats = repeats(&prepared.slots);
        prepared.placed::<V>().await
    }

    /// Returns the keys that lead to no document, sorted: one `find` that brings back keys alone.
    ///
    /// # Errors
    ///
    /// What the driver reports.
    pub async fn missing(self) -> Result<Vec<JoinKey>> {
        let mut request = self.request?;
        request.projected = Projected::only(&request.path);
        request.sort = None;
        let index = Arc::new(self.slots.index);
        let fetched = match index.len() {
            0 => Fetched::none(),
            _ => request.fetch::<IgnoredAny>(&index, &self.exec).await?,
        };
        Ok(missing_keys(
            &index,
            &Groups::new(index.len(), &fetched.answers),
        ))
    }

    /// Returns the documents as a stream.
    ///
    /// The children of a parent, and a sorted load, come batch by batch from one cursor; an array of
    /// references in stored order is loaded as a whole first.
    pub fn stream(self) -> impl Stream<Item = Result<V>> + Send + 'static {
        stream::once(async move {
            let prepared = self.prepare()?;
            if prepared.sends_nothing() {
                return Ok(stream::empty().boxed());
            }
            if prepared.needs_no_look() {
                return prepared.cursor::<V>();
            }
            let documents = prepared.run::<V>().await?;
            Ok(stream::iter(documents.into_iter().map(Ok)).boxed())
        })
        .try_flatten()
    }

    /// Decides who puts the documents in order and cuts them, the server or this library.
    fn prepare(self) -> Result<Prepared> {
        let mut request = self.request?;
        // With one key, the order of the reply is the order of the result.
        let server_orders = request.sort.is_some() || self.slots.positions.len() <= 1;
        let mut cut = (self.skip, self.limit.unwrap_or(usize::MAX));
        if server_orders && !self.require_all {
            request.skip = (self.skip > 0).then_some(self.skip as u64);
            request.limit = self.limit.and_then(|limit| i64::try_from(limit).ok());
            cut.0 = 0;
        }
        if !server_orders {
            request.repeats = repeats(&self.slots);
        }
        Ok(Prepared {
            request,
            slots: self.slots,
            server_orders,
            cut,
            require_all: self.require_all,
            exec: self.exec,
        })
    }
}

/// A load that knows how it will be run.
struct Prepared {
    request: Request,
    slots: Slots,
    server_orders: bool,
    /// How many documents to leave out, and how many to keep, after loading.
    cut: (usize, usize),
    require_all: bool,
    exec: Exec,
}

impl Prepared {
    /// Whether the reply, as it comes, is the result in order.
    fn needs_no_look(&self) -> bool {
        self.server_orders && !self.require_all
    }

    fn sends_nothing(&self) -> bool {
        self.slots.index.len() == 0 || self.cut.1 == 0
    }

    async fn run<V: DeserializeOwned + Send + 'static>(self) -> Result<Vec<V>> {
        if self.sends_nothing() {
            return Ok(Vec::new());
        }
        let (skip, limit) = self.cut;
        let documents: Vec<V> = if self.server_orders {
            let index = Arc::new(self.slots.index);
            let fetched = self.request.fetch::<V>(&index, &self.exec).await?;
            check_all(self.require_all, &self.request, &index, &fetched.answers)?;
            fetched.documents
        } else {
            self.in_order().await?
        };
        if skip == 0 && limit >= documents.len() {
            return Ok(documents);
        }
        Ok(documents.into_iter().skip(skip).take(limit).collect())
    }

    /// The documents that were found, in stored order with repeats.
    async fn in_order<V: DeserializeOwned + Send + 'static>(self) -> Result<Vec<V>> {
        let index = Arc::new(self.slots.index);
        let fetched = self.request.fetch::<V>(&index, &self.exec).await?;
        check_all(self.require_all, &self.request, &index, &fetched.answers)?;
        match one_each(&self.slots.positions, &index, fetched) {
            Ok(documents) => Ok(documents),
            Err(fetched) => {
                let slots = place(
                    &self.slots.positions,
                    &index,
                    &self.request.repeats,
                    fetched,
                );
                Ok(slots.into_iter().filter_map(Slot::found).collect())
            }
        }
    }

    async fn placed<V: DeserializeOwned + Send + 'static>(self) -> Result<Vec<Slot<V>>> {
        let index = Arc::new(self.slots.index);
        let fetched = match index.len() {
            0 => Fetched::none(),
            _ => self.request.fetch::<V>(&index, &self.exec).await?,
        };
        check_all(self.require_all, &self.request, &index, &fetched.answers)?;
        Ok(place(
            &self.slots.positions,
            &index,
            &self.request.repeats,
            fetched,
        ))
    }

    fn cursor<V: DeserializeOwned + Send + 'static>(self) -> Result<BoxStream<'static, Result<V>>> {
        let query = self.request.queries(&self.slots.index, &self.exec)?.pop();
        let (request, keys) = (self.request, self.slots.index);
        // A collation may find too much.
        let decode = move |raw: &RawDocument| {
            request
                .answers(raw, &keys)
                .then(|| request.decode(raw))
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

/// Counts how often each key is wanted; nothing where each is wanted once.
fn repeats(slots: &Slots) -> Arc<[u32]> {
    let mut repeats = vec![0_u32; index(slots.index.len())];
    for number in slots.positions.iter().flatten() {
        if let Some(count) = repeats.get_mut(index(*number)) {
            *count += 1;
        }
    }
    if repeats.iter().all(|count| *count == 1) {
        Arc::default()
    } else {
        repeats.into()
    }
}

/// Puts documents in stored order if each key is wanted once and leads to one document at most, as
/// keys mostly do; gives them back otherwise.
fn one_each<V>(
    positions: &[Option<SlotNumber>],
    keys: &KeyIndex,
    fetched: Fetched<V>,
) -> std::result::Result<Vec<V>, Fetched<V>> {
    let mut places: Vec<Option<u32>> = vec![None; index(keys.len())];
    let repeated = positions.iter().flatten().count() > places.len();
    let ambiguous = fetched.answers.iter().any(|(slot, at)| {
        let place = places.get_mut(index(*slot));
        place.is_none_or(|place| place.replace(*at).is_some())
    });
    // With one answer for each document, none is wanted by two keys either.
    if repeated || ambiguous || fetched.answers.len() != fetched.documents.len() {
        return Err(fetched);
    }
    let mut documents: Vec<Option<V>> = fetched.documents.into_iter().map(Some).collect();
    let places = positions
        .iter()
        .flatten()
        .filter_map(|slot| *places.get(index(*slot))?);
    Ok(places
        .filter_map(|at| documents.get_mut(index(at))?.take())
        .collect())
}

/// Puts every document into its place in stored order.
///
/// A key that is wanted `m` times has each of its documents `m` times in a row; the `n`th place of
/// the key takes every `m`th of them, from the `n`th on.
fn place<V>(
    positions: &[Option<SlotNumber>],
    keys: &KeyIndex,
    repeats: &[u32],
    fetched: Fetched<V>,
) -> Vec<Slot<V>> {
    let groups = Groups::new(keys.len(), &fetched.answers);
    let mut documents: Vec<Option<V>> = fetched.documents.into_iter().map(Some).collect();
    let mut seen = vec![0_usize; repeats.len()];
    let by_number = if positions
        .iter()
        .flatten()
        .any(|slot| groups.of(*slot).is_empty())
    {
        keys.by_number()
    } else {
        Vec::new()
    };
    let mut slots = Vec::with_capacity(positions.len());
    for position in positions {
        let Some(number) = position else {
            slots.push(Slot::Null);
            continue;
        };
        let group = groups.of(*number);
        if group.is_empty() {
            slots.extend(by_number.get(index(*number)).cloned().map(Slot::Missing));
            continue;
        }
        let step = repeats
            .get(index(*number))
            .map_or(1, |wanted| index(*wanted).max(1));
        let first = seen
            .get_mut(index(*number))
            .map_or(0, |seen| std::mem::replace(seen, *seen + 1));
        let taken = group.iter().skip(first).step_by(step);
        slots.extend(
            taken
                .filter_map(|at| documents.get_mut(index(*at))?.take())
                .map(Slot::Found),
        );
    }
    slots
}

fn check_all(
    require_all: bool,
    request: &Request,
    keys: &KeyIndex,
    answers: &[(SlotNumber, u32)],
) -> Result<()> {
    if !require_all {
        return Ok(());
    }
    let missing = missing_keys(keys, &Groups::new(keys.len(), answers));
    if missing.is_empty() {
        return Ok(());
    }
    Err(request.missing(&missing))
}

fn missing_keys(keys: &KeyIndex, groups: &Groups) -> Vec<JoinKey> {
    keys.keys_where(|number| groups.of(*number).is_empty())
}

impl<T: Model, V: DeserializeOwned + Send + 'static> IntoFuture for LoadMany<T, V> {
    type Output = Result<Vec<V>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.prepare()?.run().await })
    }
}
