//! The sharded cluster: its collections, the constant moves of chunks, and the kills of its servers.

use std::time::{Duration, Instant};

use mongo_odm::bson::{Bson, Document, doc, oid::ObjectId};
use mongo_odm_testkit::Cluster;
use tokio::time::sleep;

use crate::{
    figures::Figures,
    program::DATABASE,
    random::Random,
    setting::{Setting, client},
};

/// The collections that are sharded by the hash of `_id`. The declared keys of other models are below.
const HASHED: [&str; 18] = [
    "bloggers", "comments", "crates", "games", "hosts", "items", "likes", "logmsg", "meters",
    "notes", "parts", "posts", "products", "scores", "shelves", "stickers", "tallies", "twins",
];
const RANGED: [(&str, &str, u64); 2] = [("portraits", "twin", 8), ("readings", "meter", 12)];

/// Steps of a commit over two shards in which its coordinator can be stopped: before all shards have prepared it,
/// before the decision is stored, and before the decision reaches the other shard.
const STEPS: [&str; 3] = [
    "hangBeforeWaitingForParticipantListWriteConcern",
    "hangBeforeWritingDecision",
    "hangBeforeSendingCommit",
];

/// Maximum number of splits of a collection, so that most rounds are moves.
const SPLITS: u64 = 4;

/// Shards all collections. The documents of each are on both shards from the start.
pub(crate) async fn shard(cluster: &Cluster) {
    for collection in HASHED {
        let key = doc! { "_id": "hashed" };
        let namespace = format!("{DATABASE}.{collection}");
        cluster.shard_collection(&namespace, key).await.unwrap();
    }
    for (collection, field, end) in RANGED {
        let namespace = format!("{DATABASE}.{collection}");
        let middle = doc! { field: (end / 2).cast_signed() };
        cluster
            .shard_collection(&namespace, doc! { field: 1 })
            .await
            .unwrap();
        cluster.split(&namespace, middle.clone()).await.unwrap();
        cluster.move_chunk(&namespace, middle, 1).await.unwrap();
    }
}

/// Splits and moves chunks of all collections, one after the other.
pub(crate) async fn move_chunks(
    setting: &Setting,
    cluster: &Cluster,
    end: Instant,
    figures: &Figures,
) {
    let mut random = Random::new(setting.seed + 3);
    let collections = HASHED.len() + RANGED.len();
    let mut splits = vec![0; collections];
    while Instant::now() < end {
        let number = usize::try_from(random.below(collections as u64)).unwrap();
        let (collection, key, middle) = keys(number, &mut random);
        let namespace = format!("{DATABASE}.{collection}");
        if splits[number] < SPLITS && random.percent(30) {
            splits[number] += 1;
            // A key that is already a bound of a chunk cannot be used for a split again.
            if cluster.split(&namespace, middle).await.is_ok() {
                figures.add("chunk split", 1);
            }
        }
        let to = usize::try_from(random.below(2)).unwrap();
        match cluster.move_chunk(&namespace, key, to).await {
            Ok(()) => figures.add("move of a chunk requested", 1),
            Err(_) => figures.add("move of a chunk failed", 1),
        }
    }
}

/// Returns a collection, the shard key of a random document, and a bound for a split.
fn keys(number: usize, random: &mut Random) -> (&'static str, Document, Document) {
    if let Some(collection) = HASHED.get(number) {
        let middle = doc! { "_id": Bson::Int64(random.next().cast_signed()) };
        return (collection, doc! { "_id": ObjectId::new() }, middle);
    }
    let (collection, field, end) = RANGED[number - HASHED.len()];
    let key = doc! { field: random.below(end).cast_signed() };
    (collection, key.clone(), key)
}

/// Kills shards and the config server, one after the other.
pub(crate) async fn kill_servers(
    setting: &Setting,
    cluster: &Cluster,
    end: Instant,
    figures: &Figures,
) {
    let mut random = Random::new(setting.seed + 1);
    loop {
        let pause = random.millis(2_000, 5_000);
        if Instant::now() + pause > end {
            return;
        }
        sleep(pause).await;
        let shard = usize::try_from(random.below(2)).unwrap();
        match random.below(10) {
            0..2 => {
                cluster.kill_config_server().unwrap();
                figures.add("config server killed", 1);
                sleep(random.millis(100, 2_000)).await;
                cluster.restart_config_server().await.unwrap();
            }
            2..5 => {
                cluster.kill_shard(shard).unwrap();
                figures.add("shard killed", 1);
                sleep(random.millis(100, 2_000)).await;
                cluster.restart_shard(shard).await.unwrap();
            }
            _ => kill_in_commit(cluster, shard, &mut random, figures).await,
        }
    }
}

/// Stops a shard in a step of a commit that it coordinates, and kills it or the other shard.
async fn kill_in_commit(cluster: &Cluster, shard: usize, random: &mut Random, figures: &Figures) {
    let step = STEPS[usize::try_from(random.below(3)).unwrap()];
    let victim = usize::try_from(random.below(2)).unwrap();
    let Some(uri) = uri_of(cluster, shard).await else {
        return;
    };
    let admin = client(&uri).await.database("admin");
    let set = doc! { "configureFailPoint": step, "mode": "alwaysOn" };
    let Ok(reply) = admin.run_command(set).await else {
        return;
    };
    let before = reply.get("count").and_then(Bson::as_i64);
    let before = before.or_else(|| reply.get_i32("count").ok().map(i64::from));
    let times = before.unwrap_or_default() + 1;
    let wait = doc! { "waitForFailPoint": step, "timesEntered": times, "maxTimeMS": 3_000 };
    if admin.run_command(wait).await.is_ok() {
        sleep(random.millis(0, 200)).await;
        cluster.kill_shard(victim).unwrap();
        let who = if victim == shard {
            "the coordinator"
        } else {
            "the other shard"
        };
        figures.add(&format!("killed {who} in a commit at {step}"), 1);
        sleep(random.millis(100, 2_000)).await;
        cluster.restart_shard(victim).await.unwrap();
    }
    let off = doc! { "configureFailPoint": step, "mode": "off" };
    while admin.run_command(off.clone()).await.is_err() {
        sleep(Duration::from_millis(50)).await;
    }
}

/// Returns the address of a shard, without the front.
async fn uri_of(cluster: &Cluster, shard: usize) -> Option<String> {
    let admin = client(cluster.uri()).await.database("admin");
    let shards = admin.run_command(doc! { "listShards": 1 }).await.ok()?;
    let shard = shards.get_array("shards").ok()?.get(shard)?.as_document()?;
    let (_, host) = shard.get_str("host").ok()?.split_once('/')?;
    Some(format!("mongodb://{host}/?directConnection=true"))
}
