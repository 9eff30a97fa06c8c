//! Whether the front selects the same shards as the server's own router.

use mongodb::bson::{
    Binary, Bson, DateTime, Decimal128, Timestamp, bson, doc, oid::ObjectId, spec::BinarySubtype,
};

use crate::Shop;

/// Values of many types, which have different hashes and different orders.
fn values() -> Vec<Bson> {
    let bytes = |size| Binary {
        subtype: BinarySubtype::Generic,
        bytes: vec![7; size],
    };
    let mut values: Vec<Bson> = (0..8).map(|n| bson!(n * 7_919 - 50_000)).collect();
    values.extend((0..8_i64).map(|n| bson!(n << 40)));
    values.extend((0..8).map(|n| bson!(format!("key {n}"))));
    values.extend((0..8).map(|n| bson!({ "a": n, "b": { "c": format!("{n}"), "d": [n, null] } })));
    values.extend((0..8).map(|_| Bson::ObjectId(ObjectId::new())));
    values.extend((0..5).map(|n| Bson::Double(f64::from(n) + 0.5)));
    values.extend((0..5).map(|n| Bson::DateTime(DateTime::from_millis(n * 1_000_003))));
    values.extend((1..5).map(|size| Bson::Binary(bytes(size))));
    values.extend(
        ["1.25", "-2.75", "1E3"].map(|text| Bson::Decimal128(text.parse::<Decimal128>().unwrap())),
    );
    values.push(Bson::Timestamp(Timestamp {
        time: 9,
        increment: 9,
    }));
    values.extend([bson!(true), bson!(false), bson!(""), bson!({}), Bson::Null]);
    values
}

/// Inserts are routed by the front. The finds are routed by the server, and ask only the shard of the value.
#[tokio::test]
async fn the_server_finds_each_value_on_the_shard_that_the_front_has_selected() {
    let shop = Shop::new("finds_each_value").await;
    let by_range = format!("{}.by_range", shop.name);
    shop.cluster
        .shard_collection(&by_range, doc! { "_id": 1 })
        .await
        .unwrap();
    for (from, to) in [(bson!(0), 0), (bson!("key 3"), 1), (bson!({}), 0)] {
        shop.cluster
            .split(&by_range, doc! { "_id": from.clone() })
            .await
            .unwrap();
        shop.cluster
            .move_chunk(&by_range, doc! { "_id": from }, to)
            .await
            .unwrap();
    }
    let by_range = shop.database().collection("by_range");
    for collection in [shop.hashed.clone(), by_range] {
        for value in values() {
            collection.insert_one(doc! { "_id": value }).await.unwrap();
        }
        let per_shard = shop.per_shard(collection.name()).await;
        assert!(per_shard.iter().all(|count| *count > 3), "{per_shard:?}");
        for value in values() {
            let filter = doc! { "_id": { "$eq": value.clone() } };
            let found = collection.find_one(filter.clone()).await.unwrap();
            // Each list contains a new `ObjectId`, which was not inserted.
            let is_known = !matches!(value, Bson::ObjectId(_));
            assert_eq!(
                found.is_some(),
                is_known,
                "{value} in {}",
                collection.name()
            );
            let explain = doc! { "explain": { "find": collection.name(), "filter": filter } };
            let plan = shop.database().run_command(explain).await.unwrap();
            let plan = plan.get_document("queryPlanner").unwrap();
            let plan = plan.get_document("winningPlan").unwrap();
            assert_eq!(plan.get_str("stage").unwrap(), "SINGLE_SHARD");
        }
    }
}

/// In a transaction the front also routes finds.
#[tokio::test]
async fn filters_in_transactions_find_the_same_documents_as_outside() {
    let shop = Shop::new("same_documents").await;
    shop.ranged
        .insert_many(crate::numbered(0..100))
        .await
        .unwrap();
    shop.hashed
        .insert_many(crate::numbered(0..100))
        .await
        .unwrap();
    let filters = [
        doc! { "n": 70 },
        doc! { "n": { "$in": [3, 70, 71] } },
        doc! { "n": { "$gt": 48, "$lt": 52 } },
        doc! { "n": { "$lte": 49 } },
        doc! { "n": { "$gte": 50.0 } },
        doc! { "$and": [{ "n": { "$gte": 10 } }, { "n": { "$lt": 55 } }] },
        doc! { "$or": [{ "n": 1 }, { "n": 99 }] },
        doc! { "n": { "$ne": 5 } },
        doc! { "_id": { "$in": [1, 2, 98] } },
        doc! { "_id": 5_i64 },
        doc! { "n": { "$not": { "$gt": 5 } } },
    ];
    let mut session = shop.client.start_session().await.unwrap();
    session.start_transaction().await.unwrap();
    for collection in [shop.hashed, shop.ranged] {
        for filter in &filters {
            let sort = doc! { "_id": 1 };
            let outside = collection
                .find(filter.clone())
                .sort(sort.clone())
                .await
                .unwrap();
            let outside = crate::numbers(outside).await;
            let find = collection
                .find(filter.clone())
                .sort(sort)
                .session(&mut session);
            let mut cursor = find.await.unwrap();
            let mut inside = Vec::new();
            while let Some(found) = cursor.next(&mut session).await {
                inside.push(found.unwrap().get_i32("_id").unwrap());
            }
            assert_eq!(inside, outside, "{filter}");
            assert!(!inside.is_empty());
        }
    }
    session.commit_transaction().await.unwrap();
}
