//! The behaviour that both versions of the program have in common, independent of their models.
//!
//! | collection | old version | new version |
//! |---|---|---|
//! | `suppliers` | the source | the same |
//! | `items` | `Item`, copies name, city, and phone as `phone_number`, rank as `i32` | `Article`, copies name, country, and phone as `supplier_phone`, rank as `Option<i64>` |
//! | `labels` | copies the name | not declared |
//! | `crates` | not declared | copies the name |

#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    missing_docs,
    async_fn_in_trait,
    reason = "a part of a test: it panics to fail"
)]

use std::{env, io::Read, time::Duration};

use futures_util::TryStreamExt;
use mongo_odm::{
    Odm, Result, Settings, Settle,
    bson::{Document, doc, oid::ObjectId},
    mongodb::Client,
};

/// A version of the program, with its own models.
pub trait Version {
    /// Changes all fields of a supplier that any version copies.
    async fn rename(&self, supplier: ObjectId, number: i32, odm: &Odm) -> Result<()>;
    /// Inserts an item, and a document of a model that only this version declares.
    async fn insert(&self, supplier: ObjectId, odm: &Odm) -> Result<()>;
    /// Saves an item with all of its fields.
    async fn save(&self, item: ObjectId, supplier: ObjectId, odm: &Odm) -> Result<()>;
    /// Changes an item's supplier.
    async fn relink(&self, item: ObjectId, supplier: ObjectId, odm: &Odm) -> Result<()>;
    /// Fills in the copies of the documents that are older than this version.
    async fn backfill(&self, odm: &Odm) -> Result<()>;
}

/// Executes the act in the arguments: `live` until standard input ends, `store`, `backfill`, `index` or `settle`.
pub async fn main(version: impl Version) {
    let mut arguments = env::args().skip(1);
    let (uri, act) = (arguments.next().unwrap(), arguments.next().unwrap());
    let client = Client::with_uri_str(&uri).await.unwrap();
    let settings = Settings::default()
        .settle(Settle::Manual)
        .grace(Duration::from_secs(5))
        .inline_copies(20)
        .schema_refresh(Duration::from_millis(200));
    let odm = Odm::new(client.default_database().unwrap()).with_settings(settings);
    match act.as_str() {
        "live" => live(&version, &odm).await,
        "store" => store(&version, &odm).await,
        "backfill" => version.backfill(&odm).await.unwrap(),
        "index" => _ = odm.sync_indexes().await.unwrap(),
        "settle" => _ = odm.run_pending_jobs().await.unwrap(),
        other => panic!("nobody knows how to {other}"),
    }
}

async fn live(version: &impl Version, odm: &Odm) {
    let (end, mut ended) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read(&mut [0]);
        let _ = end.send(());
    });
    let mut number = 0;
    while ended.try_recv().is_err() {
        number += 1;
        let supplier = some("suppliers", odm).await.unwrap();
        let item = some("items", odm).await;
        let done = match (fastrand::u8(..10), item) {
            (0..4, _) => version.rename(supplier, number, odm).await,
            (4, Some(item)) => version.save(item, supplier, odm).await,
            (5, Some(item)) => version.relink(item, supplier, odm).await,
            (6, _) => odm.run_pending_jobs().await.map(drop),
            _ => version.insert(supplier, odm).await,
        };
        done.unwrap();
    }
    odm.finish_writes().await;
}

/// Stores copies without changing a source, so that no rename writes copies that are missing.
async fn store(version: &impl Version, odm: &Odm) {
    for _ in 0..5 {
        let supplier = some("suppliers", odm).await.unwrap();
        version.insert(supplier, odm).await.unwrap();
        let (saved, relinked) = (some("items", odm).await, some("items", odm).await);
        version.save(saved.unwrap(), supplier, odm).await.unwrap();
        version
            .relink(relinked.unwrap(), supplier, odm)
            .await
            .unwrap();
    }
}

/// Returns the id of any document.
async fn some(collection: &str, odm: &Odm) -> Option<ObjectId> {
    let collection = odm.database().collection::<Document>(collection);
    let sample = collection.aggregate(vec![doc! { "$sample": { "size": 1 } }]);
    let mut found = sample.await.unwrap();
    let found = found.try_next().await.unwrap()?;
    Some(found.get_object_id("_id").unwrap())
}
