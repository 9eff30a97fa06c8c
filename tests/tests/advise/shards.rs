//! Shard keys (S1 to S5): on a sharded cluster of real `mongod` processes. The driver connects to the front of
//! `mongo-odm-testkit`, which is not `mongos`, or to the `mongos` in `MONGODB_URI`.

use std::time::Duration;

use mongo_odm::{
    Odm, Settings, Settle,
    bson::{Bson, DateTime, Document, doc, oid::ObjectId},
    mongodb::Client,
    prelude::*,
};
use mongo_odm_testkit::Cluster;
use mongo_odm_tools::{OdmTools, Severity, Thresholds};
use odm_tests::{Harness, cluster::is_sharded};
use tokio::sync::OnceCell;

use crate::seeds::{assert_is_concrete, figure, only, stored};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "advise_visits", shard_key(room = 1))]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit>,
    room: i32,
    #[index]
    guest: String,
}

/// A model whose shard key is a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "advise_entries", shard_key(at = 1))]
struct Entry {
    #[serde(rename = "_id")]
    id: Id<Entry>,
    at: DateTime,
}

/// A model without a shard key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "advise_notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note>,
    room: i32,
    text: String,
}

static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();

async fn cluster() -> &'static Cluster {
    let start = async || {
        let cluster = Cluster::start().await.unwrap();
        eprintln!("{cluster}");
        cluster
    };
    CLUSTER.get_or_init(start).await
}

/// Returns a handle to an empty database of the cluster.
async fn empty(name: &str) -> Odm {
    let options = cluster().await.client_options().await.unwrap();
    let client = Client::with_options(options).unwrap();
    let database = client.database(name);
    database.drop().await.unwrap();
    let settings = Settings::default().settle(Settle::Manual);
    Odm::new(database).with_settings(settings)
}

/// Returns an `ObjectId` that was created the given number of seconds after the first one.
fn created(second: u32) -> ObjectId {
    let mut bytes = [0; 12];
    bytes[..4].copy_from_slice(&(1_700_000_000 + second).to_be_bytes());
    ObjectId::from_bytes(bytes)
}

/// Returns documents whose rooms are not in the order in which the documents were created.
fn visits() -> Vec<Document> {
    let visit = |n: u32| {
        let room = i32::try_from(n * 37 % 100).unwrap();
        doc! { "_id": created(n), "room": room, "guest": format!("g{n}") }
    };
    (0..200).map(visit).collect()
}

async fn insert(odm: &Odm, collection: &str, documents: Vec<Document>) {
    let collection = odm.database().collection(collection);
    collection.insert_many(documents).await.unwrap();
}

/// Returns a database in which `advise_visits` is sharded as declared, with documents on both shards.
async fn sharded(name: &str) -> Odm {
    let odm = empty(name).await;
    let collections = odm.shard_collections().only::<Visit>();
    collections.await.unwrap();
    odm.sync_indexes().only::<Visit>().await.unwrap();
    let namespace = format!("{name}.advise_visits");
    let cluster = cluster().await;
    let middle = doc! { "room": 50 };
    cluster.split(&namespace, middle.clone()).await.unwrap();
    cluster.move_chunk(&namespace, middle, 1).await.unwrap();
    insert(&odm, "advise_visits", visits()).await;
    odm
}

/// Sets the flag with which the balancer of the config server marks a chunk that it cannot move.
async fn mark_as_jumbo(odm: &Odm, collection: &str, min: Document) {
    let config = odm.in_database("config");
    let config = config.database();
    let namespace = format!("{}.{collection}", odm.database().name());
    let collections = config.collection::<Document>("collections");
    let found = collections.find_one(doc! { "_id": namespace }).await;
    let uuid = found.unwrap().unwrap().get("uuid").cloned().unwrap();
    let chunks = config.collection::<Document>("chunks");
    let filter = doc! { "uuid": uuid, "min": min };
    let update = doc! { "$set": { "jumbo": true } };
    let marked = chunks.update_one(filter, update).await.unwrap();
    assert_eq!(marked.matched_count, 1);
}

#[tokio::test]
async fn a_sharded_collection_whose_key_is_in_the_filters_has_no_finding() {
    let odm = sharded("advise_shards_clean").await;
    let fields = Visit::fields();
    for room in 0..30 {
        let found = Visit::find(&odm).filter(fields.room.eq(room)).await;
        assert_eq!(found.unwrap().len(), 2);
    }
    let mut thresholds = Thresholds::default();
    thresholds.enough_calls = 10;
    thresholds.spread_bytes = 1_000;
    let advice = odm.advise().thresholds(thresholds.clone()).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
    assert_eq!(advice.collections, 1, "{advice}");
    let unread = advice.not_looked_at.iter();
    let unread: Vec<_> = unread
        .filter(|it| it.codes.iter().any(|code| code.starts_with('S')))
        .collect();
    assert!(unread.is_empty(), "{unread:?}");
    let advice = mongo_odm_tools::advise(&odm).thresholds(thresholds);
    let advice = advice.await.unwrap();
    assert!(advice.is_empty(), "without models: {advice}");
}

#[tokio::test]
async fn statements_without_the_shard_key_are_counted() {
    let t = Harness::new("advise_s1").await;
    t.odm.sync_indexes().only::<Visit>().await.unwrap();
    stored(&t, "advise_visits", visits()).await;
    let fields = Visit::fields();
    for n in 0..12 {
        let filter = fields.guest.eq(format!("g{n}"));
        Visit::find(&t.odm).filter(filter).await.unwrap();
    }
    for room in 0..8 {
        let filter = fields.room.eq(room);
        Visit::find(&t.odm).filter(filter).await.unwrap();
    }
    let mut thresholds = Thresholds::default();
    thresholds.enough_calls = 10;
    let advice = t.odm.advise().thresholds(thresholds.clone()).await.unwrap();
    let finding = only(&advice, "S1", "Visit");
    let figures = (figure(finding, "broadcasts"), figure(finding, "statements"));
    assert_eq!(figures, (12, 20), "{finding}");
    assert!(
        finding.change.contains("a condition on `room`")
            && finding
                .change
                .contains("`#[model(shard_key(guest = 1, _id = \"hashed\"))]`"),
        "{finding}"
    );
    thresholds.broadcasts = 0.7;
    let advice = t.odm.advise().thresholds(thresholds).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn a_declared_key_that_grows_is_found_before_the_collection_is_sharded() {
    let t = Harness::new("advise_s2").await;
    t.odm.sync_indexes().only::<Entry>().await.unwrap();
    let entry = |n: u32| {
        let at = DateTime::from_millis(1_700_000_000_000 + i64::from(n / 2) * 1_000);
        doc! { "_id": created(n), "at": at }
    };
    stored(&t, "advise_entries", (0..200).map(entry)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "S2", "Entry.at");
    let figures = (figure(finding, "rising"), figure(finding, "pairs"));
    assert_eq!(figures, (99, 99), "{finding}");
    assert!(
        finding
            .change
            .contains("`#[model(shard_key(at = \"hashed\"))]` at `Entry`"),
        "{finding}"
    );
}

#[tokio::test]
async fn a_key_of_object_ids_on_the_cluster_is_found_without_models() {
    let odm = empty("advise_s2_ids").await;
    let cluster = cluster().await;
    let key = doc! { "_id": 1 };
    cluster
        .shard_collection("advise_s2_ids.advise_logs", key)
        .await
        .unwrap();
    insert(&odm, "advise_logs", visits()).await;
    let advice = mongo_odm_tools::advise(&odm).await.unwrap();
    let finding = only(&advice, "S2", "advise_logs._id");
    assert_eq!(figure(finding, "object_ids"), 200, "{finding}");
    let reshard = "`sh.reshardCollection(\"advise_s2_ids.advise_logs\", { _id: \"hashed\" })`";
    assert!(finding.change.contains(reshard), "{finding}");
}

#[tokio::test]
async fn chunks_that_cannot_be_moved_are_counted_on_their_shard() {
    let odm = sharded("advise_s3").await;
    mark_as_jumbo(&odm, "advise_visits", doc! { "room": 50 }).await;
    let advice = odm.advise().await.unwrap();
    let finding = only(&advice, "S3", "Visit");
    let figures = (figure(finding, "jumbo"), figure(finding, "chunks"));
    assert_eq!(figures, (1, 2), "{finding}");
    assert!(
        finding
            .evidence
            .contains("on `shard1`; one begins at `{ room: 50 }`"),
        "{finding}"
    );
    let remedy = "`#[model(shard_key(room = 1, _id = \"hashed\"))]` at `Visit`, `odm.sync_indexes().await?`, and \
                  `db.adminCommand({ refineCollectionShardKey: \"advise_s3.advise_visits\", key: { room: 1, _id: \
                  \"hashed\" } })`";
    assert_eq!(finding.change, remedy);
    let json = serde_json::to_value(finding).unwrap();
    assert_eq!(json["name"], "odm.advise.jumbo_chunks");
}

#[tokio::test]
async fn a_model_without_the_key_of_its_collection_is_found() {
    let odm = empty("advise_s4").await;
    let cluster = cluster().await;
    let key = doc! { "room": 1 };
    cluster
        .shard_collection("advise_s4.advise_notes", key)
        .await
        .unwrap();
    insert(&odm, "advise_notes", vec![doc! { "room": 1, "text": "" }]).await;
    let advice = odm.advise().await.unwrap();
    let finding = only(&advice, "S4", "Note");
    assert_eq!(finding.severity, Severity::Serious);
    assert_eq!(finding.change, "`#[model(shard_key(room = 1))]` at `Note`");
    assert_eq!(figure(finding, "documents"), 1);
}

/// Each statement on one document contains its `_id`.
#[tokio::test]
async fn a_model_needs_no_declaration_if_its_collection_is_sharded_by_id() {
    for (name, key) in [("hashed", Bson::from("hashed")), ("ranged", Bson::from(1))] {
        let name = format!("advise_s4_{name}");
        let odm = empty(&name).await;
        let collection = format!("{name}.advise_notes");
        let sharded = cluster()
            .await
            .shard_collection(&collection, doc! { "_id": key });
        sharded.await.unwrap();
        insert(&odm, "advise_notes", vec![doc! { "room": 1, "text": "" }]).await;
        let advice = odm.advise().await.unwrap();
        assert!(advice.is_empty(), "{advice}");
    }
}

#[tokio::test]
async fn the_index_of_the_shard_key_is_needed_if_no_statement_uses_it() {
    let odm = empty("advise_s_i2").await;
    let key = doc! { "_id": "hashed" };
    let sharded = cluster()
        .await
        .shard_collection("advise_s_i2.advise_notes", key);
    sharded.await.unwrap();
    let note = |n: i32| doc! { "_id": created(n.unsigned_abs()), "room": n, "text": "" };
    insert(&odm, "advise_notes", (0..200).map(note).collect()).await;
    let mut thresholds = Thresholds::default();
    thresholds.unused_for = Duration::ZERO;
    let advice = odm.advise().thresholds(thresholds).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn a_declared_key_that_the_cluster_does_not_have_is_found() {
    let odm = empty("advise_s4_unsharded").await;
    insert(&odm, "advise_visits", visits()).await;
    odm.sync_indexes().only::<Visit>().await.unwrap();
    let advice = odm.advise().await.unwrap();
    let finding = only(&advice, "S4", "Visit");
    assert_eq!(finding.severity, Severity::Warning);
    assert!(
        finding
            .change
            .starts_with("`odm.shard_collections().await?`"),
        "{finding}"
    );

    let odm = empty("advise_s4_other").await;
    let (cluster, key) = (cluster().await, doc! { "guest": 1 });
    cluster
        .shard_collection("advise_s4_other.advise_visits", key)
        .await
        .unwrap();
    insert(&odm, "advise_visits", visits()).await;
    odm.sync_indexes().only::<Visit>().await.unwrap();
    let advice = odm.advise().await.unwrap();
    let finding = advice.findings.iter().find(|it| it.code == "S4").unwrap();
    assert_is_concrete(finding);
    assert!(
        finding
            .evidence
            .contains("is sharded by `{ guest: 1 }`, but `Visit` declares `{ room: 1 }`"),
        "{finding}"
    );
}

#[tokio::test]
async fn a_large_collection_is_found_on_a_cluster_and_on_a_replica_set() {
    let text = "x".repeat(1_000);
    let note = |n: i32| doc! { "room": n, "text": Bson::String(text.clone()) };
    let notes: Vec<_> = (0..50).map(note).collect();
    let mut thresholds = Thresholds::default();
    thresholds.spread_bytes = 50_000;
    let odm = empty("advise_s5").await;
    insert(&odm, "advise_notes", notes.clone()).await;
    let advice = odm.advise().thresholds(thresholds.clone()).await.unwrap();
    let finding = only(&advice, "S5", "Note");
    assert!(figure(finding, "bytes") > 50_000, "{finding}");
    let remedy =
        "`#[model(shard_key(_id = \"hashed\"))]` at `Note`, and `odm.shard_collections().await?`";
    assert_eq!(finding.change, remedy);
    assert!(odm.advise().await.unwrap().is_empty());

    // If all tests run on a cluster, the shared server shards the collection.
    if is_sharded() {
        return;
    }
    let t = Harness::new("advise_s5_replica_set").await;
    stored(&t, "advise_notes", notes).await;
    let advice = t.odm.advise().thresholds(thresholds.clone()).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
    thresholds.shard_bytes = 50_000;
    let advice = t.odm.advise().thresholds(thresholds).await.unwrap();
    let finding = only(&advice, "S5", "Note");
    assert!(
        finding.change.ends_with("on a sharded cluster"),
        "{finding}"
    );
}
