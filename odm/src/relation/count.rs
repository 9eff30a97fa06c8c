//! Counts related documents on the server.

use std::{future::IntoFuture, marker::PhantomData, ops::Range};

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Document, RawDocument, doc},
    options::Collation,
};

use super::{
    KeysOf,
    joined::index,
    keys::{KeyIndex, SlotNumber, Slots},
    ranges::Cut,
    request::{Request, any_of, simple_collation},
};
use crate::{
    command::{Aggregate, Command},
    error::Result,
    filter::Filter,
    odm::{Exec, each_document},
    place::Place,
    shape::{ModelShape, walk},
    statement::Plan,
};

/// Counts the documents of one document's relation: `host.count_messages(&odm)`.
///
/// Awaiting it sends one aggregation that counts on the server, none for no keys, and one for each
/// 8 MB of keys. It counts
/// documents, each once, however often it is referred to, and wants the index of the relation.
///
/// # Errors
///
/// What the driver reports.
#[must_use = "a count is sent when it is awaited"]
#[derive(Debug)]
pub struct CountRelated {
    slots: Slots,
    request: Result<Request>,
    exec: Exec,
}

impl CountRelated {
    pub(super) fn new(
        relation: &'static str,
        target: &'static ModelShape,
        path: String,
        mut slots: Slots,
        exec: Exec,
    ) -> Self {
        let request = slots
            .check(relation)
            .map(|()| Request::new(relation, target, path));
        Self {
            slots,
            request,
            exec,
        }
    }

    /// Counts only documents that match a filter.
    pub fn filter<T>(mut self, filter: impl Into<Filter<T>>) -> Self {
        self.request = self.request.and_then(|mut request| {
            request.narrow(filter.into().into_document()?);
            Ok(request)
        });
        self
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// As awaiting it would.
    pub fn plan(self) -> Result<Plan> {
        let request = self.request?;
        let keys = &self.slots.index;
        let ranges = keys.ranges(self.exec.settings(), Cut::Whole).into_iter();
        let statements = ranges.map(|range| count_all(&request, range, keys).shown());
        Ok(Plan {
            statements: statements.collect(),
        })
    }

    async fn run(self) -> Result<u64> {
        let request = self.request?;
        let mut total = 0;
        let keys = &self.slots.index;
        for range in keys.ranges(self.exec.settings(), Cut::Whole) {
            let count = count_all(&request, range, keys);
            let mut batches = self.exec.open(count).await?;
            while let Some(batch) = batches.next().await? {
                each_document(&batch, |document| {
                    total += number(document);
                    Ok(())
                })?;
            }
        }
        Ok(total)
    }
}

fn count_all(request: &Request, range: Range<SlotNumber>, keys: &KeyIndex) -> Aggregate {
    let query = request.query(range, keys);
    let pipeline = vec![doc! { "$match": query.filter }, doc! { "$count": "n" }];
    aggregate(request, pipeline, query.options.collation, keys)
}

fn count_by_key(request: &Request, range: Range<SlotNumber>, keys: &KeyIndex) -> Aggregate {
    let query = request.query(range.clone(), keys);
    let values = keys.values(range);
    let pipeline = group_by_key(request.target, &request.path, query.filter, values);
    let mut grouped = aggregate(request, pipeline, query.options.collation, keys);
    grouped.options.batch_size = Some(100_000);
    grouped
}

/// What the server counts cannot be dropped here, so that it must compare keys byte by byte.
fn aggregate(
    request: &Request,
    pipeline: Vec<Document>,
    collation: Option<Collation>,
    keys: &KeyIndex,
) -> Aggregate {
    let collation = collation.or_else(|| keys.has_collation().then(simple_collation));
    Aggregate::new(Place::of(request.target), pipeline).collation(collation)
}

fn number(document: &RawDocument) -> u64 {
    let int = match document.get("n") {
        Ok(Some(value)) => value.as_i64().or_else(|| value.as_i32().map(i64::from)),
        _ => None,
    };
    int.and_then(|int| u64::try_from(int).ok()).unwrap_or(0)
}

impl IntoFuture for CountRelated {
    type Output = Result<u64>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// Counts the documents of each of many owners: `Host::join_messages(&hosts, &odm).count_each()`.
///
/// Awaiting it sends one aggregation with a `$group` on the key, none for no keys; owners without
/// documents count 0.
///
/// # Errors
///
/// What the driver reports.
#[must_use = "a count is sent when it is awaited"]
#[derive(Debug)]
pub struct CountEach<O> {
    keys: KeysOf<O>,
    index: KeyIndex,
    request: Result<Request>,
    exec: Exec,
}

/// How many documents each owner has.
#[derive(Debug)]
pub struct Counts<O> {
    keys: KeysOf<O>,
    index: KeyIndex,
    by_key: Vec<u64>,
    owners: PhantomData<fn(&O)>,
}

impl<O> Counts<O> {
    /// Returns the number of documents that the references of an owner lead to. A document that
    /// several of its keys lead to counts for each of them.
    pub fn of(&self, owner: &O) -> u64 {
        let mut numbers = Vec::new();
        (self.keys)(owner, &mut |slot| {
            numbers.extend(slot.ok().and_then(|key| self.index.get(&key)));
        });
        numbers.sort_unstable();
        numbers.dedup();
        numbers
            .iter()
            .filter_map(|number| self.by_key.get(index(*number)))
            .sum()
    }
}

impl<O> CountEach<O> {
    pub(super) fn new(
        keys: KeysOf<O>,
        index: KeyIndex,
        request: Result<Request>,
        exec: Exec,
    ) -> Self {
        Self {
            keys,
            index,
            request,
            exec,
        }
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// As awaiting it would.
    pub fn plan(self) -> Result<Plan> {
        let request = self.request?;
        let ranges = self
            .index
            .ranges(self.exec.settings(), Cut::Whole)
            .into_iter();
        let statements = ranges.map(|range| count_by_key(&request, range, &self.index).shown());
        Ok(Plan {
            statements: statements.collect(),
        })
    }

    async fn run(self) -> Result<Counts<O>> {
        let request = self.request?;
        let mut counts = vec![0; index(self.index.len())];
        for range in self.index.ranges(self.exec.settings(), Cut::Whole) {
            let count = count_by_key(&request, range, &self.index);
            let mut batches = self.exec.open(count).await?;
            while let Some(batch) = batches.next().await? {
                each_document(&batch, |group| {
                    add_group(group, &self.index, &mut counts);
                    Ok(())
                })?;
            }
        }
        Ok(Counts {
            keys: self.keys,
            index: self.index,
            by_key: counts,
            owners: PhantomData,
        })
    }
}

fn add_group(group: &RawDocument, keys: &KeyIndex, counts: &mut [u64]) {
    let Ok(Some(key)) = group.get("_id") else {
        return;
    };
    let slot = keys.get_raw(0, key);
    if let Some(count) = slot.and_then(|slot| counts.get_mut(index(slot))) {
        *count += number(group);
    }
}

/// Groups documents by a key. A key in an array makes its document one of each group, once.
fn group_by_key(
    target: &'static ModelShape,
    path: &str,
    filter: Document,
    keys: Vec<mongodb::bson::Bson>,
) -> Vec<Document> {
    let mut pipeline = vec![doc! { "$match": filter }];
    let reference = format!("${path}");
    match arrays_on(target, path) {
        0 => pipeline.push(doc! { "$group": { "_id": reference, "n": { "$sum": 1 } } }),
        arrays => {
            pipeline.push(doc! { "$project": { "k": reference } });
            pipeline.extend((0..arrays).map(|_| doc! { "$unwind": "$k" }));
            pipeline.push(doc! { "$match": any_of("k", keys) });
            pipeline.push(doc! { "$group": { "_id": { "k": "$k", "d": "$_id" } } });
            pipeline.push(doc! { "$group": { "_id": "$_id.k", "n": { "$sum": 1 } } });
        }
    }
    pipeline
}

/// How many arrays lie on a path, the value at its end included.
fn arrays_on(target: &'static ModelShape, path: &str) -> usize {
    walk(target.fields)
        .iter()
        .find(|field| field.path == path)
        .map_or(1, |field| {
            field.arrays_above + usize::from(field.shape.array)
        })
}

impl<O: 'static> IntoFuture for CountEach<O> {
    type Output = Result<Counts<O>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}
