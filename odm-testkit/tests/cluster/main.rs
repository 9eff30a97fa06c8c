//! A sharded cluster of real `mongod` processes. The driver connects to the front of this crate, which is not `mongos`,
//! or to the `mongos` in `MONGODB_URI`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests panic to fail"
)]

mod changes;
mod kills;
mod moves;
mod routing;
mod statements;
mod transactions;

use mongo_odm_testkit::Cluster;
use mongodb::{
    Client, Collection, Database,
    bson::{Document, doc},
};
use tokio::sync::OnceCell;

static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();

/// Returns the cluster that all tests share, except those that kill processes.
async fn cluster() -> &'static Cluster {
    let start = async || {
        let cluster = Cluster::start().await.unwrap();
        eprintln!("{cluster}");
        cluster
    };
    CLUSTER.get_or_init(start).await
}

async fn client(cluster: &Cluster) -> Client {
    Client::with_options(cluster.client_options().await.unwrap()).unwrap()
}

/// The database of a test, in which `hashed` and `ranged` are sharded. The documents of `ranged` with an `n` below 50 are
/// on one shard, the others on the other shard.
struct Shop {
    cluster: &'static Cluster,
    client: Client,
    name: &'static str,
    hashed: Collection<Document>,
    ranged: Collection<Document>,
}

impl Shop {
    async fn new(name: &'static str) -> Self {
        let cluster = cluster().await;
        println!("{cluster}");
        let client = client(cluster).await;
        let database = client.database(name);
        database.drop().await.unwrap();
        shard(cluster, name).await;
        Self {
            cluster,
            client,
            name,
            hashed: database.collection("hashed"),
            ranged: database.collection("ranged"),
        }
    }

    fn database(&self) -> Database {
        self.client.database(self.name)
    }

    async fn per_shard(&self, collection: &str) -> Vec<i64> {
        let namespace = format!("{}.{collection}", self.name);
        self.cluster.documents_per_shard(&namespace).await.unwrap()
    }
}

async fn shard(cluster: &Cluster, name: &str) {
    let hashed = format!("{name}.hashed");
    cluster
        .shard_collection(&hashed, doc! { "_id": "hashed" })
        .await
        .unwrap();
    let ranged = format!("{name}.ranged");
    cluster
        .shard_collection(&ranged, doc! { "n": 1 })
        .await
        .unwrap();
    cluster.split(&ranged, doc! { "n": 50 }).await.unwrap();
    cluster
        .move_chunk(&ranged, doc! { "n": 0 }, 0)
        .await
        .unwrap();
    cluster
        .move_chunk(&ranged, doc! { "n": 50 }, 1)
        .await
        .unwrap();
}

/// Returns documents whose `n` is the same as the `_id`.
fn numbered(numbers: std::ops::Range<i32>) -> Vec<Document> {
    numbers.map(|n| doc! { "_id": n, "n": n, "v": 0 }).collect()
}

/// Returns the numbers of documents, in their order.
async fn numbers(cursor: mongodb::Cursor<Document>) -> Vec<i32> {
    all(cursor)
        .await
        .iter()
        .map(|it| it.get_i32("_id").unwrap())
        .collect()
}

async fn all(mut cursor: mongodb::Cursor<Document>) -> Vec<Document> {
    let mut found = Vec::new();
    while cursor.advance().await.unwrap() {
        found.push(cursor.deserialize_current().unwrap());
    }
    found
}
