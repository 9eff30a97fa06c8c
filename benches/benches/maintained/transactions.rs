//! Writes that need a transaction: those of a model with hooks, and the delete of a model with an archive. Each is
//! compared with the same write without the option, and with hand-written code that does the same in a transaction.
//!
//! The hooks compute a field. They do not send statements of their own. The workload of an archive inserts a document
//! with the driver, in all variants, and then deletes it.

use mongo_odm::{
    Odm, Update,
    mongodb::{
        Collection, Database,
        bson::{Document, oid::ObjectId},
    },
    prelude::*,
};
use odm_benches::{
    Result,
    measure::{Kind, Variant},
};

use crate::{key_of, variant};

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bench_bare")]
struct Bare {
    #[serde(rename = "_id")]
    id: Id<Bare>,
    title: String,
    search: String,
    points: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bench_hooked", hooks)]
struct Hooked {
    #[serde(rename = "_id")]
    id: Id<Hooked>,
    title: String,
    search: String,
    points: i64,
}

impl Hooks for Hooked {
    async fn before_insert(&mut self, _tx: &Tx) -> mongo_odm::Result<()> {
        self.search = self.title.to_lowercase();
        Ok(())
    }

    async fn before_update(&self, change: &mut Update<Self>, _tx: &Tx) -> mongo_odm::Result<()> {
        change.set(Self::fields().search, self.title.to_lowercase());
        Ok(())
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bench_archived", on_delete = "archive")]
struct Archived {
    #[serde(rename = "_id")]
    id: Id<Archived>,
    title: String,
    search: String,
    points: i64,
}

const TITLE: &str = "A Task of the Benchmark";

fn hooked(key: ObjectId) -> Hooked {
    Hooked {
        id: Id::from_key(key),
        title: TITLE.into(),
        search: String::new(),
        points: 3,
    }
}

fn bare(key: ObjectId) -> Bare {
    Bare {
        id: Id::from_key(key),
        title: TITLE.into(),
        search: TITLE.to_lowercase(),
        points: 3,
    }
}

fn document(key: ObjectId) -> Document {
    doc! { "_id": key, "title": TITLE, "search": TITLE.to_lowercase(), "points": 3_i64 }
}

/// Stores the documents that the updates use, and creates the collections.
pub(crate) async fn prepare(odm: &Odm, keys: &[ObjectId]) -> Result<()> {
    let documents: Vec<_> = keys.iter().copied().map(bare).collect();
    Bare::insert_many(odm, &documents).await?;
    let documents: Vec<_> = keys.iter().copied().map(hooked).collect();
    Hooked::insert_many(odm, &documents).await?;
    let key = ObjectId::new();
    documents_of(odm.database(), "bench_archived")
        .insert_one(document(key))
        .await?;
    Archived::delete(odm, Id::from_key(key)).await?;
    Ok(())
}

fn documents_of(database: &Database, name: &str) -> Collection<Document> {
    database.collection(name)
}

pub(crate) fn hooked_inserts(odm: &Odm) -> Vec<Variant> {
    let (first, second, third) = (odm.clone(), odm.clone(), odm.database().clone());
    vec![
        variant("hooks", Kind::Library, move |_| {
            let odm = first.clone();
            async move {
                hooked(ObjectId::new()).insert(&odm).await?;
                Ok(())
            }
        }),
        variant("no hooks", Kind::Usual, move |_| {
            let odm = second.clone();
            async move {
                bare(ObjectId::new()).insert(&odm).await?;
                Ok(())
            }
        }),
        variant("hand-written", Kind::Hand, move |_| {
            let database = third.clone();
            async move {
                let mut session = database.client().start_session().await?;
                session.start_transaction().await?;
                documents_of(&database, "bench_hooked")
                    .insert_one(document(ObjectId::new()))
                    .session(&mut session)
                    .await?;
                session.commit_transaction().await?;
                Ok(())
            }
        }),
    ]
}

#[allow(
    clippy::cast_possible_wrap,
    reason = "the numbers of calls are far from the limit of a long"
)]
pub(crate) fn hooked_updates(odm: &Odm, keys: &[ObjectId]) -> Vec<Variant> {
    let (first, second, third) = (odm.clone(), odm.clone(), odm.database().clone());
    let (key, other, another) = (key_of(keys), key_of(keys), key_of(keys));
    vec![
        variant("hooks", Kind::Library, move |number| {
            let (odm, id) = (first.clone(), Id::from_key(key(number)));
            async move {
                let points = Hooked::fields().points;
                Hooked::update(&odm, id).set(points, number as i64).await?;
                Ok(())
            }
        }),
        variant("no hooks", Kind::Usual, move |number| {
            let (odm, id) = (second.clone(), Id::from_key(other(number)));
            async move {
                let points = Bare::fields().points;
                Bare::update(&odm, id).set(points, number as i64).await?;
                Ok(())
            }
        }),
        variant("hand-written", Kind::Hand, move |number| {
            let (database, id) = (third.clone(), another(number));
            async move {
                let tasks = documents_of(&database, "bench_hooked");
                let mut session = database.client().start_session().await?;
                session.start_transaction().await?;
                let found = tasks.find_one(doc! { "_id": id }).session(&mut session);
                let task = found.await?.ok_or("no document")?;
                let search = task.get_str("title")?.to_lowercase();
                let set = doc! { "points": number as i64, "search": search };
                tasks
                    .update_one(doc! { "_id": id }, doc! { "$set": set })
                    .session(&mut session)
                    .await?;
                session.commit_transaction().await?;
                Ok(())
            }
        }),
    ]
}

pub(crate) fn archived_deletes(odm: &Odm) -> Vec<Variant> {
    let (first, second, third) = (odm.clone(), odm.clone(), odm.database().clone());
    vec![
        variant("archive", Kind::Library, move |_| {
            let odm = first.clone();
            async move {
                let key = ObjectId::new();
                documents_of(odm.database(), "bench_archived")
                    .insert_one(document(key))
                    .await?;
                Archived::delete(&odm, Id::from_key(key)).await?;
                Ok(())
            }
        }),
        variant("no archive", Kind::Usual, move |_| {
            let odm = second.clone();
            async move {
                let key = ObjectId::new();
                documents_of(odm.database(), "bench_bare")
                    .insert_one(document(key))
                    .await?;
                Bare::delete(&odm, Id::from_key(key)).await?;
                Ok(())
            }
        }),
        variant("hand-written", Kind::Hand, move |_| {
            let database = third.clone();
            async move {
                let key = ObjectId::new();
                let tasks = documents_of(&database, "bench_archived");
                tasks.insert_one(document(key)).await?;
                let mut session = database.client().start_session().await?;
                session.start_transaction().await?;
                let removed = tasks
                    .find_one_and_delete(doc! { "_id": key })
                    .session(&mut session)
                    .await?
                    .ok_or("no document")?;
                documents_of(&database, "bench_archived_archive")
                    .insert_one(removed)
                    .session(&mut session)
                    .await?;
                session.commit_transaction().await?;
                Ok(())
            }
        }),
    ]
}
