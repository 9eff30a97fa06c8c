//! `shard_collections` and its diff.

use std::sync::Arc;

use mongo_odm::{
    Odm,
    bson::{Document, doc},
    mongodb::IndexModel,
    prelude::*,
};
use mongo_odm_testkit::{Server, TestDb};
use mongo_odm_tools::OdmTools;

use crate::models::{Event, Host, Log, cluster, empty, event, ours, sharded};

#[tokio::test]
async fn collections_are_sharded_once() {
    let odm = empty("sharded_once").await;
    let diff = ours(&odm).diff().await.unwrap();
    assert_eq!(
        diff.to_string(),
        "sh.shardCollection(\"sharded_once.sharded_events\", { room: 1, _id: \"hashed\" })\n\
         sh.shardCollection(\"sharded_once.sharded_hosts\", { _id: \"hashed\" })\n\
         sh.shardCollection(\"sharded_once.sharded_logs\", { host: 1 })\n\
         // as declared: 0"
    );
    let report = ours(&odm).await.unwrap();
    assert_eq!(
        report.to_string(),
        "sharded: sharded_events, sharded_hosts, sharded_logs"
    );
    let again = ours(&odm).await.unwrap();
    assert_eq!(
        again.to_string(),
        "as declared: sharded_events, sharded_hosts, sharded_logs"
    );
    let indexes = || {
        odm.sync_indexes()
            .only::<Event>()
            .only::<Host>()
            .only::<Log>()
    };
    indexes().await.unwrap();
    let diff = indexes().diff().await.unwrap();
    assert!(diff.is_in_sync(), "{diff}");
}

/// A model whose shard key has a unique index, and one whose shard key has an index that a cluster cannot use.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_users", shard_key(email = 1))]
struct User {
    #[serde(rename = "_id")]
    id: Id<User, i32>,
    #[index(unique)]
    email: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "sharded_coupons",
    shard_key(code = "hashed"),
    index(keys(code = -1, name = 1), unique)
)]
struct Coupon {
    #[serde(rename = "_id")]
    id: Id<Coupon, i32>,
    #[index(locale = "en", strength = 2)]
    code: String,
    name: String,
}

/// A model whose index has a different direction from the shard key.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_newest", shard_key(at = 1))]
struct Newest {
    #[serde(rename = "_id")]
    id: Id<Newest, i32>,
    #[index(desc)]
    at: i32,
}

/// A model whose shard key begins with the `_id`.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_cells", shard_key(_id = 1, host = 1))]
struct Cell {
    #[serde(rename = "_id")]
    id: Id<Cell, i32>,
    host: i32,
}

#[tokio::test]
async fn the_index_of_a_shard_key_that_begins_with_the_id_is_created() {
    let odm = empty("sharded_cells").await;
    let sync = || odm.sync_indexes().only::<Cell>();
    sync().await.unwrap();
    let cells = odm.database().collection::<Document>("sharded_cells");
    let names = cells.list_index_names().await.unwrap();
    assert_eq!(names, ["_id_", "_id_1_host_1"]);
    odm.shard_collections().only::<Cell>().await.unwrap();
    let diff = sync().diff().await.unwrap();
    assert!(diff.is_in_sync(), "{diff}");
}

#[tokio::test]
async fn declared_indexes_begin_with_the_shard_key() {
    for (name, sharded_first) in [("sharded_unique_a", true), ("sharded_unique_b", false)] {
        let odm = empty(name).await;
        let id = Id::from_key(1);
        Newest { id, at: 1 }.insert(&odm).await.unwrap();
        let shard = || {
            let shard = odm.shard_collections().only::<User>().only::<Coupon>();
            shard.only::<Newest>()
        };
        let sync = || {
            let sync = odm.sync_indexes().only::<User>().only::<Coupon>();
            sync.only::<Newest>()
        };
        if sharded_first {
            shard().await.unwrap();
        }
        sync().await.unwrap();
        shard().await.unwrap();
        let diff = sync().diff().await.unwrap();
        assert!(diff.is_in_sync(), "{diff}");
        let email = "a@example.org".to_owned();
        let user = |id| User {
            id: Id::from_key(id),
            email: email.clone(),
        };
        user(1).insert(&odm).await.unwrap();
        let error = user(2).insert(&odm).await.unwrap_err();
        assert_eq!(error.code(), "odm.duplicate_key", "{error}");
    }
}

#[tokio::test]
async fn models_of_an_existing_cluster_declare_its_keys() {
    let odm = empty("sharded_pulled").await;
    ours(&odm).await.unwrap();
    for id in 0..4 {
        event(id, id).insert(&odm).await.unwrap();
    }
    let optional = doc! { "_id": 1, "room": 1, "seat": 7 };
    let halls = odm.database().collection::<Document>("halls");
    halls.insert_one(optional).await.unwrap();
    halls
        .insert_one(doc! { "_id": 2, "room": 2 })
        .await
        .unwrap();
    let seat = IndexModel::builder().keys(doc! { "seat": "hashed" });
    halls.create_index(seat.build()).await.unwrap();
    cluster()
        .await
        .shard_collection("sharded_pulled.halls", doc! { "seat": "hashed" })
        .await
        .unwrap();
    let survey = odm.survey().keep_documents().await.unwrap();
    let code = mongo_odm_tools::write_models(&survey);
    let event = "#[model(collection = \"sharded_events\", shard_key(room = 1, id = \"hashed\"))]";
    assert!(code.contains(event), "{code}");
    let hall = "Shard key { seat: \"hashed\" }: `seat` is absent in some documents, and a model needs it in each.";
    assert!(code.contains(hall), "{code}");
    assert!(!code.contains("index"), "{code}");
}

#[tokio::test]
async fn a_collection_with_documents_is_sharded() {
    let odm = empty("sharded_later").await;
    for id in 0..4 {
        event(id, id).insert(&odm).await.unwrap();
    }
    let report = odm.shard_collections().only::<Event>().await.unwrap();
    assert_eq!(report.sharded, ["sharded_events"]);
    assert_eq!(Event::count(&odm).await.unwrap(), 4);
}

#[tokio::test]
async fn another_key_is_reported_and_kept() {
    let odm = empty("sharded_other").await;
    cluster()
        .await
        .shard_collection("sharded_other.sharded_events", doc! { "state": 1 })
        .await
        .unwrap();
    let report = odm.shard_collections().only::<Event>().await.unwrap();
    assert!(report.sharded.is_empty());
    assert_eq!(
        report.different[0].to_string(),
        "`sharded_events` is sharded by { state: 1 }, but its models declare { room: 1, _id: \"hashed\" }; use \
         `reshardCollection`, or correct the models"
    );
}

#[tokio::test]
async fn a_replica_set_is_not_sharded() {
    let server = Server::builder().private().start().await.unwrap();
    let database = TestDb::builder("not_sharded").server(Arc::new(server));
    let database = database.open().await.unwrap();
    let odm = Odm::new(database.database());
    let failed = ours(&odm).await.unwrap_err();
    let message = failed.to_string();
    assert!(message.contains("not a sharded cluster"), "{message}");
}

#[tokio::test]
async fn documents_are_on_both_shards() {
    let odm = sharded("sharded_both").await;
    for id in 0..40 {
        event(id, id * 2 + 10).insert(&odm).await.unwrap();
    }
    let per_shard = cluster()
        .await
        .documents_per_shard("sharded_both.sharded_events")
        .await
        .unwrap();
    assert!(per_shard.iter().all(|count| *count > 0), "{per_shard:?}");
    assert_eq!(per_shard.iter().sum::<i64>(), 40);
    assert_eq!(Event::find(&odm).await.unwrap().len(), 40);
}
