//! Code that the tests of copies share: a database with its indexes, and functions that read stored documents.

use std::time::Duration;

use mongo_odm::{Odm, Settings, Settle, bson::Bson, bson::Document, prelude::*};
use odm_tests::Harness;
pub use odm_tests::known_to_all;

use crate::models::*;

/// A database in which only the test runs jobs, and jobs do their last look at once. All programs know the declarations
/// of this program. The test creates the indexes of its models.
pub async fn empty(test: &str) -> Harness {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    t
}

/// As `empty`, but no other program knows the declarations of this program yet, as in its first minutes.
pub async fn undeclared(test: &str) -> Harness {
    let mut t = Harness::new(test).await;
    t.odm = t.odm.with_settings(settings());
    t
}

/// As `empty`, with the indexes of the models of the literature.
pub async fn shop(test: &str) -> Harness {
    let t = empty(test).await;
    index_shop(&t.odm).await;
    t
}

pub async fn index_shop(odm: &Odm) {
    let sync = odm.sync_indexes().only::<Part>().only::<Product>();
    let sync = sync.only::<Host>().only::<LogMsg>();
    sync.only::<Server>().only::<Entry>().await.unwrap();
}

/// Settings with which only the test runs jobs, and jobs do their last look at once.
pub fn settings() -> Settings {
    Settings::default()
        .settle(Settle::Manual)
        .grace(Duration::ZERO)
}

/// Starts another program, which has to read and store declarations itself.
pub fn program(odm: &Odm) -> Odm {
    Odm::new(odm.database().clone()).with_settings(settings())
}

/// Starts a program whose declarations are so old that all programs know them.
pub async fn long_known(odm: &Odm) -> Odm {
    program(odm).run_pending_jobs().await.unwrap();
    known_to_all(odm).await;
    program(odm)
}

/// Returns a handle that leaves all copies to jobs, however few there are.
pub fn by_jobs(odm: &Odm) -> Odm {
    odm.with_settings(settings().inline_copies(0))
}

/// The two ways in which copies are updated: in the transaction of their source, and by a job.
pub fn both_ways(odm: &Odm) -> [(&'static str, Odm); 2] {
    [("inline", odm.clone()), ("job", by_jobs(odm))]
}

/// Lists the stored jobs.
pub async fn jobs(odm: &Odm) -> Vec<Document> {
    all(odm, "_odm_jobs").await
}

/// Lists the documents of a collection in the order of their ids.
pub async fn all(odm: &Odm, collection: &str) -> Vec<Document> {
    use futures_util::TryStreamExt;
    let collection = odm.database().collection::<Document>(collection);
    let found = collection.find(doc! {}).sort(doc! { "_id": 1 }).await;
    found.unwrap().try_collect().await.unwrap()
}

/// Returns a stored document without changes.
pub async fn raw(odm: &Odm, collection: &str, id: impl Into<Bson>) -> Document {
    let collection = odm.database().collection::<Document>(collection);
    let found = collection.find_one(doc! { "_id": id.into() }).await;
    found.unwrap().unwrap()
}

/// Stores documents without the library.
pub async fn put(odm: &Odm, collection: &str, documents: impl IntoIterator<Item = Document>) {
    let collection = odm.database().collection::<Document>(collection);
    let documents: Vec<Document> = documents.into_iter().collect();
    for _ in 0..20 {
        match collection.insert_many(&documents).await {
            // Other tests with large documents fill the cache of the server.
            Err(error) if error.to_string().contains("storage engine cache") => {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            done => {
                done.unwrap();
                return;
            }
        }
    }
    panic!("the cache of the server stays full");
}

/// Lists ids of the types that an `_id` can have, several of most.
pub fn ids_of_several_types() -> Vec<Bson> {
    let bytes = |byte: u8| bson::Uuid::from_bytes([byte; 16]);
    let date = |millis: i64| DateTime::from_millis(millis);
    vec![
        Bson::Null,
        1.into(),
        2.5.into(),
        3_i64.into(),
        f64::NAN.into(),
        "a".into(),
        "b".into(),
        "c".into(),
        doc! { "a": 1 }.into(),
        doc! { "a": "b" }.into(),
        bytes(1).into(),
        bytes(2).into(),
        ObjectId::new().into(),
        ObjectId::new().into(),
        ObjectId::new().into(),
        false.into(),
        true.into(),
        date(1).into(),
        date(2).into(),
    ]
}

/// Counts the stored documents that match.
pub async fn count(odm: &Odm, collection: &str, filter: Document) -> u64 {
    let collection = odm.database().collection::<Document>(collection);
    collection.count_documents(filter).await.unwrap()
}

/// Counts the messages of a host whose copy differs from it.
pub async fn stale(odm: &Odm, host: &Host) -> u64 {
    let ip = Host::get(odm, host.id).await.unwrap().ipaddr;
    let stale = doc! { "host": host.id, "ipaddr": { "$ne": ip } };
    count(odm, "logmsg", stale).await
}

/// Runs all jobs to their end.
pub async fn settle(odm: &Odm) {
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(jobs(odm).await, Vec::<Document>::new());
    assert_eq!(all(odm, "_odm_cursors").await, Vec::<Document>::new());
}

/// Makes all jobs due, as if the time had passed after which failed jobs are tried again.
pub async fn later(odm: &Odm) {
    let jobs = odm.database().collection::<Document>("_odm_jobs");
    let now = vec![doc! { "$set": { "due_at": "$$NOW" } }];
    jobs.update_many(doc! {}, now).await.unwrap();
}

/// Ends the leases of all runners, as happens 30 seconds after a runner has crashed.
pub async fn runners_are_dead(odm: &Odm) {
    let cursors = odm.database().collection::<Document>("_odm_cursors");
    let then = doc! { "$set": { "until": DateTime::MIN } };
    cursors.update_many(doc! {}, then).await.unwrap();
}

/// Sets a validator that rejects documents of a collection which do not match. Existing documents remain.
pub async fn validate(odm: &Odm, collection: &str, validator: Document) {
    let command = doc! { "collMod": collection, "validator": validator };
    odm.database().run_command(command).await.unwrap();
}
