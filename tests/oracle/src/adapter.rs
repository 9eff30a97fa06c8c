//! Accesses a model through a trait that does not contain the model's type, so that calls can be represented as data.

use std::marker::PhantomData;

use futures_util::{FutureExt as _, future::BoxFuture};
use mongo_odm::{
    BulkReport, CascadeReport, CopyOptions, CopyReport, DeleteReport, Drifted, Executor, Guarantee,
    InsertReport, Model, Odm, RestoreReport, Result, Token, Update, UpdateOperators, UpdateReport,
    UpsertReport,
    action::BulkWrite,
    bson::{Bson, Document, deserialize_from_bson, deserialize_from_document, doc},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::program::{Call, Change, Follow, Relate, Write};

/// A call that is sent when it is awaited.
pub type Sent<R> = BoxFuture<'static, Result<R>>;

/// The report of a call of any kind.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Whether the report says that work is left to be done.
    pub is_eventual: bool,
    /// The report's lists of copies and of documents that referred to deleted ones, as text.
    pub text: String,
    /// The jobs and deltas that are left; `None` for a call that returns no report.
    pub token: Option<Token>,
}

impl Report {
    fn new(token: &Token, copies: &[CopyReport], cascaded: &[CascadeReport]) -> Self {
        let of_copies = copies.iter().map(|it| it.guarantee);
        let mut guarantees = of_copies.chain(cascaded.iter().map(|it| it.guarantee));
        Self {
            is_eventual: guarantees.any(|it| it == Guarantee::Eventual),
            text: format!("{copies:?} {cascaded:?}"),
            token: Some(token.clone()),
        }
    }
}

/// The calls of a model that are generated for each declaration.
pub trait Typed: Model + Clone {
    /// Adds a typed operator to an update.
    fn operate(update: Update<Self>, change: Change) -> Update<Self>;
    /// Sends one of the calls that are generated for relations.
    fn relate(&self, _: &dyn Executor, call: &Relate) -> Sent<UpdateReport> {
        panic!("no call {call:?}")
    }
    /// Sends one of the calls that exist only for models that keep deleted documents.
    fn live(_: &dyn Executor, write: &Write, _: Follow) -> Sent<Report> {
        panic!("no call {write:?}")
    }
}

/// The calls of a model, without its type.
pub trait Adapter: Send + Sync {
    /// Sends a call.
    fn send(&self, on: &dyn Executor, write: &Write, follow: Follow) -> Sent<Report>;
    /// Sends a call as a bulk write. Returns `None` if the write cannot be an operation of a bulk write.
    fn send_in_bulk(&self, on: &dyn Executor, bulk: BulkWrite, call: &Call)
    -> Option<Sent<Report>>;
    /// Reads all documents that programs have written. Fails if a document cannot be decoded.
    fn read(&self, on: &dyn Executor) -> Sent<usize>;
    /// Creates the indexes of the collection.
    fn sync(&self, odm: &Odm) -> Sent<()>;
    /// Writes the validator of the collection.
    fn validate(&self, odm: &Odm) -> Sent<()>;
    /// Returns the findings about the model.
    fn verify(&self, odm: &Odm) -> Sent<Vec<Drifted>>;
    /// Repairs the findings about the model.
    fn repair(&self, odm: &Odm) -> Sent<()>;
}

/// The adapter of a model.
#[derive(Debug)]
pub struct Of<M>(PhantomData<fn() -> M>);

impl<M> Default for Of<M> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<M: Typed> Adapter for Of<M>
where
    M::Id: From<M::Key>,
{
    fn send(&self, on: &dyn Executor, write: &Write, follow: Follow) -> Sent<Report> {
        match write {
            Write::Insert(one) => send(follow, read::<M>(one).insert(on)),
            Write::InsertMany(all, is_ordered) => {
                let all: Vec<M> = all.iter().map(read).collect();
                let insert = M::insert_many(on, &all);
                send(
                    follow,
                    if *is_ordered {
                        insert
                    } else {
                        insert.unordered()
                    },
                )
            }
            Write::Save(one) => send(follow, read::<M>(one).save(on)),
            Write::Replace(one) => send(follow, read::<M>(one).replace(on)),
            Write::Update(id, changes) => send(
                follow,
                M::update(on, key::<M>(*id)).modifications(update::<M>(changes)),
            ),
            Write::Pipeline(id, changes) => {
                let set = |it: &Change| {
                    (
                        it.stored.clone(),
                        Bson::from(doc! { "$literal": &it.value }),
                    )
                };
                let stage = doc! { "$set": changes.iter().map(set).collect::<Document>() };
                let update = M::update(on, key::<M>(*id)).modifications(vec![stage]);
                send(follow, update)
            }
            Write::UpdateMany(filter, changes) => send(
                follow,
                M::update_many(on, filter.clone()).modifications(update::<M>(changes)),
            ),
            Write::FindAndUpdate(filter, changes) => {
                let found = M::find_one_and_update(on, filter.clone());
                found_and_updated(follow, found.modifications(update::<M>(changes)))
            }
            Write::Upsert(id, changes) => send(
                follow,
                M::upsert(on, doc! { "_id": *id }).modifications(update::<M>(changes)),
            ),
            Write::Delete(id) => send(follow, M::delete(on, key::<M>(*id))),
            Write::DeleteMany(filter) => send(follow, M::delete_many(on, filter.clone())),
            Write::Restore(_) | Write::Purge(_) | Write::PurgeMany(_) => M::live(on, write, follow),
            Write::Relate(call) => {
                let sent = read::<M>(&call.of).relate(
                    on,
                    &Relate {
                        follow,
                        ..call.clone()
                    },
                );
                sent.map(|done| done.map(Report::from)).boxed()
            }
        }
    }

    fn send_in_bulk(
        &self,
        on: &dyn Executor,
        bulk: BulkWrite,
        call: &Call,
    ) -> Option<Sent<Report>> {
        let follow = call.follow;
        let bulk = match &call.write {
            Write::Insert(one) => bulk.add(options(follow, read::<M>(one).insert(on))),
            Write::Save(one) => bulk.add(options(follow, read::<M>(one).save(on))),
            Write::Replace(one) => bulk.add(options(follow, read::<M>(one).replace(on))),
            Write::Update(id, changes) => {
                let one = M::update(on, key::<M>(*id));
                bulk.add(options(follow, one.modifications(update::<M>(changes))))
            }
            Write::UpdateMany(filter, changes) => {
                let many = M::update_many(on, filter.clone());
                bulk.add(options(follow, many.modifications(update::<M>(changes))))
            }
            Write::Upsert(id, changes) => {
                let upsert = M::upsert(on, doc! { "_id": *id });
                bulk.add(options(follow, upsert.modifications(update::<M>(changes))))
            }
            Write::Delete(id) => bulk.add(options(follow, M::delete(on, key::<M>(*id)))),
            Write::DeleteMany(filter) => {
                bulk.add(options(follow, M::delete_many(on, filter.clone())))
            }
            // An operation of a bulk write can fail for reasons that do not exist for a document of one `insert_many`.
            _ => return None,
        };
        Some(bulk.into_future().map(|done| done.map(Into::into)).boxed())
    }

    fn read(&self, on: &dyn Executor) -> Sent<usize> {
        M::find(on)
            .filter(doc! { "_id": { "$type": "long" } })
            .into_future()
            .map(|found| found.map(|it| it.len()))
            .boxed()
    }

    fn sync(&self, odm: &Odm) -> Sent<()> {
        odm.sync_indexes()
            .only::<M>()
            .into_future()
            .map(|done| done.map(drop))
            .boxed()
    }

    fn validate(&self, odm: &Odm) -> Sent<()> {
        odm.sync_validators()
            .only::<M>()
            .into_future()
            .map(|done| done.map(drop))
            .boxed()
    }

    fn verify(&self, odm: &Odm) -> Sent<Vec<Drifted>> {
        odm.verify()
            .only::<M>()
            .into_future()
            .map(|drift| drift.map(|it| it.items))
            .boxed()
    }

    fn repair(&self, odm: &Odm) -> Sent<()> {
        let repair = odm.verify().only::<M>().repair();
        repair.into_future().map(|done| done.map(drop)).boxed()
    }
}

/// Converts a document that was drawn for a program to a struct.
fn read<M: Model>(document: &Document) -> M {
    let made = deserialize_from_document(document.clone());
    made.unwrap_or_else(|error| panic!("{document} is no {}: {error}", M::SHAPE.name))
}

pub(crate) fn key<M: Model>(id: i64) -> M::Id
where
    M::Id: From<M::Key>,
{
    M::Id::from(value(Bson::Int64(id)))
}

/// Converts BSON to a value.
pub(crate) fn value<T: DeserializeOwned>(bson: Bson) -> T {
    deserialize_from_bson(bson).unwrap_or_else(|error| panic!("{error}"))
}

fn update<M: Typed>(changes: &[Change]) -> Update<M> {
    let add = |update: Update<M>, change: &Change| match &change.plain {
        Some(plain) => update.with(plain.clone()),
        None => M::operate(update, change.clone()),
    };
    changes.iter().fold(Update::new(), add)
}

/// Sends a call with its options.
pub(crate) fn send<B, R>(follow: Follow, builder: B) -> Sent<Report>
where
    B: CopyOptions + IntoFuture<Output = Result<R>, IntoFuture = Sent<R>>,
    R: Into<Report> + 'static,
{
    options(follow, builder)
        .into_future()
        .map(|done| done.map(Into::into))
        .boxed()
}

fn found_and_updated<B, V: 'static>(follow: Follow, builder: B) -> Sent<Report>
where
    B: CopyOptions + IntoFuture<Output = Result<Option<V>>, IntoFuture = Sent<Option<V>>>,
{
    options(follow, builder)
        .into_future()
        .map(|done| done.map(|_| Report::default()))
        .boxed()
}

/// Sets how the derived data is updated.
pub(crate) fn options<B: CopyOptions>(follow: Follow, builder: B) -> B {
    match follow {
        Follow::Inline => builder,
        Follow::Atomic => builder.atomic(),
        Follow::Deferred => builder.deferred(),
        Follow::KeepSnapshots => builder.keep_snapshots(),
    }
}

macro_rules! reports {
    ($($of:ty)*) => {$(
        impl From<$of> for Report {
            fn from(report: $of) -> Self {
                Self::new(report.token(), &report.copies, &[])
            }
        }
    )*};
}

reports! { InsertReport UpdateReport UpsertReport }

impl From<RestoreReport> for Report {
    fn from(report: RestoreReport) -> Self {
        Self::new(report.token(), &report.copies, &report.cascaded)
    }
}

impl From<BulkReport> for Report {
    fn from(report: BulkReport) -> Self {
        Self::new(report.token(), &report.copies, &report.cascaded)
    }
}

impl From<DeleteReport> for Report {
    fn from(report: DeleteReport) -> Self {
        Self::new(report.token(), &report.copies, &report.cascaded)
    }
}
