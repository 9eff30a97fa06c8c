//! Relationships for `MongoDB`: typed references, batched joins, and copies that follow their source.
//!
//! You annotate plain serde structs. The derives generate typed field handles and methods that load and join related
//! documents. The library keeps copies and summaries equal to their sources, enforces the bounds of arrays, creates
//! indexes, and verifies stored data.
//!
//! # Declare models
//!
//! A [model](derive@Model) is a struct for the documents of one collection. An attribute on a field declares a
//! reference, a copy, a summary or an index. The compiler checks the paths and the types in the attributes.
//!
//! ```
//! use mongo_odm::prelude::*;
//!
//! #[derive(Debug, Serialize, Deserialize, Model)]
//! #[model(collection = "authors", has_many(books = "Book.author"))]
//! struct Author {
//!     #[serde(rename = "_id")]
//!     id: Id<Author>,
//!     #[index]
//!     name: String,
//!     #[rollup(count, of = "Book", via = "author")]
//!     books: i64,
//! }
//!
//! #[derive(Debug, Serialize, Deserialize, Model)]
//! #[model(collection = "books")]
//! struct Book {
//!     #[serde(rename = "_id")]
//!     id: Id<Book>,
//!     #[index]
//!     title: String,
//!     sold: i64,
//!     #[parent_ref(on_delete = "cascade")]
//!     author: Id<Author>,
//!     #[denorm(from = "Author.name")]
//!     author_name: String,
//! }
//! ```
//!
//! There are three more derives: [`Embedded`](derive@Embedded) for structs inside documents,
//! [`Projection`](derive@Projection) for reading only some fields of a document, and
//! [`SingleCollection`](derive@SingleCollection) for storing several kinds of documents in one collection. [`with`]
//! lists how each Rust type is stored. Guide:
//! [Choosing a pattern](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/02-choosing-a-pattern.md),
//! [References](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/04-references.md).
//!
//! # Connect
//!
//! [`Odm`] is the handle to a database. Clones of a handle share one connection pool. [`Odm::sync_indexes`] creates the
//! indexes that the models declare or imply.
//!
#![doc = "```no_run"]
#![doc = include_str!("docs/library_models.txt")]
//! # async fn example() -> mongo_odm::Result<()> {
//! let odm = Odm::connect("mongodb://localhost:27017/library").await?;
//! odm.sync_indexes().await?;
//! # Ok(()) }
//! ```
//!
//! Guide: [Getting started](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/01-getting-started.md),
//! [Indexes](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/13-indexes.md).
//!
//! # Write
//!
//! The methods of [`Documents`] return builders, which send nothing until you await them. `plan()` returns the
//! statements that a builder would send, in mongosh syntax. An insert fills in the copies from their sources and
//! ignores the struct's values for these fields.
//!
#![doc = "```no_run"]
#![doc = include_str!("docs/library_models.txt")]
//! # async fn example(odm: Odm) -> mongo_odm::Result<()> {
//! let author = Author { id: Id::new(), name: "Tove Jansson".into(), books: 0 };
//! author.insert(&odm).await?;
//! let book = Book {
//!     id: Id::new(),
//!     title: "Fair Play".into(),
//!     sold: 0,
//!     author: author.id,
//!     author_name: String::new(),
//! };
//! book.insert(&odm).await?;
//! Book::update(&odm, book.id).inc(Book::fields().sold, 1).await?;
//! # Ok(()) }
//! ```
//!
//! Guide: [Queries and updates](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/06-queries-and-updates.md).
//!
//! # Read
//!
//! [`Documents::get`] reads one document by its id, and [`Documents::find`] reads documents by a filter. The methods of
//! [`field::Field`] return filters and sorts. Instead of such a filter or sort, you can pass a plain `Document`.
//!
#![doc = "```no_run"]
#![doc = include_str!("docs/library_models.txt")]
//! # async fn example(odm: Odm) -> mongo_odm::Result<()> {
//! let book = Book::find_one(&odm).filter(Book::fields().title.eq("Fair Play")).require().await?;
//! let popular = Book::find(&odm).filter(Book::fields().sold.gt(1_000)).limit(20).await?;
//! # Ok(()) }
//! ```
//!
//! Guide: [Queries and updates](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/06-queries-and-updates.md).
//!
//! # Join
//!
//! A load reads the related documents of one owner. A join reads the related documents of many owners with one `find`.
//! See [`relation`](mod@relation).
//!
#![doc = "```no_run"]
#![doc = include_str!("docs/library_models.txt")]
//! # async fn example(odm: Odm) -> mongo_odm::Result<()> {
//! let authors = Author::find(&odm).limit(100).await?;
//! let books = Author::join_books(&authors, &odm).await?;
//! for author in &authors {
//!     for book in books.of(author) {
//!         println!("{}: {}", author.name, book.title);
//!     }
//! }
//! # Ok(()) }
//! ```
//!
//! Guide: [Loading and joining](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/05-loading-and-joining.md).
//!
//! # Keep copies equal
//!
//! A write to a source also updates its copies. Up to [`Settings::inline_copies`] copies are written in the same
//! transaction as the source. If there are more, a job writes the copies, and the call waits for that job. The methods
//! of [`CopyOptions`] change this behaviour for a single call.
//!
#![doc = "```no_run"]
#![doc = include_str!("docs/library_models.txt")]
//! # async fn example(odm: Odm, author: Id<Author>) -> mongo_odm::Result<()> {
//! let renamed = Author::update(&odm, author).set(Author::fields().name, "T. Jansson").await?;
//! println!("{:?}", renamed.copies); // the copies in `books`
//! # Ok(()) }
//! ```
//!
//! Guide: [Copies of fields](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/07-copies-of-fields.md),
//! [Summaries](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/08-summaries.md), [Consistency](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/10-consistency.md).
//!
//! # Delete
//!
//! The attribute `on_delete` on a reference declares the effect of deleting its target: `restrict`, `cascade`,
//! `nullify`, `pull`, or the default `keep`.
//!
#![doc = "```no_run"]
#![doc = include_str!("docs/library_models.txt")]
//! # async fn example(odm: Odm, author: Id<Author>) -> mongo_odm::Result<()> {
//! let deleted = Author::delete(&odm, author).await?;
//! println!("{:?}", deleted.cascaded); // the deleted books
//! # Ok(()) }
//! ```
//!
//! Guide: [Deletes](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/11-deletes.md).
//!
//! # Use transactions
//!
//! [`Odm::transaction`] runs a closure in a transaction, and runs it again after a conflict. Pass `&tx` instead of
//! `&odm` to the calls in the closure. Each write and each transaction runs in its own task. If you drop the future of
//! such an operation, the operation either still runs to completion or has no effect.
//!
#![doc = "```no_run"]
#![doc = include_str!("docs/library_models.txt")]
//! # async fn example(odm: Odm, id: Id<Book>) -> mongo_odm::Result<()> {
//! odm.transaction(async |tx| {
//!     let book = Book::get(&tx, id).await?;
//!     Book::update(&tx, id).set(Book::fields().sold, book.sold + 1).await?;
//!     Ok(())
//! }).await?;
//! # Ok(()) }
//! ```
//!
//! Guide: [Transactions](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/12-transactions.md).
//!
//! # Verify and repair
//!
//! [`Odm::verify`] compares stored data with the declarations, for example after writes that bypassed the library.
//! [`Odm::worker`] runs pending jobs. The crate `mongo-odm-tools` contains a command-line tool for operators, pictures
//! of your models, and advice about a database.
//!
#![doc = "```no_run"]
#![doc = include_str!("docs/library_models.txt")]
//! # async fn example(odm: Odm) -> mongo_odm::Result<()> {
//! let drift = odm.verify().await?;
//! if !drift.is_empty() {
//!     println!("{drift}");
//!     drift.repair(&odm).await?;
//! }
//! # Ok(()) }
//! ```
//!
//! Guide: [Operating](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/15-operating.md),
//! [Changing a model](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/14-changing-a-model.md).
//!
//! # Test your application
//!
//! The number of round trips is the same on every machine, so tests can check it. [`assert_round_trips!`] runs an
//! expression, compares the number of round trips with the expected number, and lists the statements if the two differ.
//! `schema_refresh(None)` disables the periodic reads of other programs' declarations, because these reads would also
//! be counted. [`Odm::observe`] returns the statements that an expression sends.
//!
#![doc = "```no_run"]
#![doc = include_str!("docs/library_models.txt")]
//! # async fn example(odm: Odm) -> mongo_odm::Result<()> {
//! let settings = mongo_odm::Settings::default().schema_refresh(None);
//! let odm = odm.with_settings(settings);
//! let books: Vec<Book> = mongo_odm::assert_round_trips!(1, odm, async { Book::find(&odm).await })?;
//! # Ok(()) }
//! ```
//!
//! In debug builds, [`Settings::warn_of_slow_statements`] reports the lines of your code that become slower as the data
//! grows. The reports are `tracing` events at the level `WARN`. In every build, [`Odm::stats`] returns the numbers of
//! loads, joins, reads and writes. Guide:
//! [Testing your application](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/16-testing.md).
//!
//! # Choose features
//!
//! | feature | effect |
//! |---|---|
//! | `bson-3` (default), `bson-2` | the BSON major version that the driver re-exports; 3 if both are enabled |
//! | `rustls-tls` (default), `openssl-tls` | the driver's TLS implementation |
//! | `dns-resolver` (default) | connection strings that begin with `mongodb+srv://` |
//! | `chrono`, `time`, `jiff`, `rust_decimal` | types from these crates in models, stored as the matching BSON types (see [`with`]) |
//! | `uuid` | `uuid::Uuid` in models, also as a key |
//! | `smallvec` | `SmallVec` as an array of references or embedded structs |
//! | `schemars`, `utoipa` | descriptions of [`Id`], [`Presence`] and pages, so that models can derive `JsonSchema` and `ToSchema` |
//! | `geo` | `GeoJSON` types and filters (see `geo`) |
//! | `axum` | [`Error`] as a response without internal details |
//! | `garde` | validation of documents before they are written: `#[model(validate)]` |
//!
//! `chrono`, `time` and `uuid` also enable the BSON crate's conversions for the types of these crates. The guide explains
//! [JSON and HTTP](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/19-json-and-http.md).

// Makes docs.rs show which feature an item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

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
mod hook;
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

// These Markdown pages are also displayed by repository browsers. Therefore each page ends with link definitions that
// point to relative files. For rustdoc, `rustdoc_links.md` defines the same links as item paths. This file is included
// first, because the first definition of a link takes precedence.
#[doc = include_str!("docs/rustdoc_links.md")]
#[doc = include_str!("docs/embedded.md")]
pub use mongo_odm_derive::Embedded;
/// Derives the trait [`Insertable`](trait@Insertable) for a struct that contains only the fields your code sets in a
/// new document.
pub use mongo_odm_derive::Insertable;
#[doc = include_str!("docs/rustdoc_links.md")]
#[doc = include_str!("docs/model.md")]
#[doc = include_str!("docs/attributes.md")]
pub use mongo_odm_derive::Model;
/// Derives the trait [`Patch`](trait@Patch) for a struct that contains only the fields that a request can change.
pub use mongo_odm_derive::Patch;
#[doc = include_str!("docs/rustdoc_links.md")]
#[doc = include_str!("docs/projection.md")]
pub use mongo_odm_derive::Projection;
#[doc = include_str!("docs/rustdoc_links.md")]
#[doc = include_str!("docs/single_collection.md")]
pub use mongo_odm_derive::SingleCollection;

pub use crate::query::field;
#[cfg(feature = "geo")]
pub mod geo {
    //! `GeoJSON` geometries, and the filter that sorts documents by their distance from a point.
    //!
    //! A value of these types is always valid: its coordinates are in the valid ranges, and the rings of polygons are
    //! closed.
    pub use crate::{query::filter::geo::Near, value::geo::*};
}
pub use crate::value::with;
pub use crate::{
    action::{
        insertable::Insertable,
        linked_model::{Linked, LinkedWith},
        model::{Documents, Model},
    },
    client::{
        odm::{
            Clock, Executor, Observed, Odm, SentStatement, Settings, Settle, TraceLinks,
            TransactionBody, TransactionOutcome, TransactionRun, Tx,
        },
        plan::{Plan, Statement},
    },
    error::{
        BrokenRule, BulkCounts, CustomError, EncodeError, Error, ErrorKind, FailedOperation,
        FailedStatement, IgnoredError, PatchProblem, Pending, RejectedDocument, Result, Violation,
    },
    hook::{Committed, Hooks},
    maintenance::check_models::check_models,
    model::{
        AsId, DeclaresHooks, DeletedInPlace, Described, Embedded, Movable, PreImages, Projection,
        SoftDelete, Storable, Versioned, registry::models,
    },
    query::{
        field::Average,
        filter::{ElementFilter, Filter, IntoFilter},
        single_collection::SingleCollection,
        sort::{IntoSort, Sort},
        text::TextSearch,
        update::{ArrayFilter, IntoArrayFilter, Patch, Update, UpdateOperators},
    },
    schema::schema,
    value::{
        codec::{AsSerde, Codec},
        id::{Id, KeyMismatch},
        key::{AnyKey, JoinKey, JsonType, Key},
        presence::Presence,
    },
};

// These items are documented in their modules, so that the front page stays short. You can also import them from the
// root.
#[doc(hidden)]
pub use crate::{
    action::{
        BulkReport, ChangeEvent, ChangeStream, CopyOptions, Created, DeleteReport, DocumentChange,
        FieldChanges, InsertReport, Page, PageToken, RestoreReport, ResumeToken, Scored,
        UpdateReport, UpsertReport,
    },
    derived::{
        CascadeReport, CopyReport, Form, Guarantee, JobCounts, JobState, Jobs, JobsReport,
        Progress, StoredJob, Token, Wait, Worker,
    },
    index::{IndexConflict, IndexDiff, IndexName, IndexOrigin, IndexReport, IndexSpec},
    maintenance::{
        Backfill, BackfillReport, CheckMove, DiffIndexes, DiffSharding, DiffValidators, Drift,
        DriftKind, Drifted, Health, MoveDocuments, MoveDrift, MoveReport, Repair, RepairReport,
        Repaired, ShardCollections, ShardKeyChange, ShardedCollection, ShardingDiff,
        ShardingReport, SyncIndexes, SyncValidators, Validator, ValidatorChange, ValidatorDiff,
        ValidatorReport, Verify, WalkProgress, WatchSources,
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
