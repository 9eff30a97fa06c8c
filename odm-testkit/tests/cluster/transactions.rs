//! Transactions over both shards.

use mongodb::{
    ClientSession,
    bson::{Bson, doc},
    options::ReadConcern,
};

use crate::{Shop, numbered};

async fn started(shop: &Shop) -> ClientSession {
    let mut session = shop.client.start_session().await.unwrap();
    let start = session
        .start_transaction()
        .read_concern(ReadConcern::snapshot());
    start.await.unwrap();
    session
}

#[tokio::test]
async fn a_commit_over_both_shards_is_atomic() {
    let shop = Shop::new("commit_is_atomic").await;
    let before = shop.cluster.counters().await.unwrap();
    let mut session = started(&shop).await;
    shop.ranged
        .insert_many(numbered(40..60))
        .session(&mut session)
        .await
        .unwrap();
    let set = doc! { "$set": { "v": 1 } };
    let updated = shop
        .ranged
        .update_many(doc! {}, set)
        .session(&mut session)
        .await
        .unwrap();
    assert_eq!(updated.modified_count, 20);
    let inside = shop
        .ranged
        .count_documents(doc! { "v": 1 })
        .session(&mut session);
    assert_eq!(inside.await.unwrap(), 20);
    assert_eq!(shop.ranged.count_documents(doc! {}).await.unwrap(), 0);
    session.commit_transaction().await.unwrap();
    assert_eq!(
        shop.ranged.count_documents(doc! { "v": 1 }).await.unwrap(),
        20
    );
    assert_eq!(shop.per_shard("ranged").await, [10, 10]);
    let after = shop.cluster.counters().await.unwrap();
    assert!(
        after.commits_on_two_shards > before.commits_on_two_shards,
        "{after}"
    );
}

#[tokio::test]
async fn an_abort_leaves_nothing_on_either_shard() {
    let shop = Shop::new("abort").await;
    let mut session = started(&shop).await;
    shop.ranged
        .insert_many(numbered(40..60))
        .session(&mut session)
        .await
        .unwrap();
    session.abort_transaction().await.unwrap();
    assert_eq!(shop.per_shard("ranged").await, [0, 0]);
    // The locks are free again.
    shop.ranged.insert_many(numbered(40..60)).await.unwrap();
}

#[tokio::test]
async fn a_failed_statement_aborts_the_part_on_the_other_shard() {
    let shop = Shop::new("failed_statement").await;
    shop.ranged
        .insert_one(doc! { "_id": 80, "n": 80 })
        .await
        .unwrap();
    let mut session = started(&shop).await;
    shop.ranged
        .insert_one(doc! { "_id": 1, "n": 1 })
        .session(&mut session)
        .await
        .unwrap();
    let duplicate = shop
        .ranged
        .insert_one(doc! { "_id": 80, "n": 80 })
        .session(&mut session);
    assert_eq!(
        crate::statements::code(&duplicate.await.unwrap_err()),
        11_000
    );
    let commit = session.commit_transaction().await.unwrap_err();
    assert_eq!(crate::statements::code(&commit), 251, "{commit}");
    assert_eq!(shop.per_shard("ranged").await, [0, 1]);
}

#[tokio::test]
async fn a_snapshot_does_not_see_later_writes_on_either_shard() {
    let shop = Shop::new("snapshot").await;
    shop.ranged.insert_many(numbered(0..100)).await.unwrap();
    let mut session = started(&shop).await;
    // This read from one shard determines the snapshot time of the transaction for both shards.
    let first = shop
        .ranged
        .find_one(doc! { "n": 1 })
        .session(&mut session)
        .await
        .unwrap();
    assert_eq!(first.unwrap().get_i32("v").unwrap(), 0);
    shop.ranged
        .update_many(doc! {}, doc! { "$set": { "v": 1 } })
        .await
        .unwrap();
    let old = shop
        .ranged
        .count_documents(doc! { "v": 0 })
        .session(&mut session);
    assert_eq!(old.await.unwrap(), 100);
    // A write of a document that has changed since then is a conflict.
    let set = doc! { "$set": { "v": 2 } };
    let conflict = shop
        .ranged
        .update_one(doc! { "n": 70 }, set)
        .session(&mut session)
        .await;
    let conflict = conflict.unwrap_err();
    assert!(
        conflict.contains_label("TransientTransactionError"),
        "{conflict}"
    );
}

#[tokio::test]
async fn cursors_and_aggregations_of_a_transaction_read_both_shards() {
    let shop = Shop::new("cursors").await;
    shop.ranged.insert_many(numbered(0..250)).await.unwrap();
    let mut session = started(&shop).await;
    let find = shop
        .ranged
        .find(doc! {})
        .sort(doc! { "v": 1, "n": -1 })
        .batch_size(10);
    let mut cursor = find.skip(3).limit(200).session(&mut session).await.unwrap();
    let mut found = Vec::new();
    while let Some(document) = cursor.next(&mut session).await {
        let document = document.unwrap();
        assert_eq!(document.len(), 3, "{document}");
        found.push(document.get_i32("n").unwrap());
    }
    assert_eq!(found, (47..247).rev().collect::<Vec<_>>());
    // The cursor of one shard also has several batches.
    let find = shop
        .ranged
        .find(doc! { "n": { "$gte": 60 } })
        .batch_size(10);
    let mut cursor = find.session(&mut session).await.unwrap();
    let mut count = 0;
    while cursor
        .next(&mut session)
        .await
        .transpose()
        .unwrap()
        .is_some()
    {
        count += 1;
    }
    assert_eq!(count, 190);
    let pipeline = [
        doc! { "$match": { "n": { "$lt": 100 } } },
        doc! { "$group": { "_id": { "$mod": ["$n", 2] }, "sum": { "$sum": "$n" } } },
        doc! { "$sort": { "_id": -1 } },
    ];
    let aggregate = shop.ranged.aggregate(pipeline).session(&mut session);
    let mut cursor = aggregate.await.unwrap();
    let mut sums = Vec::new();
    while let Some(document) = cursor.next(&mut session).await {
        sums.push(document.unwrap().get_i32("sum").unwrap());
    }
    assert_eq!(sums, [2500, 2450]);
    session.commit_transaction().await.unwrap();
}

#[tokio::test]
async fn unsharded_and_sharded_collections_take_part_in_one_transaction() {
    let shop = Shop::new("both_kinds").await;
    let whole = shop.database().collection("whole");
    whole.insert_one(doc! { "_id": 0 }).await.unwrap();
    let mut session = started(&shop).await;
    whole
        .insert_one(doc! { "_id": 1 })
        .session(&mut session)
        .await
        .unwrap();
    shop.ranged
        .insert_many(numbered(40..60))
        .session(&mut session)
        .await
        .unwrap();
    let deleted = whole
        .delete_one(doc! { "_id": 0 })
        .session(&mut session)
        .await
        .unwrap();
    assert_eq!(deleted.deleted_count, 1);
    session.commit_transaction().await.unwrap();
    assert_eq!(whole.count_documents(doc! {}).await.unwrap(), 1);
    assert_eq!(shop.per_shard("ranged").await, [10, 10]);
}

#[tokio::test]
async fn a_new_collection_in_a_transaction_over_both_shards_is_refused() {
    let shop = Shop::new("new_collection").await;
    let new = shop.database().collection("new");
    let mut session = started(&shop).await;
    new.insert_one(doc! { "_id": 1 })
        .session(&mut session)
        .await
        .unwrap();
    shop.ranged
        .insert_many(numbered(40..60))
        .session(&mut session)
        .await
        .unwrap();
    let error = session.commit_transaction().await.unwrap_err();
    assert_eq!(crate::statements::code(&error), 263, "{error}");
    assert_eq!(shop.per_shard("ranged").await, [0, 0]);
}

#[tokio::test]
async fn an_aggregation_on_the_database_takes_part_in_a_transaction() {
    let shop = Shop::new("on_database").await;
    let database = shop.database();
    let whole = database.collection("whole");
    whole.insert_one(doc! { "_id": 0 }).await.unwrap();
    let mut session = started(&shop).await;
    // Only the first statement of a transaction could be sent again.
    let insert = whole.insert_one(doc! { "_id": 1 });
    insert.session(&mut session).await.unwrap();
    let pipeline = [
        doc! { "$documents": [{ "n": 1 }] },
        doc! { "$lookup": {
            "from": "whole", "localField": "n", "foreignField": "_id", "as": "found",
        } },
    ];
    let aggregate = database.aggregate(pipeline).session(&mut session);
    let mut cursor = aggregate.await.unwrap();
    let found = cursor.next(&mut session).await.unwrap().unwrap();
    assert_eq!(found, doc! { "n": 1, "found": [{ "_id": 1 }] });
    session.commit_transaction().await.unwrap();
}

/// The documents of both shards together are larger than a command.
#[tokio::test]
async fn each_shard_sorts_and_limits_large_documents() {
    let shop = Shop::new("large_documents").await;
    let text = "x".repeat(1_000_000);
    for n in 40..60 {
        let document = doc! { "_id": n, "n": n, "rank": (n * 7) % 20, "text": &text };
        shop.ranged.insert_one(document).await.unwrap();
    }
    let mut session = started(&shop).await;
    let stages = [
        doc! { "$match": { "n": { "$gt": 0 } } },
        doc! { "$sort": { "rank": -1 } },
        doc! { "$skip": 1 },
        doc! { "$limit": 3 },
        doc! { "$project": { "rank": 1, "text": 1 } },
    ];
    let grouped = doc! { "$group": { "_id": 1, "ranks": { "$push": "$rank" } } };
    for rest in [None, Some(grouped)] {
        let is_grouped = rest.is_some();
        let stages = stages.iter().cloned().chain(rest);
        let cursor = shop.ranged.aggregate(stages).session(&mut session);
        let mut cursor = cursor.await.unwrap();
        let mut ranks = Vec::new();
        while let Some(found) = cursor.next(&mut session).await {
            let found = found.unwrap();
            assert!(!found.contains_key("_odm_sort_key"));
            match found.get_array("ranks") {
                Ok(all) => ranks.extend(all.iter().filter_map(Bson::as_i32)),
                Err(_) => ranks.push(found.get_i32("rank").unwrap()),
            }
        }
        assert_eq!(ranks, [18, 17, 16], "grouped: {is_grouped}");
    }
    let counted = shop
        .ranged
        .count_documents(doc! {})
        .session(&mut session)
        .await;
    assert_eq!(counted.unwrap(), 20);
    session.abort_transaction().await.unwrap();
}
