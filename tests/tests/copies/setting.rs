//! What the tests of copies share: a database with its indexes, and looks at what is stored.

use std::time::Duration;

use mongo_odm::{Odm, Settings, Settle, bson::Document, prelude::*};
use odm_tests::Harness;

/// A database with its indexes, whose jobs are run by the test alone and take their last look at once.
pub async fn shop(test: &str) -> Harness {
    let mut t = Harness::new(test).await;
    t.odm = t.odm.with_settings(settings());
    t.odm.sync_indexes().await.unwrap();
    t
}

pub fn settings() -> Settings {
    Settings::default()
        .settle(Settle::Manual)
        .grace(Duration::ZERO)
}

/// Lists the jobs that are stored.
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

/// Runs all jobs to their end.
pub async fn settle(odm: &Odm) {
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(jobs(odm).await, Vec::<Document>::new());
    assert_eq!(all(odm, "_odm_cursors").await, Vec::<Document>::new());
}
