//! The models of the tests, and the cluster.

use mongo_odm::{
    Odm, Settings, Settle,
    bson::{Bson, doc},
    maintenance::ShardCollections,
    mongodb::Client,
    prelude::*,
};
use mongo_odm_testkit::Cluster;
use tokio::sync::OnceCell;

/// A host, with a copy of its name in each log line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "sharded_hosts",
    shard_key(_id = "hashed"),
    has_many(logs = "Log.host")
)]
pub struct Host {
    #[serde(rename = "_id")]
    pub id: Id<Host, i32>,
    pub name: String,
    #[rollup(count, of = Log, via = host)]
    pub logs: i64,
}

/// A log line. All lines of one host are on one shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sharded_logs", shard_key(host = 1))]
pub struct Log {
    #[serde(rename = "_id")]
    pub id: Id<Log, i32>,
    #[parent_ref(on_delete = "cascade")]
    pub host: Id<Host, i32>,
    #[denorm(from = Host.name, via = host)]
    pub host_name: String,
    pub text: String,
    #[version]
    pub version: i64,
}

/// A model that no other model depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sharded_events", shard_key(room = 1, _id = "hashed"))]
pub struct Event {
    #[serde(rename = "_id")]
    pub id: Id<Event, i32>,
    pub room: i32,
    pub state: String,
    #[embed(max = 3)]
    pub tags: Vec<String>,
}

pub fn host(id: i32) -> Host {
    Host {
        id: Id::from_key(id),
        name: format!("host {id}"),
        logs: 0,
    }
}

pub fn log(id: i32, host: i32) -> Log {
    Log {
        id: Id::from_key(id),
        host: Id::from_key(host),
        host_name: String::new(),
        text: format!("line {id}"),
        version: 0,
    }
}

pub fn event(id: i32, room: i32) -> Event {
    Event {
        id: Id::from_key(id),
        room,
        state: "new".into(),
        tags: Vec::new(),
    }
}

static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();

pub async fn cluster() -> &'static Cluster {
    let start = async || {
        let cluster = Cluster::start().await.unwrap();
        eprintln!("{cluster}");
        cluster
    };
    CLUSTER.get_or_init(start).await
}

/// Returns a handle to an empty database of the cluster.
pub async fn empty(name: &str) -> Odm {
    let options = cluster().await.client_options().await.unwrap();
    let client = Client::with_options(options).unwrap();
    let database = client.database(name);
    database.drop().await.unwrap();
    let settings = Settings::default().settle(Settle::Manual);
    Odm::new(database).with_settings(settings)
}

/// Returns a call that shards the collections of this module.
pub fn ours(odm: &Odm) -> ShardCollections {
    let all = odm.shard_collections().only::<Event>();
    all.only::<Host>().only::<Log>()
}

/// Returns a handle to a database whose collections are sharded. The documents with a `host` or `room` of at least 50
/// are on the second shard.
pub async fn sharded(name: &str) -> Odm {
    let odm = empty(name).await;
    ours(&odm).await.unwrap();
    let indexes = odm.sync_indexes().only::<Event>();
    indexes.only::<Host>().only::<Log>().await.unwrap();
    let cluster = cluster().await;
    let logs = format!("{name}.sharded_logs");
    cluster.split(&logs, doc! { "host": 50 }).await.unwrap();
    cluster
        .move_chunk(&logs, doc! { "host": 50 }, 1)
        .await
        .unwrap();
    let events = format!("{name}.sharded_events");
    let middle = doc! { "room": 50, "_id": Bson::MinKey };
    cluster.split(&events, middle.clone()).await.unwrap();
    // Before the move, the collection has chunks on both shards.
    for shard in [0, 1] {
        let at = doc! { "room": if shard == 0 { 0 } else { 99 }, "_id": 0 };
        cluster.move_chunk(&events, at, shard).await.unwrap();
    }
    odm
}
