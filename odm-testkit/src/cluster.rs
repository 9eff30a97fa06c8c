//! A sharded cluster for tests: two shards, a config server, a router, and a front that drivers connect to.
//!
//! The files are in layers. A layer uses only the layers above it:
//!
//! | layer | contents |
//! |---|---|
//! | `value` | order and hashes of values, as in the server |
//! | `message` | the wire protocol, commands of clients, replies |
//! | `link` | connections of one client to the servers, the cluster time |
//! | `route` | the routing table, and the shards that it selects for a statement |
//! | `state` | the state that all clients share: transactions, open cursors, counters and others |
//! | `connection` | the context of a command: the links of its client, and the shared state |
//! | `command` | one file for each command, or for a group of commands |
//! | `dispatch` | selects what runs a command: the router, the shards, or the front itself |
//! | `front` | accepts clients, reads their commands, and sends the replies |
//! | `processes` | the `mongod` processes |
//! | this file | the public type `Cluster` |
//! | `control`, `shared` | other methods of `Cluster`: kills and restarts, and the cluster that tests share |

mod command;
mod connection;
mod control;
mod dispatch;
mod front;
mod link;
mod message;
mod processes;
mod route;
mod shared;
mod state;
mod value;

use std::{
    collections::BTreeMap,
    env, fmt,
    time::{Duration, Instant},
};

use mongodb::{
    Client,
    bson::{Document, doc},
    error::ErrorKind,
    options::ClientOptions,
};
use tokio::time::sleep;

use self::{
    front::Front,
    message::reply::{NOT_MONGOS, documents_of, number_of},
    processes::Processes,
    state::policy::Policy,
};
use crate::{Error, binary::find_binary};

pub use state::counters::ClusterCounters;

/// Time limit for waiting until conflicting moves have ended.
const MOVE: Duration = Duration::from_secs(30);

/// A sharded cluster with two shards.
///
/// `mongos` is not part of the `mongod` program that the tests use. So the cluster consists of four `mongod` processes and
/// a front in this process:
///
/// | part | contents |
/// |---|---|
/// | config server | the databases, shard keys and chunks |
/// | `shard0`, `shard1` | the data |
/// | router | no data; runs statements outside transactions with internal commands such as `clusterFind`, which contain code of `mongos` |
/// | front | speaks the wire protocol; the driver connects to it |
///
/// **The front is not `mongos`.** The front is code of this crate. It selects the shards for statements in
/// transactions, for retryable writes, and for commands without a `cluster` form, such as `findAndModify` and `count`.
/// It stores which shards are participants of a transaction. It merges the results of the shards for reads in a
/// transaction and for change streams. The servers do the rest: reads and aggregations over several shards outside
/// transactions, moves of chunks, deletes of orphaned documents, and the commit in two phases. Each statement of the
/// front contains the version of its routing table, so a shard rejects a statement that was routed with an old table.
///
/// If the environment variable `MONGODB_URI` contains the address of a real `mongos`, no process is started, and the
/// tests use this `mongos`. [`front`](Self::front) returns whether the front or a real `mongos` is used. The
/// [`Display`](fmt::Display) impl prints this, too.
///
/// The processes stop when this value is dropped, or at the latest when this process ends. They use about 500 MB of
/// memory.
///
/// # Limits
///
/// - One node for each replica set, and one router.
/// - The front merges change streams, because the router would crash while it waits for events. The documents before
///   and after a change can be requested if they are available (`whenAvailable`), but not as `required`.
/// - `updateMany` and `deleteMany` outside transactions have the same weakness as on `mongos`: while a chunk moves,
///   they can process a document twice, or omit it.
/// - An update of a shard key fails if the document would then belong to a different shard.
/// - In a transaction, `$group` and other stages that need the documents of several shards read at most 16 MB.
///
/// # Examples
///
/// ```no_run
/// use mongodb::{Client, bson::{Document, doc}};
/// use mongo_odm_testkit::Cluster;
///
/// # async fn test() -> Result<(), Box<dyn std::error::Error>> {
/// let cluster = Cluster::start().await?;
/// println!("{cluster}");
/// cluster.shard_collection("shop.logs", doc! { "host": 1 }).await?;
/// cluster.split("shop.logs", doc! { "host": 50 }).await?;
/// cluster.move_chunk("shop.logs", doc! { "host": 50 }, 1).await?;
/// let client = Client::with_options(cluster.client_options().await?)?;
/// let logs = client.database("shop").collection::<Document>("logs");
/// logs.insert_many([doc! { "host": 1 }, doc! { "host": 99 }]).await?;
/// assert_eq!(cluster.documents_per_shard("shop.logs").await?, [1, 1]);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Cluster {
    uri: String,
    private: Option<Private>,
}

/// The parts of a private cluster. The fields are dropped in this order.
#[derive(Debug)]
struct Private {
    _front: Front,
    processes: Processes,
}

/// Whether a move that failed with this error can be tried again. One such error means that a shard is part of another
/// move (`ConflictingOperationInProgress`). The other means that a restarted config server is not ready
/// (`BalancerInterrupted`).
fn is_conflict(error: &Error) -> bool {
    let Error::Driver(error) = error else {
        return false;
    };
    matches!(&*error.kind, ErrorKind::Command(error) if matches!(error.code, 117 | 194))
}

/// The program that the driver connects to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterFront {
    /// A real `mongos`, whose address is in `MONGODB_URI`.
    Mongos,
    /// The front of this crate, which is not `mongos`.
    Testkit,
}

impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.front() {
            ClusterFront::Mongos => {
                f.write_str("sharded cluster of the user, through a real mongos")
            }
            ClusterFront::Testkit => {
                write!(
                    f,
                    "sharded cluster of real mongod processes, through the {NOT_MONGOS}"
                )
            }
        }
    }
}

impl Cluster {
    /// Starts a cluster, and waits until it accepts writes. This takes about three seconds.
    ///
    /// If `MONGODB_URI` is set, nothing is started. The address must be that of a `mongos`.
    ///
    /// # Errors
    ///
    /// [`Error::NotSharded`] if the server at `MONGODB_URI` is not a `mongos`, [`Error::NoServer`] if no `mongod` was
    /// found, and [`Error::Died`] or [`Error::Timeout`] if the start fails.
    pub async fn start() -> Result<Self, Error> {
        Self::start_with(Policy::AsRequested, &[]).await
    }

    /// Does the same as [`start`](Self::start), and sets parameters of all `mongod` processes, including those that are
    /// started again after a kill. A parameter is text such as `transactionLifetimeLimitSeconds=3`.
    ///
    /// The `mongos` at `MONGODB_URI` keeps its own parameters.
    ///
    /// # Errors
    ///
    /// Those of [`start`](Self::start).
    pub async fn start_with_parameters(parameters: &[&str]) -> Result<Self, Error> {
        Self::start_with(Policy::AsRequested, parameters).await
    }

    async fn start_with(policy: Policy, parameters: &[&str]) -> Result<Self, Error> {
        if let Some(uri) = env::var("MONGODB_URI").ok().filter(|uri| !uri.is_empty()) {
            let cluster = Self { uri, private: None };
            return cluster.checked().await;
        }
        let binary = find_binary().await?;
        let processes = Processes::start(&binary, parameters).await?;
        let front = Front::start(processes.ports(), policy)?;
        let uri = format!("mongodb://127.0.0.1:{}/", front.port());
        Ok(Self {
            uri,
            private: Some(Private {
                _front: front,
                processes,
            }),
        })
    }

    /// Fails if the server at `MONGODB_URI` is not a `mongos`.
    async fn checked(self) -> Result<Self, Error> {
        let hello = self.command("admin", doc! { "hello": 1 }).await?;
        if hello.get_str("msg").ok() == Some("isdbgrid") {
            return Ok(self);
        }
        Err(Error::NotSharded {
            uri: crate::uri::without_password(&self.uri),
        })
    }

    /// Returns the connection string. If the cluster is that of `MONGODB_URI`, the string can contain the name of a
    /// database.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the connection string with the name of a database.
    #[must_use]
    pub fn uri_of(&self, database: &str) -> String {
        crate::uri::with_database(&self.uri, database)
    }

    /// Returns new options for a client of this cluster.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] if the connection string in `MONGODB_URI` is invalid.
    pub async fn client_options(&self) -> Result<ClientOptions, Error> {
        Ok(ClientOptions::parse(&self.uri).await?)
    }

    /// Returns the program that the driver connects to.
    #[must_use]
    pub fn front(&self) -> ClusterFront {
        if self.private.is_some() {
            ClusterFront::Testkit
        } else {
            ClusterFront::Mongos
        }
    }

    /// Returns the names of the shards.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] for an error of the server.
    pub async fn shards(&self) -> Result<Vec<String>, Error> {
        let reply = self.command("admin", doc! { "listShards": 1 }).await?;
        let shards = documents_of(&reply, "shards");
        let names = shards.iter().filter_map(|shard| shard.get_str("_id").ok());
        Ok(names.map(str::to_owned).collect())
    }

    /// Shards a collection. `namespace` contains the database, such as `shop.logs`. The shard key can be hashed, such
    /// as `{_id: "hashed"}`, or ranged, such as `{host: 1}`.
    ///
    /// An empty collection with a hashed key has chunks on both shards. Any other collection has one chunk, on the
    /// primary shard of the database.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] for an error of the server.
    pub async fn shard_collection(&self, namespace: &str, key: Document) -> Result<(), Error> {
        let command = doc! { "shardCollection": namespace, "key": key };
        self.command("admin", command).await.map(drop)
    }

    /// Splits a chunk. `key` contains all fields of the shard key and becomes the smallest key of the new chunk.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] for an error of the server.
    pub async fn split(&self, namespace: &str, key: Document) -> Result<(), Error> {
        let command = doc! { "split": namespace, "middle": key };
        self.command("admin", command).await.map(drop)
    }

    /// Moves the chunk that contains a document with this shard key. `shard` is the position of the new shard in
    /// [`shards`](Self::shards). If the chunk is already on this shard, nothing changes.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] for an error of the server, for example if transactions lock the chunk for too long.
    pub async fn move_chunk(
        &self,
        namespace: &str,
        key: Document,
        shard: usize,
    ) -> Result<(), Error> {
        let shards = self.shards().await?;
        let missing = || Error::NoSuchNode {
            node: shard,
            why: format!("the shards are {shards:?}"),
        };
        let to = shards.get(shard).ok_or_else(missing)?;
        let command = doc! { "moveChunk": namespace, "find": key, "to": to };
        let deadline = Instant::now() + MOVE;
        loop {
            match self.command("admin", command.clone()).await {
                Err(error) if is_conflict(&error) && Instant::now() < deadline => {
                    sleep(Duration::from_millis(20)).await;
                }
                moved => return moved.map(drop),
            }
        }
    }

    /// Returns the number of documents of a collection on each shard, in the order of [`shards`](Self::shards). After a
    /// move, both shards count the moved documents until the server deletes them from the old shard.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] for an error of the server.
    pub async fn documents_per_shard(&self, namespace: &str) -> Result<Vec<i64>, Error> {
        let (db, collection) = namespace.split_once('.').unwrap_or((namespace, ""));
        let command = doc! {
            "aggregate": collection, "pipeline": [{ "$collStats": { "count": {} } }], "cursor": {},
        };
        let reply = self.command(db, command).await?;
        let cursor = reply.get_document("cursor").cloned().unwrap_or_default();
        let counts: BTreeMap<String, i64> = documents_of(&cursor, "firstBatch")
            .iter()
            .map(|it| {
                (
                    it.get_str("shard").unwrap_or_default().to_owned(),
                    number_of(it, "count"),
                )
            })
            .collect();
        let shards = self.shards().await?;
        Ok(shards
            .iter()
            .map(|shard| counts.get(shard).copied().unwrap_or_default())
            .collect())
    }

    /// Returns the counters of the cluster.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] for an error of the server.
    pub async fn counters(&self) -> Result<ClusterCounters, Error> {
        let status = self.command("admin", doc! { "serverStatus": 1 }).await?;
        let moves = doc! { "count": "changelog", "query": { "what": "moveChunk.commit" } };
        let moves = self.command("config", moves).await?;
        Ok(ClusterCounters::of_status(&status, number_of(&moves, "n")))
    }

    /// Runs a command with a new client, because a client belongs to the runtime that created it.
    async fn command(&self, db: &str, command: Document) -> Result<Document, Error> {
        let client = Client::with_options(self.client_options().await?)?;
        Ok(client.database(db).run_command(command).await?)
    }
}
