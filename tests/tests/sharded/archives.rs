//! Models whose deleted documents are moved to an archive, which has the same shard key.

use mongo_odm::{
    bson::{Document, doc},
    prelude::*,
};

use crate::models::{cluster, empty};

/// An order of a region. The regions from 50 on are on the second shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "sharded_orders",
    on_delete = "archive",
    shard_key(region = 1)
)]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    region: i32,
    #[rollup(count, of = Line, via = order)]
    lines: i64,
}

/// A line is on the shard of the region that produces its article, so the lines of one order can be on both shards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "sharded_lines",
    on_delete = "archive",
    shard_key(region = 1)
)]
struct Line {
    #[serde(rename = "_id")]
    id: Id<Line, i32>,
    region: i32,
    #[parent_ref(on_delete = "cascade", exists)]
    order: Id<Order, i32>,
    #[denorm(from = Order.region, via = order)]
    ordered_in: i32,
}

fn order(id: i32, region: i32) -> Order {
    Order {
        id: Id::from_key(id),
        region,
        lines: 0,
    }
}

fn line(id: i32, region: i32, order: i32) -> Line {
    Line {
        id: Id::from_key(id),
        region,
        order: Id::from_key(order),
        ordered_in: 0,
    }
}

/// Moves the regions from 50 on to the second shard.
async fn split(database: &str, collections: &[&str]) {
    let cluster = cluster().await;
    for collection in collections {
        let namespace = format!("{database}.{collection}");
        let middle = doc! { "region": 50 };
        cluster.split(&namespace, middle.clone()).await.unwrap();
        for (region, shard) in [(0, 0), (99, 1)] {
            let at = doc! { "region": region };
            cluster.move_chunk(&namespace, at, shard).await.unwrap();
        }
    }
}

async fn documents(database: &str, collection: &str) -> Vec<i64> {
    let namespace = format!("{database}.{collection}");
    let cluster = cluster().await;
    cluster.documents_per_shard(&namespace).await.unwrap()
}

/// Inserts an order on each shard, with lines on both shards.
async fn insert_orders(odm: &Odm) {
    for (id, region) in [(1, 10), (2, 60)] {
        order(id, region).insert(odm).await.unwrap();
        let lines = [line(id * 10, 10, id), line(id * 10 + 1, 60, id)];
        Line::insert_many(odm, &lines).await.unwrap();
    }
    odm.run_pending_jobs().await.unwrap();
}

/// Deletes, restores and purges an order of the second shard.
async fn delete_and_restore(odm: &Odm) {
    let id = Id::from_key(2);
    let before = Line::find(odm).sort(Line::fields().id.asc()).await.unwrap();
    Order::delete(odm, id).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(Order::count(odm).await.unwrap(), 1);
    assert_eq!(Line::count(odm).await.unwrap(), 2);
    assert_eq!(Order::find(odm).only_deleted().await.unwrap().len(), 1);
    assert_eq!(Line::find(odm).only_deleted().await.unwrap().len(), 2);
    Order::restore(odm, id).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let after = Line::find(odm).sort(Line::fields().id.asc()).await.unwrap();
    assert_eq!(after, before);
    assert_eq!(Order::get(odm, id).await.unwrap().lines, 2);
    let drift = odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift:?}");
    Order::delete(odm, id).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    Order::purge(odm, id).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert!(Line::find(odm).only_deleted().await.unwrap().is_empty());
    assert!(Order::find(odm).only_deleted().await.unwrap().is_empty());
}

#[tokio::test]
async fn an_archive_is_sharded_like_its_collection() {
    let name = "sharded_archives";
    let odm = empty(name).await;
    let sharding = || odm.shard_collections().only::<Order>().only::<Line>();
    let report = sharding().await.unwrap();
    let all = [
        "sharded_lines",
        "sharded_lines_archive",
        "sharded_orders",
        "sharded_orders_archive",
    ];
    assert_eq!(report.sharded, all);
    let indexes = || odm.sync_indexes().only::<Order>().only::<Line>();
    indexes().await.unwrap();
    let diff = indexes().diff().await.unwrap();
    assert!(diff.is_in_sync(), "{diff}");
    split(name, &all).await;
    insert_orders(&odm).await;
    let archived = async || documents(name, "sharded_lines_archive").await;
    Order::delete(&odm, Id::from_key(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(archived().await, [1, 1]);
    Order::restore(&odm, Id::from_key(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(archived().await, [0, 0]);
    delete_and_restore(&odm).await;
}

/// A transaction on two shards cannot create a collection.
#[tokio::test]
async fn an_archive_that_does_not_exist_is_created_before_the_transaction() {
    let name = "sharded_new_archives";
    let odm = empty(name).await;
    let cluster = cluster().await;
    for collection in ["sharded_lines", "sharded_orders"] {
        let namespace = format!("{name}.{collection}");
        let key = doc! { "region": 1 };
        cluster.shard_collection(&namespace, key).await.unwrap();
    }
    split(name, &["sharded_lines", "sharded_orders"]).await;
    let indexes = odm.sync_indexes().only::<Order>().only::<Line>();
    indexes.await.unwrap();
    for archive in ["sharded_lines_archive", "sharded_orders_archive"] {
        let archive = odm.database().collection::<Document>(archive);
        archive.drop().await.unwrap();
    }
    insert_orders(&odm).await;
    delete_and_restore(&odm).await;
}
