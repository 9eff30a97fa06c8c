//! Relationships for `MongoDB`: typed references, batched joins, and arrays that keep their bounds.
//!
//! Annotate plain serde structs; the derives give them typed field handles, and methods that load and
//! join what they refer to, one `find` for each relation.
//!
//! ```no_run
//! use mongo_odm::prelude::*;
//!
//! #[derive(Debug, Serialize, Deserialize, Model)]
//! #[model(collection = "products")]
//! struct Product {
//!     #[serde(rename = "_id")]
//!     id: Id<Product>,
//!     name: String,
//!     #[index(unique)]
//!     catalog_number: i64,
//!     #[refs(many)]
//!     parts: Vec<Id<Part>>,
//! }
//!
//! #[derive(Debug, Serialize, Deserialize, Model)]
//! #[model(collection = "parts")]
//! struct Part {
//!     #[serde(rename = "_id")]
//!     id: Id<Part>,
//!     name: String,
//!     price: f64,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> mongo_odm::Result<()> {
//! let odm = Odm::connect("mongodb://localhost:27017/shop").await?;
//! odm.sync_indexes().await?;
//!
//! // One document's relation: one `find`, stored order, repeats kept.
//! let by_number = Product::fields().catalog_number.eq(1234);
//! let product = Product::find_one(&odm).filter(by_number).require().await?;
//! let parts: Vec<Part> = product.load_parts(&odm).await?;
//!
//! // Many documents' relation: still one `find`.
//! let products = Product::find(&odm).limit(1_000).await?;
//! let parts = Product::join_parts(&products, &odm).await?;
//! for product in &products {
//!     for part in parts.of(product) {
//!         println!("{}: {}", product.name, part.name);
//!     }
//! }
//! # Ok(()) }
//! ```
//!
//! # Where to look
//!
//! - What a struct can say: the derives [`Model`](derive@Model), [`Embedded`](derive@Embedded) and
//!   [`Projection`](derive@Projection).
//! - What a model can do: the methods of the trait [`Documents`], and the builders in [`action`].
//! - Several kinds of documents in one collection, read as one type: the derive
//!   [`SingleCollection`](derive@SingleCollection).
//! - Loading and joining: [`relation`](mod@relation).
//! - Filters, sorts and updates: the methods of [`field::Field`] and [`UpdateOperators`]. A plain
//!   `Document` is accepted wherever they are.
//! - What each Rust type is stored as: [`with`]. Missing, null and empty apart: [`Presence`].
//! - The models as data: [`schema`](schema()).
//! - Pictures of them, surveys, advice and the operator's command: the crate `mongo-odm-tools`.
//! - Transactions: [`Odm::transaction`]; `&tx` stands wherever `&odm` does.
//!
//! # Builders
//!
//! Every call returns a builder that does nothing until it is awaited. `plan()` shows as mongosh text
//! what it will send. Its documentation says how many round trips it makes and which index it wants.
//! `tokio::spawn` and `try_join_all` take what `.into_future()` makes of it.
//! Futures are `Send + 'static`. Dropping one never breaks the driver: writes, and everything in a
//! transaction, run in tasks of their own, so a dropped write may still be carried out, as a whole if it
//! takes several statements.
//!
//! # Tests of an application
//!
//! How many round trips a call makes decides how fast it is, and is the same on every machine; so tests look at it.
//! [`assert_round_trips!`] runs a block, checks the number, and lists the statements where it is another one.
//! [`Odm::observe`] returns the statements themselves, with their relation, documents and time.
//!
//! ```no_run
//! # use mongo_odm::prelude::*;
//! # #[derive(Debug, Serialize, Deserialize, Model)]
//! # #[model(collection = "parts")]
//! # struct Part {
//! #     #[serde(rename = "_id")]
//! #     id: Id<Part>,
//! #     name: String,
//! # }
//! # #[derive(Debug, Serialize, Deserialize, Model)]
//! # #[model(collection = "products")]
//! # struct Product {
//! #     #[serde(rename = "_id")]
//! #     id: Id<Product>,
//! #     #[refs(many)]
//! #     parts: Vec<Id<Part>>,
//! # }
//! use mongo_odm::assert_round_trips;
//!
//! async fn catalogue(odm: &Odm) -> mongo_odm::Result<Vec<String>> {
//!     let products = Product::find(odm).limit(50).await?;
//!     let parts = Product::join_parts(&products, odm).await?;
//!     Ok(parts.documents().iter().map(|part| part.name.clone()).collect())
//! }
//!
//! # /*
//! #[tokio::test]
//! # */
//! async fn a_catalogue_takes_two_round_trips() -> mongo_odm::Result<()> {
//!     let settings = mongo_odm::Settings::default().schema_refresh(None);
//!     let odm = Odm::connect("mongodb://localhost:27017/shop_test").await?.with_settings(settings);
//!     assert_round_trips!(2, odm, catalogue(&odm))?;
//!     Ok(())
//! }
//! ```
//!
//! A handle that writes copies reads the declarations of other programs now and then; `schema_refresh(None)` spares a test
//! these statements. In debug builds, [`Settings::warn_of_slow_statements`] warns of lines that will be slow (events of `tracing`, level warn), and
//! [`Odm::stats`] counts in every build what is loaded, joined, read and written.
//!
//! # Features
//!
//! | feature | meaning |
//! |---|---|
//! | `bson-3` (default), `bson-2` | which BSON major the driver re-exports; with both, it is 3 |
//! | `rustls-tls` (default), `openssl-tls` | the driver's TLS |
//! | `chrono`, `time`, `jiff`, `rust_decimal`, `uuid` | types of these crates in models, stored in their BSON types: [`with`]; `uuid::Uuid` also as a key. The conversions of the BSON crate for them, as far as it has any |
//! | `smallvec` | `SmallVec` as an array of references or embedded structs |

#[doc(hidden)]
pub mod __private;
#[doc(hidden)]
pub mod __tools;
pub mod action;
mod batches;
mod client;
mod containers;
pub mod derived;
mod error;
mod graph;
pub mod index;
pub mod maintenance;
pub mod model;
mod mongosh;
pub mod observe;
pub mod prelude;
mod query;
pub mod relation;
pub mod schema;
mod setters;
mod value;
mod write;

pub use mongodb::{self, bson};

#[doc = include_str!("docs/embedded.md")]
pub use mongo_odm_derive::Embedded;
#[doc = include_str!("docs/model.md")]
pub use mongo_odm_derive::Model;
#[doc = include_str!("docs/projection.md")]
pub use mongo_odm_derive::Projection;
#[doc = include_str!("docs/single_collection.md")]
pub use mongo_odm_derive::SingleCollection;

pub use crate::query::field;
pub use crate::value::with;
pub use crate::{
    action::{
        linked_model::{Linked, LinkedWith},
        model::{Documents, Model},
    },
    client::{
        odm::{
            Executor, Observed, Odm, SentStatement, Settings, Settle, TransactionBody,
            TransactionOutcome, TransactionRun, Tx,
        },
        plan::{Plan, Statement},
    },
    error::{
        CustomError, EncodeError, Error, ErrorKind, FailedStatement, Pending, RejectedDocument,
        Result,
    },
    maintenance::check_models::check_models,
    model::{AsId, Described, Embedded, Projection, Storable, registry::models},
    query::{
        field::Average,
        filter::{ElementFilter, Filter, IntoFilter},
        single_collection::SingleCollection,
        sort::{IntoSort, Sort},
        update::{ArrayFilter, IntoArrayFilter, Update, UpdateOperators},
    },
    schema::schema,
    value::{
        codec::{AsSerde, Codec},
        id::{Id, KeyMismatch},
        key::{AnyKey, JoinKey, Key},
        presence::Presence,
    },
};

// These items are documented in their modules, so that the front page stays short. The paths at the root are as good.
#[doc(hidden)]
pub use crate::{
    action::{CopyOptions, DeleteReport, InsertReport, UpdateReport, UpsertReport},
    derived::{
        CascadeReport, CopyReport, Form, Guarantee, JobCounts, JobState, Jobs, JobsReport,
        Progress, StoredJob, Token, Wait, Worker,
    },
    index::{IndexConflict, IndexDiff, IndexName, IndexOrigin, IndexReport, IndexSpec},
    maintenance::{
        Backfill, BackfillReport, CheckMove, DiffIndexes, Drift, DriftKind, Drifted, Health,
        MoveDocuments, MoveDrift, MoveReport, Repair, RepairReport, Repaired, SyncIndexes, Verify,
        WalkProgress, WatchSources,
    },
    model::{
        Holds, IdOf, KeyFor, Keys, Polymorphic, PolymorphicTo, Readable, Reference, Serialized,
        shape,
    },
    observe::{CopyStats, FieldStats, LookupStats, ModelStats, RelationStats, Stats},
    schema::{
        Cardinality, CollectionSchema, DerivedKind, DerivedSchema, FieldAddress, FieldSchema,
        ModelSchema, ReferenceSchema, ReverseSchema, Schema,
    },
};
