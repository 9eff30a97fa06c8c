//! The watcher, which detects changes to sources by programs that do not use the library.

mod crashes;
mod foreign;
mod own;

use std::time::Duration;

use mongo_odm::{
    Odm,
    bson::{Bson, Document, doc},
    prelude::*,
};
use tokio::task::JoinHandle;

use crate::{models::*, setting::*};

/// A person whose tasks remain when the person is deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_people")]
pub struct Person {
    #[serde(rename = "_id")]
    pub id: Id<Person>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_tasks")]
pub struct Task {
    #[serde(rename = "_id")]
    pub id: Id<Task>,
    #[refs(one, on_delete = "nullify")]
    pub owner: Option<Id<Person>>,
    #[denorm(from = Person.name, on_delete = "nullify")]
    pub owner_name: Option<String>,
}

/// Starts a watcher, and returns when its stream is open.
pub(crate) async fn watching(odm: &Odm) -> JoinHandle<mongo_odm::Result<()>> {
    let before = streams(odm).await;
    let watcher = tokio::spawn(odm.watch_sources().run());
    eventually(async || streams(odm).await != before).await;
    watcher
}

async fn streams(odm: &Odm) -> Vec<Document> {
    all(odm, "_odm_streams").await
}

/// Kills a watcher in the middle of whatever it does.
pub(crate) async fn kill(watcher: JoinHandle<mongo_odm::Result<()>>) {
    watcher.abort();
    assert!(watcher.await.is_err_and(|error| error.is_cancelled()));
}

async fn eventually(holds: impl AsyncFn() -> bool) {
    for _ in 0..300 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it does not come to pass");
}

/// Runs jobs until something holds.
pub(crate) async fn run_until(odm: &Odm, holds: impl AsyncFn() -> bool) {
    eventually(async || {
        odm.run_pending_jobs().await.unwrap();
        holds().await
    })
    .await;
}

/// Runs jobs until there are none.
pub(crate) async fn run_all(odm: &Odm) {
    run_until(odm, async || jobs(odm).await.is_empty()).await;
}

fn id<M>(id: Id<M>) -> Bson {
    Bson::ObjectId(id.into_key())
}

/// Writes to one document as another program would.
async fn foreign(odm: &Odm, collection: &str, of: Bson, update: Document) {
    let collection = odm.database().collection::<Document>(collection);
    let updated = collection.update_one(doc! { "_id": of }, update).await;
    assert_eq!(updated.unwrap().matched_count, 1);
}

/// Renames a separate source, and waits for its job. At this time, the watcher has processed all earlier events.
async fn fence(odm: &Odm, host: &Host) {
    let to = doc! { "$set": { "ipaddr": Id::<Host>::new().to_string() } };
    foreign(odm, "hosts", id(host.id), to).await;
    eventually(async || job(odm, id(host.id)).await.is_some()).await;
}

async fn job(odm: &Odm, key: Bson) -> Option<Document> {
    let of = |job: &Document| job.get_document("_id").unwrap().get("key") == Some(&key);
    jobs(odm).await.into_iter().find(of)
}

/// A host with messages that were stored before the watcher starts.
async fn host_with_messages(odm: &Odm, number: u8) -> (Host, Vec<LogMsg>) {
    let host = host(number);
    host.insert(odm).await.unwrap();
    let messages = messages(&host, 3);
    LogMsg::insert_many(odm, &messages).await.unwrap();
    (host, messages)
}

async fn have_address(odm: &Odm, host: &Host, ipaddr: &str) -> bool {
    let fields = LogMsg::fields();
    let messages = LogMsg::find(odm).filter(fields.host.eq(host.id));
    let messages = messages.await.unwrap();
    messages.iter().all(|message| message.ipaddr == ipaddr)
}
