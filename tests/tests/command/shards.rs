//! `odm check` on a sharded cluster of real `mongod` processes. The driver connects to the front of
//! `mongo-odm-testkit`, which is not `mongos`, or to the `mongos` in `MONGODB_URI`.

use mongo_odm::{
    bson::{Document, doc, oid::ObjectId},
    mongodb::Client,
};
use mongo_odm_testkit::Cluster;
use serde_json::Value;

use crate::process::{WITH_MODELS, run_at};

#[tokio::test]
async fn the_shard_keys_of_a_cluster_are_compared_with_the_models() {
    let cluster = Cluster::start().await.unwrap();
    eprintln!("{cluster}");
    let options = cluster.client_options().await.unwrap();
    let client = Client::with_options(options).unwrap();
    let database = client.database("command_shards");
    database.drop().await.unwrap();
    let person = |n: i32| doc! { "_id": ObjectId::new(), "name": n.to_string(), "addresses": [], "tasks": [] };
    let people: Vec<Document> = (0..150).map(person).collect();
    let collection = database.collection("people");
    collection.insert_many(people).await.unwrap();
    let (base, options) = cluster.uri().split_once('?').unwrap_or((cluster.uri(), ""));
    let uri = format!("{base}command_shards?{options}");
    assert_eq!(run_at(WITH_MODELS, &uri, &["indexes", "--apply"]).code, 0);
    let healthy = run_at(WITH_MODELS, &uri, &["check"]);
    assert_eq!(healthy.code, 0, "{healthy:?}");

    for (collection, key) in [
        ("people", doc! { "_id": 1 }),
        ("hosts", doc! { "ipaddr": 1 }),
    ] {
        let namespace = format!("command_shards.{collection}");
        cluster.shard_collection(&namespace, key).await.unwrap();
    }
    let found = run_at(WITH_MODELS, &uri, &["check"]);
    assert_eq!(found.code, 1, "{found:?}");
    let expected = "hosts: `hosts` is sharded by `{ ipaddr: 1 }`, but `Host` does not declare a shard key, with 0 documents; \
                    remedy: `#[model(shard_key(ipaddr = 1))]` at `Host`";
    assert!(found.out.contains(expected), "{found:?}");
    let found = run_at(WITH_MODELS, &uri, &["check", "--json"]);
    let json: Value = serde_json::from_str(&found.out).unwrap();
    let rules = json["findings"].as_array().unwrap().iter();
    let mut rules: Vec<_> = rules.map(|it| it["rule"].as_str().unwrap()).collect();
    rules.sort_unstable();
    assert_eq!(rules, ["growing_shard_key", "shard_key_missing"], "{json}");
}
