//! Saves that change the shard key of a document, on a cluster and on a replica set.

mod derived;
mod hooks;
mod refused;
mod tenants;

use mongo_odm::{Odm, Settings, Settle, bson::doc, prelude::*};
use odm_tests::{Harness, cluster::is_sharded};

use crate::models::{Event, cluster, empty, event, sharded};

/// A depot, with the number of its parcels and the lightest ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_depots", shard_key(_id = "hashed"))]
struct Depot {
    #[serde(rename = "_id")]
    id: Id<Depot, i32>,
    name: String,
    #[rollup(count, of = Parcel, via = depot)]
    parcels: i64,
    #[recent(of = Parcel, via = depot, sort = weight, limit = 2)]
    lightest: Vec<Light>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Parcel")]
struct Light {
    #[serde(rename = "_id")]
    id: Id<Parcel, i32>,
    weight: i32,
}

/// A parcel is on the shard of its depot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "moving_parcels",
    shard_key(depot = 1),
    index(keys(depot = 1, label = 1), unique)
)]
struct Parcel {
    #[serde(rename = "_id")]
    id: Id<Parcel, i32>,
    #[parent_ref(on_delete = "restrict")]
    depot: Id<Depot, i32>,
    #[denorm(from = Depot.name, via = depot)]
    depot_name: String,
    label: String,
    weight: i32,
    #[refs(many, inverse = "parcels", max = 5)]
    routes: Vec<Id<Route, i32>>,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
    #[version]
    version: i64,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_routes", shard_key(_id = "hashed"))]
struct Route {
    #[serde(rename = "_id")]
    id: Id<Route, i32>,
    #[refs(many, inverse = "routes", max = 5)]
    parcels: Vec<Id<Parcel, i32>>,
}

/// A scan of a parcel, with copies of fields that change when the parcel is moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_scans", shard_key(parcel = 1))]
struct Scan {
    #[serde(rename = "_id")]
    id: Id<Scan, i32>,
    #[parent_ref(on_delete = "cascade", exists)]
    parcel: Id<Parcel, i32>,
    #[denorm(from = Parcel.label, via = parcel)]
    label: String,
    #[denorm(from = Parcel.depot_name, via = parcel)]
    depot_name: String,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

fn depot(id: i32, name: &str) -> Depot {
    Depot {
        id: Id::from_key(id),
        name: name.to_owned(),
        parcels: 0,
        lightest: Vec::new(),
    }
}

fn parcel(id: i32, depot: i32) -> Parcel {
    Parcel {
        id: Id::from_key(id),
        depot: Id::from_key(depot),
        depot_name: String::new(),
        label: format!("parcel {id}"),
        weight: id * 10,
        routes: Vec::new(),
        created: DateTime::now(),
        updated: DateTime::now(),
        version: 0,
        deleted_at: None,
    }
}

fn scan(id: i32, parcel: i32) -> Scan {
    Scan {
        id: Id::from_key(id),
        parcel: Id::from_key(parcel),
        label: String::new(),
        depot_name: String::new(),
        deleted_at: None,
    }
}

/// Creates the indexes of the models in this module.
async fn sync_indexes(odm: &Odm) {
    let all = odm.sync_indexes().only::<Depot>().only::<Parcel>();
    all.only::<Route>().only::<Scan>().await.unwrap();
}

/// Inserts two depots, three parcels in the first one, and two scans of the first parcel.
async fn insert_parcels(odm: &Odm) {
    let depots = [depot(1, "north"), depot(60, "south")];
    Depot::insert_many(odm, &depots).await.unwrap();
    let parcels = [parcel(1, 1), parcel(2, 1), parcel(3, 1)];
    Parcel::insert_many(odm, &parcels).await.unwrap();
    let route = Route {
        id: Id::from_key(7),
        parcels: vec![Id::from_key(1)],
    };
    route.insert(odm).await.unwrap();
    let scans = [scan(1, 1), scan(2, 1)];
    Scan::insert_many(odm, &scans).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
}

/// A database of the cluster. The parcels of depots from 50 on are on the second shard.
async fn on_cluster(name: &str) -> Odm {
    let odm = empty(name).await;
    let all = odm.shard_collections().only::<Depot>().only::<Parcel>();
    all.only::<Route>().only::<Scan>().await.unwrap();
    sync_indexes(&odm).await;
    split(&format!("{name}.moving_parcels"), "depot").await;
    insert_parcels(&odm).await;
    odm
}

/// Moves the documents with a `field` of at least 50 to the second shard.
async fn split(namespace: &str, field: &str) {
    let cluster = cluster().await;
    let middle = doc! { field: 50 };
    cluster.split(namespace, middle).await.unwrap();
    for (value, shard) in [(0, 0), (99, 1)] {
        let at = doc! { field: value };
        cluster.move_chunk(namespace, at, shard).await.unwrap();
    }
}

async fn on_replica_set(name: &str) -> Harness {
    let mut t = Harness::new(name).await;
    let settings = Settings::default().settle(Settle::Manual);
    t.odm = t.odm.with_settings(settings);
    sync_indexes(&t.odm).await;
    insert_parcels(&t.odm).await;
    t
}

async fn stored(odm: &Odm) -> Parcel {
    Parcel::get(odm, Id::from_key(1)).await.unwrap()
}

async fn assert_right(odm: &Odm) {
    let drift = odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift:?}");
}

async fn per_shard(odm: &Odm, collection: &str) -> Vec<i64> {
    let namespace = format!("{}.{collection}", odm.database().name());
    let cluster = cluster().await;
    cluster.documents_per_shard(&namespace).await.unwrap()
}

#[tokio::test]
async fn a_document_moves_to_the_shard_of_its_new_key_and_back() {
    let odm = sharded("moving_events").await;
    Event::insert_many(&odm, &[event(1, 10), event(2, 10)])
        .await
        .unwrap();
    let shards = async || per_shard(&odm, "sharded_events").await;
    assert_eq!(shards().await, [2, 0]);
    let mut moved = event(1, 60);
    moved.tags.push("moved".to_owned());
    let report = moved.save(&odm).moving().await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    assert_eq!(shards().await, [1, 1]);
    assert_eq!(Event::get(&odm, moved.id).await.unwrap(), moved);
    let returned = event(1, 10).replace(&odm).moving().returning().await;
    assert_eq!(returned.unwrap(), event(1, 10));
    assert_eq!(shards().await, [2, 0]);
    // The new shard key is on the same shard.
    event(1, 11).save(&odm).moving().await.unwrap();
    assert_eq!(shards().await, [2, 0]);
    assert_eq!(Event::count(&odm).await.unwrap(), 2);
}

#[tokio::test]
async fn an_unchanged_key_and_a_new_document_need_no_move() {
    let odm = sharded("moving_unmoved").await;
    let new = event(1, 60).save(&odm).moving().await.unwrap();
    assert_eq!((new.matched, new.modified), (0, 0));
    assert_eq!(Event::count(&odm).await.unwrap(), 1);
    let observed = odm.observe(event(1, 60).save(&odm).moving().into_future());
    let observed = observed.await;
    assert_eq!(observed.value.unwrap().matched, 1);
    let sent = observed.sent.iter().map(|it| it.command);
    let sent: Vec<&str> = sent.filter(|it| *it != "hello").collect();
    assert_eq!(sent, ["find", "update", "commitTransaction"]);
    let missing = event(2, 60).replace(&odm).moving().await.unwrap();
    assert_eq!((missing.matched, Event::count(&odm).await.unwrap()), (0, 1));
}

#[tokio::test]
async fn a_bulk_write_moves_documents() {
    let odm = sharded("moving_bulk").await;
    Event::insert_many(&odm, &[event(1, 10), event(2, 10)])
        .await
        .unwrap();
    let (first, second) = (event(1, 60), event(2, 70));
    let bulk = odm.bulk_write().add(first.save(&odm).moving());
    let report = bulk.add(second.replace(&odm).moving()).await.unwrap();
    assert_eq!(report.counts.modified, 2);
    assert_eq!(per_shard(&odm, "sharded_events").await, [0, 2]);
}

/// The handle has not asked the server whether it is a cluster, so it returns the plan for a cluster.
#[tokio::test]
async fn a_plan_shows_the_delete_and_the_insert() {
    let t = Harness::new("moving_plan").await;
    let of_cluster = "// in one transaction, with all that follows\n\
         // [all shards]\n\
         db.sharded_events.find({ _id: 1 }).limit(-1)\n\
         // if the shard key changes; otherwise, one statement replaces the document\n\
         // [1 shard]\n\
         db.sharded_events.deleteOne({ _id: 1, room: <room now> })\n\
         db.sharded_events.insertOne({ _id: 1, room: 60, state: \"new\", tags: [] })";
    let of_replica_set = "// in one transaction, with all that follows\n\
         // [all shards]\n\
         db.sharded_events.find({ _id: 1 }).limit(-1)\n\
         // [1 shard]\n\
         db.sharded_events.replaceOne({ _id: 1, room: <room now> }, { _id: 1, room: 60, state: \"new\", tags: [] })";
    let plan = event(1, 60).save(&t.odm).moving().plan().unwrap();
    assert_eq!(plan.to_string(), of_cluster);
    // A save asks the server whether it supports transactions.
    event(2, 10).save(&t.odm).await.unwrap();
    let plan = event(1, 60).replace(&t.odm).moving().plan().unwrap();
    let expected = if is_sharded() {
        of_cluster
    } else {
        of_replica_set
    };
    assert_eq!(plan.to_string(), expected);
}

/// Six writers move one document between two shards, and three others update it.
#[tokio::test]
async fn concurrent_moves_and_updates_keep_one_document() {
    let odm = on_cluster("moving_concurrent").await;
    let moves = (0..6).map(|number| {
        let odm = odm.clone();
        tokio::spawn(async move {
            let depot = Id::from_key(if number % 2 == 0 { 1 } else { 60 });
            loop {
                let loaded = stored(&odm).await;
                let moved = Parcel { depot, ..loaded };
                match moved.save(&odm).moving().await {
                    Ok(report) => break assert_eq!(report.matched, 1),
                    Err(mongo_odm::Error::Conflict { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        })
    });
    let updates = (0..3).map(|_| {
        let odm = odm.clone();
        tokio::spawn(async move {
            let update = Parcel::update(&odm, Id::from_key(1));
            let report = update.inc(Parcel::fields().weight, 1).await.unwrap();
            assert_eq!(report.matched, 1);
        })
    });
    let all: Vec<_> = moves.chain(updates).collect();
    for writer in all {
        writer.await.unwrap();
    }
    odm.run_pending_jobs().await.unwrap();
    let last = stored(&odm).await;
    assert_eq!((last.weight, last.version), (13, 10));
    assert_eq!(Parcel::count(&odm).await.unwrap(), 3);
    let per_shard = per_shard(&odm, "moving_parcels").await;
    assert_eq!(per_shard.iter().sum::<i64>(), 3);
    assert_right(&odm).await;
}
