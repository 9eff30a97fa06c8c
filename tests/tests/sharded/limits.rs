//! Limits of queries and for each owner, on a cluster, also with the setting that rejects broadcasts.

use mongo_odm::{Odm, Settings, bson::doc, prelude::*};

use crate::models::{cluster, empty};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "sharded_shops",
    has_many(receipts = "Receipt.shop"),
    has_many(tills = "Till.shop")
)]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, i32>,
}

/// The receipts of one shop can be on several shards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sharded_receipts", shard_key(day = 1))]
struct Receipt {
    #[serde(rename = "_id")]
    id: Id<Receipt, i32>,
    #[parent_ref]
    shop: Id<Shop, i32>,
    day: i32,
}

/// The tills of one shop are next to each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sharded_tills", shard_key(shop = 1, number = 1))]
struct Till {
    #[serde(rename = "_id")]
    id: Id<Till, i32>,
    #[parent_ref]
    shop: Id<Shop, i32>,
    number: i32,
}

/// Opens a database in which both collections have documents on both shards. The handle rejects broadcasts.
async fn shops(name: &str) -> (Odm, [Shop; 2]) {
    let odm = empty(name).await;
    let sharding = odm.shard_collections().only::<Receipt>();
    sharding.only::<Till>().await.unwrap();
    let indexes = odm.sync_indexes().only::<Receipt>();
    indexes.only::<Till>().await.unwrap();
    let cluster = cluster().await;
    for (collection, middle, ends) in [
        (
            "sharded_receipts",
            doc! { "day": 2 },
            [doc! { "day": 0 }, doc! { "day": 9 }],
        ),
        (
            "sharded_tills",
            doc! { "shop": 2, "number": 0 },
            [
                doc! { "shop": 0, "number": 0 },
                doc! { "shop": 9, "number": 0 },
            ],
        ),
    ] {
        let namespace = format!("{name}.{collection}");
        cluster.split(&namespace, middle).await.unwrap();
        for (at, shard) in ends.into_iter().zip([0, 1]) {
            cluster.move_chunk(&namespace, at, shard).await.unwrap();
        }
    }
    for id in 0..8 {
        let shop = Id::from_key(1 + id % 2);
        let receipt = Receipt {
            id: Id::from_key(id),
            shop,
            day: id / 2,
        };
        receipt.insert(&odm).await.unwrap();
        let till = Till {
            id: Id::from_key(id),
            shop,
            number: id / 2,
        };
        till.insert(&odm).await.unwrap();
    }
    let settings = odm.settings().clone().reject_broadcasts(true);
    let shops = [1, 2].map(|id| Shop {
        id: Id::from_key(id),
    });
    (odm.with_settings(settings), shops)
}

#[tokio::test]
async fn a_limit_for_each_owner_is_a_broadcast_unless_the_shard_key_begins_with_the_reference() {
    let (odm, shops) = shops("sharded_each").await;
    let receipts = || Shop::join_receipts(&shops, &odm).limit_each(2);
    let plan = receipts().plan().unwrap();
    let notes: Vec<_> = plan.statements.iter().flat_map(|it| &it.notes).collect();
    assert_eq!(notes, ["[all shards]"], "{plan}");
    let failed = receipts().await.unwrap_err().to_string();
    assert!(failed.contains("this `aggregate` of `Receipt`"), "{failed}");
    assert!(failed.contains("add a condition on `day`"), "{failed}");
    let inside = odm.transaction(async |tx| {
        let receipts = Shop::join_receipts(&shops, &tx).limit_each(2).await;
        let tills = Shop::join_tills(&shops, &tx).limit_each(3).await?;
        Ok((receipts.map(drop).unwrap_err().to_string(), tills.len()))
    });
    let (failed, tills) = inside.await.unwrap();
    assert!(failed.contains("`Settings::reject_broadcasts`"), "{failed}");
    assert_eq!(tills, 6);
    let all = odm.with_settings(Settings::default());
    let joined = Shop::join_receipts(&shops, &all).limit_each(2);
    assert_eq!(joined.await.unwrap().len(), 4);

    let of_day = receipts().filter(Receipt::fields().day.eq(3));
    let joined = of_day.await.unwrap();
    let ids = |shop| joined.of(shop).map(|it| it.id.into_key()).collect();
    let found: [Vec<i32>; 2] = [ids(&shops[0]), ids(&shops[1])];
    assert_eq!(found, [[6], [7]]);

    let newest = Till::fields().number.desc();
    let tills = Shop::join_tills(&shops, &odm).sort(newest).limit_each(2);
    let joined = tills.await.unwrap();
    let ids = |shop| joined.of(shop).map(|it| it.id.into_key()).collect();
    let found: [Vec<i32>; 2] = [ids(&shops[0]), ids(&shops[1])];
    assert_eq!(found, [[6, 4], [7, 5]]);
    let plan = Shop::join_tills(&shops, &odm).limit_each(2).plan().unwrap();
    assert!(!plan.to_string().contains("[all shards]"), "{plan}");
}

/// A router adds the skip and the limit, and rejects a sum above `i64::MAX`.
#[tokio::test]
async fn a_skip_and_a_limit_can_both_be_the_largest_number() {
    let (odm, shops) = shops("sharded_far").await;
    let odm = odm.with_settings(odm.settings().clone().reject_broadcasts(false));
    let sorted = || Receipt::find(&odm).sort(Receipt::fields().day.asc());
    let all = sorted().skip(1).limit(usize::MAX).await.unwrap();
    assert_eq!(all.len(), 7);
    let far = sorted().skip(usize::MAX).limit(usize::MAX).await.unwrap();
    assert!(far.is_empty());
    let of_shop = shops[0].load_receipts(&odm).skip(1).limit(usize::MAX);
    assert_eq!(of_shop.await.unwrap().len(), 3);
}
