//! Statements outside transactions.

use std::time::Duration;

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    error::{ErrorKind, WriteFailure},
    options::{Collation, CollationStrength, ReadConcern},
};
use tokio::time::{sleep, timeout};

use crate::{Shop, all, client, numbered, numbers};

#[tokio::test]
async fn the_driver_sees_a_router_and_the_output_names_the_front() {
    let shop = Shop::new("sees_a_router").await;
    let hello = shop
        .database()
        .run_command(doc! { "hello": 1 })
        .await
        .unwrap();
    assert_eq!(hello.get_str("msg").unwrap(), "isdbgrid");
    assert_eq!(shop.cluster.shards().await.unwrap().len(), 2);
    let is_ours = !shop.cluster.pids().is_empty();
    assert_eq!(shop.cluster.to_string().contains("not mongos"), is_ours);
    assert!(!is_ours || hello.get_str("front").unwrap().contains("not mongos"));
}

#[tokio::test]
async fn inserts_reach_the_shards_of_their_keys() {
    let shop = Shop::new("inserts_reach").await;
    shop.ranged.insert_many(numbered(0..60)).await.unwrap();
    assert_eq!(shop.per_shard("ranged").await, [50, 10]);
    shop.hashed.insert_many(numbered(0..100)).await.unwrap();
    let per_shard = shop.per_shard("hashed").await;
    assert_eq!(per_shard.iter().sum::<i64>(), 100);
    assert!(per_shard.iter().all(|count| *count > 20), "{per_shard:?}");
    assert_eq!(shop.hashed.count_documents(doc! {}).await.unwrap(), 100);
    let estimated = shop.hashed.estimated_document_count().await.unwrap();
    assert_eq!(estimated, 100);
}

#[tokio::test]
async fn a_duplicate_key_is_reported_with_its_position() {
    let shop = Shop::new("duplicate").await;
    shop.ranged
        .insert_one(doc! { "_id": 70, "n": 70 })
        .await
        .unwrap();
    let error = shop
        .ranged
        .insert_many(numbered(0..100))
        .ordered(false)
        .await
        .unwrap_err();
    let ErrorKind::InsertMany(error) = *error.kind else {
        panic!("{error}");
    };
    let errors = error.write_errors.unwrap();
    assert_eq!(
        errors
            .iter()
            .map(|it| (it.index, it.code))
            .collect::<Vec<_>>(),
        [(70, 11_000)]
    );
    assert_eq!(shop.per_shard("ranged").await, [50, 50]);
    // An ordered batch stops at the error, also on the other shard.
    shop.ranged
        .delete_many(doc! { "n": { "$ne": 20 } })
        .await
        .unwrap();
    shop.ranged.insert_many(numbered(0..100)).await.unwrap_err();
    assert_eq!(shop.per_shard("ranged").await, [21, 0]);
}

#[tokio::test]
async fn finds_merge_sorted_results_of_both_shards_over_many_batches() {
    let shop = Shop::new("finds_merge").await;
    shop.hashed.insert_many(numbered(0..300)).await.unwrap();
    let found = shop
        .hashed
        .find(doc! {})
        .sort(doc! { "n": -1 })
        .batch_size(7);
    let expected: Vec<i32> = (0..300).rev().collect();
    assert_eq!(numbers(found.await.unwrap()).await, expected);
    let found = shop
        .hashed
        .find(doc! { "n": { "$gte": 10 } })
        .sort(doc! { "n": 1 });
    let found = found.skip(5).limit(3).await.unwrap();
    assert_eq!(numbers(found).await, [15, 16, 17]);
    assert_eq!(shop.hashed.distinct("n", doc! {}).await.unwrap().len(), 300);
}

#[tokio::test]
async fn aggregations_run_over_both_shards() {
    let shop = Shop::new("aggregations").await;
    shop.hashed.insert_many(numbered(0..100)).await.unwrap();
    shop.ranged.insert_many(numbered(0..100)).await.unwrap();
    let pipeline = [
        doc! { "$group": { "_id": { "$mod": ["$n", 2] }, "sum": { "$sum": "$n" } } },
        doc! { "$lookup": { "from": "ranged", "localField": "_id", "foreignField": "n", "as": "r" } },
        doc! { "$sort": { "_id": 1 } },
    ];
    let found = all(shop.hashed.aggregate(pipeline).await.unwrap()).await;
    let sums: Vec<i32> = found.iter().map(|it| it.get_i32("sum").unwrap()).collect();
    assert_eq!(sums, [2450, 2500]);
    assert!(found.iter().all(|it| it.get_array("r").unwrap().len() == 1));
}

#[tokio::test]
async fn updates_and_deletes_of_one_document_need_its_key_or_id() {
    let shop = Shop::new("one_document").await;
    shop.ranged.insert_many(numbered(0..100)).await.unwrap();
    let set = doc! { "$inc": { "v": 1 } };
    for filter in [
        doc! { "n": 70 },
        doc! { "_id": 70 },
        doc! { "_id": 70, "n": 70 },
    ] {
        let updated = shop.ranged.update_one(filter, set.clone()).await.unwrap();
        assert_eq!((updated.matched_count, updated.modified_count), (1, 1));
    }
    let error = shop
        .ranged
        .update_one(doc! { "v": 3 }, set.clone())
        .await
        .unwrap_err();
    assert_eq!(code(&error), 72, "{error}");
    let error = shop.ranged.delete_one(doc! { "v": 3 }).await.unwrap_err();
    assert_eq!(code(&error), 61, "{error}");
    let upsert = shop
        .ranged
        .update_one(doc! { "_id": 700 }, set.clone())
        .upsert(true)
        .await;
    assert_eq!(code(&upsert.unwrap_err()), 61);
    let upsert = shop
        .ranged
        .update_one(doc! { "n": 700 }, set.clone())
        .upsert(true)
        .await;
    assert!(matches!(
        upsert.unwrap().upserted_id,
        Some(Bson::ObjectId(_))
    ));
    let modify = shop
        .ranged
        .find_one_and_update(doc! { "_id": 70 }, set.clone())
        .await;
    assert_eq!(code(&modify.unwrap_err()), 61);
    let modify = shop
        .ranged
        .find_one_and_update(doc! { "n": 70 }, set)
        .await
        .unwrap();
    assert_eq!(modify.unwrap().get_i32("v").unwrap(), 3);
    let deleted = shop.ranged.delete_one(doc! { "_id": 70 }).await.unwrap();
    assert_eq!(deleted.deleted_count, 1);
    assert_eq!(shop.ranged.count_documents(doc! {}).await.unwrap(), 100);
}

#[tokio::test]
async fn statements_on_many_documents_reach_both_shards() {
    let shop = Shop::new("many_documents").await;
    shop.ranged.insert_many(numbered(0..100)).await.unwrap();
    let before = shop
        .cluster
        .counters()
        .await
        .unwrap()
        .statements_to_both_shards;
    let set = doc! { "$set": { "v": 1 } };
    let updated = shop
        .ranged
        .update_many(doc! { "n": { "$gte": 40 } }, set)
        .await
        .unwrap();
    assert_eq!((updated.matched_count, updated.modified_count), (60, 60));
    let deleted = shop
        .ranged
        .delete_many(doc! { "v": 1, "n": { "$lt": 60 } })
        .await
        .unwrap();
    assert_eq!(deleted.deleted_count, 20);
    assert_eq!(shop.per_shard("ranged").await, [40, 40]);
    let after = shop
        .cluster
        .counters()
        .await
        .unwrap()
        .statements_to_both_shards;
    assert!(after >= before + 2, "{before} {after}");
}

#[tokio::test]
async fn unsharded_collections_stay_on_one_shard() {
    let shop = Shop::new("unsharded").await;
    let whole = shop.database().collection("whole");
    whole.insert_many(numbered(0..20)).await.unwrap();
    let mut per_shard = shop.per_shard("whole").await;
    per_shard.sort_unstable();
    assert_eq!(per_shard, [0, 20]);
    let updated = whole
        .update_one(doc! { "v": 0 }, doc! { "$set": { "v": 1 } })
        .await
        .unwrap();
    assert_eq!(updated.matched_count, 1);
    let names = shop.database().list_collection_names().await.unwrap();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[tokio::test]
async fn indexes_are_created_on_both_shards_and_unique_ones_need_the_key() {
    let shop = Shop::new("indexes").await;
    shop.ranged.insert_many(numbered(0..100)).await.unwrap();
    let index = |keys, unique: bool| {
        let options = mongodb::options::IndexOptions::builder()
            .unique(unique)
            .build();
        mongodb::IndexModel::builder()
            .keys(keys)
            .options(options)
            .build()
    };
    shop.ranged
        .create_index(index(doc! { "v": 1 }, false))
        .await
        .unwrap();
    let explain =
        doc! { "explain": { "find": "ranged", "filter": { "v": 0 } }, "verbosity": "queryPlanner" };
    let explain = shop.database().run_command(explain).await.unwrap();
    assert_eq!(
        explain.to_string().matches("\"v_1\"").count(),
        2,
        "{explain}"
    );
    let error = shop
        .ranged
        .create_index(index(doc! { "v": 1, "x": 1 }, true))
        .await;
    assert_eq!(code(&error.unwrap_err()), 67);
    shop.ranged
        .create_index(index(doc! { "n": 1, "v": 1 }, true))
        .await
        .unwrap();
    assert_eq!(shop.ranged.list_index_names().await.unwrap().len(), 4);
}

/// Returns the code of an error of the server.
pub(crate) fn code(error: &mongodb::error::Error) -> i32 {
    match &*error.kind {
        ErrorKind::Command(error) => error.code,
        ErrorKind::Write(WriteFailure::WriteError(error)) => error.code,
        ErrorKind::InsertMany(error) => error.write_errors.as_ref().unwrap()[0].code,
        _ => panic!("{error}"),
    }
}

#[tokio::test]
async fn distinct_values_of_both_shards_are_compared_with_the_collation() {
    let shop = Shop::new("distinct_values").await;
    let names = [(1, "b"), (2, "A"), (60, "a"), (70, "B"), (80, "c")];
    let documents = names.map(|(n, name)| doc! { "_id": n, "n": n, "name": name });
    shop.ranged.insert_many(documents).await.unwrap();
    let distinct = shop.ranged.distinct("name", doc! {});
    assert_eq!(distinct.await.unwrap().len(), 5);
    let collation = Collation::builder()
        .locale("en")
        .strength(CollationStrength::Secondary)
        .build();
    let distinct = shop.ranged.distinct("name", doc! {}).collation(collation);
    let found: Vec<String> = distinct.await.unwrap().iter().map(lower_case).collect();
    assert_eq!(found, ["a", "b", "c"]);
}

fn lower_case(value: &Bson) -> String {
    value.as_str().unwrap().to_lowercase()
}

#[tokio::test]
async fn a_dropped_cursor_is_closed_on_both_shards() {
    let shop = Shop::new("dropped_cursor").await;
    shop.ranged.insert_many(numbered(0..100)).await.unwrap();
    let namespace = format!("{}.ranged", shop.name);
    let open = async || {
        let pipeline = [
            doc! { "$currentOp": { "idleCursors": true } },
            doc! { "$match": { "ns": &namespace, "type": "idleCursor" } },
        ];
        let admin = shop.client.database("admin");
        all(admin.aggregate(pipeline).await.unwrap()).await.len()
    };
    let mut cursor = shop.ranged.find(doc! {}).batch_size(2).await.unwrap();
    assert!(cursor.advance().await.unwrap());
    assert!(open().await > 0);
    drop(cursor);
    let closed = async {
        while open().await > 0 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), closed).await.unwrap();
}

/// A write without a write concern is acknowledged by a majority, as on `mongos`.
#[tokio::test]
async fn a_read_of_a_majority_sees_each_acknowledged_write() {
    let shop = Shop::new("majority").await;
    shop.ranged.insert_many(numbered(0..100)).await.unwrap();
    let concern = ReadConcern::majority();
    for round in 0..200 {
        let update = doc! { "$set": { "round": round } };
        shop.ranged.update_many(doc! {}, update).await.unwrap();
        let of_round = shop.ranged.count_documents(doc! { "round": round });
        let seen = of_round.read_concern(concern.clone()).await.unwrap();
        assert_eq!(seen, 100, "round {round}");
    }
}

/// The servers store any bytes as text.
#[tokio::test]
async fn text_that_is_not_utf_8_is_stored_and_returned() {
    let shop = Shop::new("broken_text").await;
    for n in [1, 99] {
        let document = doc! { "_id": n, "n": n, "text": "MARK", "texts": ["a", "MARK"] };
        let mut bytes = RawDocumentBuf::try_from(&document).unwrap().into_bytes();
        while let Some(at) = bytes.windows(4).position(|it| it == b"MARK") {
            bytes[at..at + 4].fill(0xff);
        }
        let broken = RawDocumentBuf::from_bytes(bytes).unwrap();
        let ranged = shop.ranged.clone_with_type::<RawDocumentBuf>();
        ranged.insert_one(&broken).await.unwrap();
        let found = ranged.find_one(doc! { "n": n }).await.unwrap().unwrap();
        assert_eq!(found.as_bytes(), broken.as_bytes());
    }
    assert_eq!(shop.per_shard("ranged").await, [1, 1]);
}

#[tokio::test]
async fn a_snapshot_session_reads_the_documents_of_all_shards() {
    let shop = Shop::new("snapshot_session").await;
    let other = client(shop.cluster).await;
    let mut counts = Vec::new();
    for n in 0..20 {
        let written = shop.ranged.insert_one(doc! { "_id": n, "n": n * 5 });
        written.await.unwrap();
        let mut session = other.start_session().snapshot(true).await.unwrap();
        let ranged = other.database(shop.name).collection::<Document>("ranged");
        let mut found = ranged.find(doc! {}).session(&mut session).await.unwrap();
        let mut count = 0;
        while found
            .next(&mut session)
            .await
            .transpose()
            .unwrap()
            .is_some()
        {
            count += 1;
        }
        counts.push(count);
    }
    let expected: Vec<usize> = (1..=20).collect();
    assert_eq!(counts, expected);
}
