//! Indexes. Declared and implied indexes are created once, and no other index is changed.

mod arrays;
mod conflict;
mod implied;
mod recursive;

use std::time::Duration;

use mongo_odm::{
    bson::{Bson, Document},
    mongodb::options::{Acknowledgment, DatabaseOptions, WriteConcern},
    prelude::*,
};
use odm_tests::{Harness, cluster::is_sharded, sent::commands};

/// A model with every kind of index and every option.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "index_things",
    index(keys(name = 1, maker = -1)),
    index(keys(name = 1), locale = "en", strength = 2, name = "by_name_in_any_case"),
    index(keys(maker = 1, title = "text", body = "text"))
)]
struct Thing {
    #[serde(rename = "_id")]
    id: Id<Thing>,
    name: String,
    maker: String,
    title: String,
    body: String,
    #[index(unique)]
    number: i64,
    #[index(sparse)]
    nick: Option<String>,
    #[index(expire_after_secs = 3600)]
    seen: DateTime,
    #[index(partial = r#"{"qty": {"$gt": -5}, "name": {"$exists": true}}"#)]
    qty: i64,
    #[index(hashed)]
    shard: String,
    #[index(2dsphere)]
    place: Document,
    #[index(2d)]
    spot: Vec<f64>,
    #[embed]
    size: Size,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Size {
    #[index(desc)]
    width: i64,
}

const NAMES: [&str; 11] = [
    "by_name_in_any_case",
    "maker_1_title_text_body_text",
    "name_1_maker_-1",
    "nick_1",
    "number_1",
    "place_2dsphere",
    "qty_1",
    "seen_1",
    "shard_hashed",
    "size.width_-1",
    "spot_2d",
];

/// Lists the indexes of a collection by name, as the server returns them.
async fn listed(t: &Harness, collection: &str) -> Vec<Document> {
    let command = doc! { "listIndexes": collection };
    let reply = t.database().database().run_command(command).await.unwrap();
    let batch = reply
        .get_document("cursor")
        .unwrap()
        .get_array("firstBatch")
        .unwrap();
    let mut all: Vec<_> = batch
        .iter()
        .map(|index| index.as_document().unwrap().clone())
        .collect();
    // On a cluster, `_id_hashed` is the index of the shard key.
    all.retain(|index| !["_id_", "_id_hashed"].contains(&index.get_str("name").unwrap()));
    all.sort_by_key(|index| index.get_str("name").unwrap().to_owned());
    all
}

async fn names(t: &Harness, collection: &str) -> Vec<String> {
    let all = listed(t, collection).await;
    all.iter()
        .map(|index| index.get_str("name").unwrap().to_owned())
        .collect()
}

/// Creates an index without the library.
async fn create(t: &Harness, collection: &str, index: Document) {
    let command = doc! { "createIndexes": collection, "indexes": [index] };
    t.database().database().run_command(command).await.unwrap();
}

#[tokio::test]
async fn declared_indexes_are_created_once() {
    let t = Harness::new("index_declared").await;
    let sync = || async { t.odm.sync_indexes().only::<Thing>().await.unwrap() };

    let (report, sent) = t.sent(sync()).await;
    assert_eq!(sent, ["listIndexes", "createIndexes"]);
    assert_eq!(report.created.len(), NAMES.len());
    assert_eq!(names(&t, "index_things").await, NAMES);

    let (report, sent) = t.sent(sync()).await;
    assert_eq!(sent, ["listIndexes"]);
    assert!(report.is_unchanged());
    assert_eq!(report.present.len(), NAMES.len());
    assert!(report.undeclared.is_empty());
}

#[tokio::test]
async fn every_option_reaches_the_server() {
    let t = Harness::new("index_options").await;
    t.odm.sync_indexes().only::<Thing>().await.unwrap();
    let all = listed(&t, "index_things").await;
    let option = |index: &str, option: &str| {
        let index = all
            .iter()
            .find(|found| found.get_str("name").unwrap() == index)
            .unwrap();
        index.get(option).cloned().unwrap_or(Bson::Null)
    };
    assert_eq!(option("number_1", "unique"), Bson::Boolean(true));
    assert_eq!(option("nick_1", "sparse"), Bson::Boolean(true));
    assert_eq!(option("seen_1", "expireAfterSeconds"), Bson::Int32(3600));
    let filter = doc! { "qty": { "$gt": -5 }, "name": { "$exists": true } };
    assert_eq!(option("qty_1", "partialFilterExpression"), filter.into());
    let collation = option("by_name_in_any_case", "collation");
    assert_eq!(
        collation.as_document().unwrap().get_str("locale").unwrap(),
        "en"
    );
    assert_eq!(
        collation
            .as_document()
            .unwrap()
            .get_i32("strength")
            .unwrap(),
        2
    );
    assert_eq!(
        option("name_1_maker_-1", "key"),
        doc! { "name": 1, "maker": -1 }.into()
    );
    assert_eq!(
        option("size.width_-1", "key"),
        doc! { "size.width": -1 }.into()
    );
    assert_eq!(
        option("shard_hashed", "key"),
        doc! { "shard": "hashed" }.into()
    );
    assert_eq!(
        option("place_2dsphere", "key"),
        doc! { "place": "2dsphere" }.into()
    );
    assert_eq!(option("spot_2d", "key"), doc! { "spot": "2d" }.into());
    let weights = doc! { "body": 1, "title": 1 };
    assert_eq!(
        option("maker_1_title_text_body_text", "weights"),
        weights.into()
    );
}

#[tokio::test]
async fn an_index_that_somebody_else_wrote_differently_is_the_declared_one() {
    let t = Harness::new("index_by_hand").await;
    for index in [
        doc! { "key": { "number": 1.0 }, "name": "number", "unique": 1 },
        doc! { "key": { "nick": 1_i64 }, "name": "nick", "sparse": true, "unique": false },
        doc! { "key": { "seen": 1 }, "name": "seen", "expireAfterSeconds": 3600.0 },
        doc! {
            "key": { "qty": 1 }, "name": "qty",
            "partialFilterExpression": { "name": { "$exists": true }, "qty": { "$gt": -5_i64 } },
        },
        doc! { "key": { "maker": 1, "body": "text", "title": "text" }, "name": "texts" },
        doc! { "key": { "spot": "2d" }, "name": "spot", "bits": 26 },
    ] {
        create(&t, "index_things", index).await;
    }
    let diff = t.odm.index_diff().only::<Thing>().await.unwrap();
    let mut present: Vec<_> = diff
        .present
        .iter()
        .map(|index| index.name.as_str())
        .collect();
    present.sort_unstable();
    assert_eq!(present, ["nick", "number", "qty", "seen", "spot", "texts"]);
    assert_eq!(
        (diff.undeclared.len(), diff.conflicts.len()),
        (0, 0),
        "{diff}"
    );
    assert_eq!(diff.missing.len(), NAMES.len() - present.len());
}

#[tokio::test]
async fn an_undeclared_index_is_never_dropped_unless_told() {
    let t = Harness::new("index_undeclared").await;
    create(
        &t,
        "index_things",
        doc! { "key": { "old": 1 }, "name": "old_1" },
    )
    .await;

    let report = t.odm.sync_indexes().only::<Thing>().await.unwrap();
    assert_eq!(report.undeclared[0].to_string(), "index_things.old_1");
    assert!(report.dropped.is_empty());
    let diff = t.odm.sync_indexes().only::<Thing>().diff().await.unwrap();
    assert_eq!(
        diff.to_string(),
        "// undeclared, kept without `.drop_undeclared()`:\n\
         // db.index_things.dropIndex(\"old_1\")\n\
         // as declared: 11"
    );

    let sync = t.odm.sync_indexes().only::<Thing>().drop_undeclared();
    let (report, sent) = t.sent(async { sync.await.unwrap() }).await;
    if !is_sharded() {
        assert_eq!(sent, ["listIndexes", "dropIndexes"]);
    }
    assert_eq!(report.dropped[0].to_string(), "index_things.old_1");
    assert!(report.undeclared.is_empty());
    assert_eq!(names(&t, "index_things").await, NAMES);
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "index_shared")]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student>,
    #[index(unique, sparse)]
    number: Option<i64>,
    #[index]
    kind: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "index_shared", index(keys(kind = 1), name = "by_kind"))]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class>,
    #[index]
    title: String,
    kind: String,
}

#[tokio::test]
async fn two_models_on_one_collection_share_their_indexes() {
    let t = Harness::new("index_shared").await;
    let sync = t.odm.sync_indexes().only::<Student>();
    let (_, sent) = t.sent(async { sync.await.unwrap() }).await;
    assert_eq!(sent, ["listIndexes", "createIndexes"]);
    assert_eq!(
        names(&t, "index_shared").await,
        ["by_kind", "number_1", "title_1"]
    );
    let report = t
        .odm
        .sync_indexes()
        .only::<Class>()
        .only::<Student>()
        .drop_undeclared()
        .await;
    assert!(report.unwrap().is_unchanged());
}

#[tokio::test]
async fn two_programs_may_sync_at_once() {
    let t = Harness::new("index_at_once").await;
    let sync = || t.odm.sync_indexes().only::<Thing>().into_future();
    let (first, second) = futures_util::future::join(sync(), sync()).await;
    assert_eq!((first.is_ok(), second.is_ok()), (true, true));
    assert_eq!(names(&t, "index_things").await, NAMES);
}

/// Like the driver's method for indexes, and unlike a plain command, the call uses the write concern of the database.
#[tokio::test]
async fn indexes_are_created_with_the_write_concern_of_the_database() {
    let t = Harness::new("index_write_concern").await;
    let concern = WriteConcern::builder()
        .w(Acknowledgment::Nodes(1))
        .w_timeout(Duration::from_secs(7))
        .build();
    let options = DatabaseOptions::builder().write_concern(concern).build();
    let database = t.database().client();
    let database = database.database_with_options(t.database().name(), options);
    for (database, expected) in [
        (t.database().database(), None),
        (database, Some(doc! { "w": 1, "wtimeout": 7_000 })),
    ] {
        database.drop().await.unwrap();
        t.forget();
        let odm = Odm::new(database);
        odm.sync_indexes().only::<Thing>().await.unwrap();
        let sent = commands(&t, "createIndexes").remove(0);
        let sent = sent.get_document("writeConcern").ok().cloned();
        assert_eq!(sent, expected);
    }
}
