//! Indexes on the server that conflict with declared indexes.

use mongo_odm::{Error, prelude::*};
use odm_tests::Harness;

use super::{create, listed, names};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "index_strict")]
struct Strict {
    #[serde(rename = "_id")]
    id: Id<Strict>,
    #[index(unique)]
    number: i64,
    #[index(expire_after_secs = 60)]
    seen: DateTime,
    #[index]
    fresh: String,
}

async fn given_contradictions(t: &Harness) {
    for index in [
        doc! { "key": { "number": 1 }, "name": "number_1" },
        doc! { "key": { "seen": 1 }, "name": "seen_by_hand", "expireAfterSeconds": 3600 },
        doc! { "key": { "other": 1 }, "name": "fresh_1" },
    ] {
        create(t, "index_strict", index).await;
    }
}

#[tokio::test]
async fn conflicting_options_are_reported_and_nothing_is_changed() {
    let t = Harness::new("index_conflict").await;
    given_contradictions(&t).await;
    let sync = t.odm.sync_indexes().only::<Strict>().drop_undeclared();
    let (result, sent) = t.sent(async { sync.await.unwrap_err() }).await;
    assert_eq!(sent, ["listIndexes"]);
    let Error::IndexConflict { collections, .. } = &result else {
        panic!("{result}")
    };
    assert_eq!(collections, &["index_strict"]);
    assert_eq!(
        result.to_string(),
        r#"indexes differ from their declaration; nothing was changed:
// index_strict.number_1 (declared by Strict.number) contradicts number_1 on the server in: unique
//   on the server: db.index_strict.createIndex({ number: 1 }, { name: "number_1" })
// db.index_strict.dropIndex("number_1")
// db.index_strict.createIndex({ number: 1 }, { name: "number_1", unique: true })
// index_strict.seen_1 (declared by Strict.seen) contradicts seen_by_hand on the server in: name, expireAfterSeconds
//   on the server: db.index_strict.createIndex({ seen: 1 }, { name: "seen_by_hand", expireAfterSeconds: 3600 })
// db.index_strict.dropIndex("seen_by_hand")
// db.index_strict.createIndex({ seen: 1 }, { name: "seen_1", expireAfterSeconds: 60 })
// index_strict.fresh_1 (declared by Strict.fresh) contradicts fresh_1 on the server in: keys
//   on the server: db.index_strict.createIndex({ other: 1 }, { name: "fresh_1" })
// db.index_strict.dropIndex("fresh_1")
// db.index_strict.createIndex({ fresh: 1 }, { name: "fresh_1" })
change the declaration, or call `.replace_conflicting()` to drop and create these indexes"#
    );
    assert_eq!(
        names(&t, "index_strict").await,
        ["fresh_1", "number_1", "seen_by_hand"]
    );
}

#[tokio::test]
async fn conflicting_indexes_are_replaced_when_told() {
    let t = Harness::new("index_replace").await;
    given_contradictions(&t).await;
    let sync = t.odm.sync_indexes().only::<Strict>().replace_conflicting();
    let (report, sent) = t.sent(async { sync.await.unwrap() }).await;
    let drops = ["dropIndexes"; 3];
    assert_eq!(sent[0], "listIndexes");
    assert_eq!(sent[1..4], drops);
    assert_eq!(sent[4..], ["listIndexes", "createIndexes"]);
    assert_eq!(
        report.to_string(),
        "dropped: index_strict.fresh_1, index_strict.number_1, index_strict.seen_by_hand\n\
         created: index_strict.number_1, index_strict.seen_1, index_strict.fresh_1"
    );
    let all = listed(&t, "index_strict").await;
    assert_eq!(all[0].get_document("key").unwrap(), &doc! { "fresh": 1 });
    assert!(all[1].get_bool("unique").unwrap());
    assert_eq!(all[2].get_i32("expireAfterSeconds").unwrap(), 60);
    assert!(
        t.odm
            .sync_indexes()
            .only::<Strict>()
            .await
            .unwrap()
            .is_unchanged()
    );
}

#[tokio::test]
async fn a_duplicate_key_names_collection_and_index() {
    let t = Harness::new("index_duplicate").await;
    let documents = [doc! { "number": 7 }, doc! { "number": 7 }];
    t.database()
        .collection("index_strict")
        .insert_many(documents)
        .await
        .unwrap();
    let error = t.odm.sync_indexes().only::<Strict>().await.unwrap_err();
    assert!(error.is_duplicate_key());
    let text = error.to_string();
    assert_eq!(
        text,
        "two documents of `index_strict` would have { number: 7 }, which the unique index `number_1` \
         forbids"
    );
    // Either all indexes of a collection are created, or none.
    assert!(names(&t, "index_strict").await.is_empty());
}
