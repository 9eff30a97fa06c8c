//! The error type of the library.

mod classification;
mod cloned;
mod custom;
mod debug;
mod driver;
mod duplicate_key;
mod encode;
mod failed_statement;
mod insert_many;
mod invalid;
mod kind;
mod message_part;
mod pending;
mod server_error;
mod superseded;
mod unanswered;
mod unreachable;

use std::{sync::Arc, time::Duration};

use mongodb::bson::{Bson, Document};

pub(crate) use cloned::cloned_result;
pub use custom::CustomError;
pub use encode::EncodeError;
pub use failed_statement::FailedStatement;
pub use insert_many::RejectedDocument;
pub use kind::ErrorKind;
pub use pending::Pending;
pub(crate) use superseded::Superseded;
pub(crate) use unanswered::Unanswered;

use crate::mongosh;
use failed_statement::StatementPrefix;
use insert_many::InsertManyMessage;
use message_part::{InModel, ListedKeys, OfKind, ShownId};
use pending::ListedPending;
use server_error::ServerMessage;
use unreachable::{Attempts, WaitedFor};

/// The result of a call of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of every call, with the model, the collection and the field.
///
/// To handle errors, match on [`kind`](Self::kind), or on the variants if you need their fields. Log
/// [`code`](Self::code), which is the same in all versions. Messages contain ids, keys and documents in mongosh
/// notation, and paths as in a filter: `fans.0.name`. [`InsertMany`](Self::InsertMany),
/// [`PartlyUpdated`](Self::PartlyUpdated) and [`PartlyDeleted`](Self::PartlyDeleted) wrap another error, and most
/// methods return the values of the wrapped one.
///
/// `{:?}` prints the message, so that `fn main() -> mongo_odm::Result<()>` ends with a readable one. `{:#?}` prints the
/// structure.
///
/// # Examples
///
/// ```
/// # use mongo_odm::Error;
/// fn message(error: &Error) -> String {
///     match error {
///         Error::DuplicateKey { fields, .. } => format!("{fields} exists already"),
///         error => error.to_string(),
///     }
/// }
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The driver or the server reported an error. The source contains the driver's labels and codes.
    #[error("{}{}", StatementPrefix(statement.as_deref()), ServerMessage(source))]
    #[non_exhaustive]
    Driver {
        /// The statement, if the library sent it.
        statement: Option<Box<FailedStatement>>,
        /// The error of the driver.
        source: Box<mongodb::error::Error>,
    },

    /// A unique index rejected a document (server error 11000).
    #[error(
        "two documents of `{collection}`{} would have {}, which the unique index `{index}` forbids",
        InModel(*model), mongosh::document(fields)
    )]
    #[non_exhaustive]
    DuplicateKey {
        /// The model, if the library sent the write.
        model: Option<&'static str>,
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
        /// The paths of the index with the values of the document; of the first one if several writes were rejected.
        /// With a collation, a text is the server's hexadecimal key. For an `insert` the values are parsed from the
        /// message: numbers, texts, ids, dates and UUIDs are values, others are the server's text. The server cuts
        /// texts after 150 bytes and adds `...`. It does not escape quotes: a text ends at the first `",` or `" }`.
        fields: Box<Document>,
        /// The error of the driver, with all rejected writes.
        source: Box<mongodb::error::Error>,
    },

    /// No server was reachable. Nothing was sent.
    #[error(
        "{}no server within reach{}{}; {}",
        StatementPrefix(statement.as_deref()), WaitedFor(*waited), Attempts(source), Attempts(source).remedy()
    )]
    #[non_exhaustive]
    Unreachable {
        /// The hosts that were tried.
        hosts: Vec<String>,
        /// The time for which the driver tried.
        waited: Option<Duration>,
        /// The statement that was not sent.
        statement: Option<Box<FailedStatement>>,
        /// The error of the driver.
        source: Box<mongodb::error::Error>,
    },

    /// A stored document does not fit its struct.
    #[error(
        "cannot decode a document of `{collection}` (_id {}) into `{type_name}` at `{path}`: {message}",
        ShownId(id.as_deref())
    )]
    Decode {
        /// The type of the struct.
        type_name: &'static str,
        /// The collection of the document.
        collection: String,
        /// The `_id` of the document, if the reply contains it.
        id: Option<Box<Bson>>,
        /// The path of the value that does not fit.
        path: String,
        /// The message of serde.
        message: String,
    },

    /// A value cannot be written as BSON: a `u64` above `i64::MAX`, a map key that is not a string.
    #[error("cannot encode {context}{}: {source}", InModel(*model))]
    #[non_exhaustive]
    Encode {
        /// The model of the call, if it is known.
        model: Option<&'static str>,
        /// The collection of the model.
        collection: Option<&'static str>,
        /// The model or the field that was to be encoded.
        context: String,
        /// The message of serde.
        #[source]
        source: EncodeError,
    },

    /// No document has this id or matches this filter.
    #[error("no document in `{collection}` matches {}", mongosh::document(filter))]
    #[non_exhaustive]
    NotFound {
        /// The model.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// The filter: `{ _id: .. }` for a `get`.
        filter: Box<Document>,
    },

    /// References without a target, in a call that requires all targets.
    #[error("{} of the documents for `{relation}` are missing in `{collection}`: {}", keys.len(), ListedKeys(keys))]
    #[non_exhaustive]
    Missing {
        /// The relation, `Product.parts` for instance.
        relation: String,
        /// The model of the documents.
        model: &'static str,
        /// The collection without these documents.
        collection: &'static str,
        /// The keys without a document; `Id::try_from(key)` makes ids of them.
        keys: Vec<Bson>,
    },

    /// References to documents that are missing or that the call excludes, in a call that requires all targets.
    #[error(
        "{} of the documents that `{relation}` refers to were not returned from `{collection}`: they are \
         missing, or excluded by the filter or the skip of the call: {}; `missing()` returns the missing ones",
        keys.len(), ListedKeys(keys)
    )]
    #[non_exhaustive]
    Unmatched {
        /// The relation, `Product.parts` for instance.
        relation: String,
        /// The model of the documents.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// The keys without a document that matches.
        keys: Vec<Bson>,
    },

    /// Several documents have the key of a reference to one document.
    #[error(
        "`{relation}` refers to one document, but {found} documents of `{collection}` have {path} {}; \
         declare a relation to many (`#[refs(many)]`, `has_many`) or make the key unique",
        mongosh::value(key)
    )]
    #[non_exhaustive]
    Ambiguous {
        /// The relation, `Task.owner` for instance.
        relation: String,
        /// The model of the documents.
        model: &'static str,
        /// The collection that holds the documents.
        collection: &'static str,
        /// The path of the key.
        path: String,
        /// The key.
        key: Box<Bson>,
        /// Number of documents with the key.
        found: usize,
    },

    /// An array would have more elements than its model allows. Nothing was written.
    #[error(
        "`{model}.{field}`{} may have {max} elements (`max = {max}`) and would have {}; \
         raise `max`, remove elements first, or refer from the other side instead",
        id.as_deref().map_or_else(String::new, |id| format!(" of {}", mongosh::value(id))),
        len.map_or_else(|| "more".to_owned(), |len| len.to_string())
    )]
    BoundExceeded {
        /// The model.
        model: &'static str,
        /// The `_id` of the document with the array, if it is known.
        id: Option<Box<Bson>>,
        /// The stored path of the array.
        field: String,
        /// The declared bound.
        max: u32,
        /// The length that the array would have, if it is known.
        len: Option<usize>,
    },

    /// [`Odm::move_documents`](crate::Odm::move_documents) found another document with this `_id`. Its batch was not written.
    #[error(
        "`{model}`{} with the `_id` {} cannot be stored in `{collection}`: {by}; give the moved document another `_id`",
        OfKind(*kind), mongosh::value(id)
    )]
    #[non_exhaustive]
    IdTaken {
        /// The model to which the document was moved.
        model: &'static str,
        /// The collection of the model.
        collection: &'static str,
        /// The kind of the model, if it has one.
        kind: Option<&'static str>,
        /// The `_id`.
        id: Box<Bson>,
        /// A description of the document that has this `_id`.
        by: String,
    },

    /// A relation has more documents than one call may load.
    #[error(
        "`{relation}` has more than {max} documents in `{collection}`, the most that one call may load \
         (`Settings::max_documents`); join fewer owners, filter, or use `limit_each`"
    )]
    #[non_exhaustive]
    TooManyDocuments {
        /// The relation, `Host.messages` for instance.
        relation: String,
        /// The model of the documents.
        model: &'static str,
        /// The collection of the documents.
        collection: &'static str,
        /// The largest number of documents.
        max: usize,
    },

    /// The keys of a sorted or limited relation do not fit into one statement. Nothing was sent.
    #[error(
        "{keys} keys of `{relation}` do not fit into one statement, so their documents in `{collection}` \
         cannot be sorted or limited as a whole; drop `sort`, `skip` and `limit` or join fewer owners"
    )]
    #[non_exhaustive]
    TooManyKeys {
        /// The relation, `Product.parts` for instance.
        relation: String,
        /// The model of the documents.
        model: &'static str,
        /// The collection of the documents.
        collection: &'static str,
        /// Number of keys.
        keys: usize,
    },

    /// A filter, an update or an option is not valid. Nothing was sent.
    #[error("{message}")]
    #[non_exhaustive]
    Invalid {
        /// The model of the call; none if the call is on the whole database, or the model is not known yet.
        model: Option<&'static str>,
        /// The collection of the model.
        collection: Option<&'static str>,
        /// The mistake and the remedy.
        message: String,
    },

    /// A page token is malformed, or belongs to another sort. Nothing was sent.
    #[error("{0}")]
    InvalidPageToken(String),

    /// The declarations of models contradict each other or are impossible. Nothing was sent.
    #[error("{0}")]
    Declaration(String),

    /// The server has indexes that contradict the declared ones. Nothing was changed.
    #[error("indexes differ from their declaration; nothing was changed:\n{difference}")]
    #[non_exhaustive]
    IndexConflict {
        /// The collections with these indexes, each once.
        collections: Vec<String>,
        /// Each difference with its model or field, and the mongosh statements that resolve it; see `odm.index_diff()`.
        difference: String,
    },

    /// A reference with `on_delete = "restrict"` prevents the delete, directly or in a cascade. Nothing was written.
    #[error(
        "cannot delete from `{collection}`: `{reference}` still refers to {} \
         (`on_delete = \"restrict\"`); remove these references first",
        mongosh::value(key)
    )]
    #[non_exhaustive]
    Restricted {
        /// The model of the document that was to be deleted.
        model: &'static str,
        /// The collection of that document.
        collection: &'static str,
        /// The reference, `Task.owner` for instance.
        reference: String,
        /// The key.
        key: Box<Bson>,
    },

    /// A reference with `exists` has no target. Nothing was written. A transaction of the caller cannot be committed.
    #[error(
        "`{model}.{field}` would refer to {}, and no document of `{target_collection}` has such a `{path}` (`exists`); \
         insert the `{target}` first, or refer to one that is there",
        ListedKeys(keys)
    )]
    #[non_exhaustive]
    NoTarget {
        /// The model of the document with the reference.
        model: &'static str,
        /// The stored path of the reference.
        field: String,
        /// The model that is referred to.
        target: &'static str,
        /// The collection without these documents.
        target_collection: &'static str,
        /// The path in the target that is compared with the keys, usually `_id`.
        path: Box<str>,
        /// The keys without a document; `Id::try_from(key)` makes ids of them.
        keys: Vec<Bson>,
    },

    /// A reference has `exists`, which needs transactions, but the server is standalone. Nothing was written.
    #[error(
        "`{model}.{field}` has `exists`, which is checked in the transaction of the write, and a standalone server \
         has no transactions; run it as a replica set (`--replSet`, one node is enough), or remove `exists`"
    )]
    #[non_exhaustive]
    ExistsNeedsTransactions {
        /// The model.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// The stored path of the reference.
        field: String,
    },

    /// `reassign_*` found another key than the caller had loaded: another program has changed it. Nothing was written.
    #[error(
        "`{model}.{field}` of the document {} of `{collection}` is {} by now, and no longer {}; load the document \
         again, and reassign it if that is still right",
        mongosh::value(id),
        mongosh::value(present),
        mongosh::value(expected)
    )]
    #[non_exhaustive]
    Reassigned {
        /// The model of the document.
        model: &'static str,
        /// The collection of the document.
        collection: &'static str,
        /// The stored path of the key.
        field: String,
        /// The `_id` of the document.
        id: Box<Bson>,
        /// The key that the caller has loaded; null for none.
        expected: Box<Bson>,
        /// The stored key; null for none. A standalone server has no snapshots: it is read after the update.
        present: Box<Bson>,
    },

    /// An `insert_many` has not stored all of its documents: some were rejected, or a later part failed.
    #[error("{}", InsertManyMessage { of: (*model, *collection), stored: *inserted, rejected, transaction_ended: *transaction_ended, source })]
    #[non_exhaustive]
    InsertMany {
        /// The model.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// Number of documents that were stored, with their copies and summaries. An ordered insert stores the first ones.
        inserted: u64,
        /// The rejected documents, in the order of the list. An ordered insert has at most one.
        rejected: Vec<RejectedDocument>,
        /// Whether the server ended a transaction of the caller at the first rejected document. Nothing of it is stored.
        transaction_ended: bool,
        /// The reason of the first rejected document, or the error that ended the insert.
        source: Arc<Error>,
    },

    /// A part of an `update_many` failed. The parts before it stay updated.
    #[error("{modified} of {matched} documents of `{collection}` were updated, then: {source}")]
    #[non_exhaustive]
    PartlyUpdated {
        /// The model whose documents were to be updated.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// Number of documents that matched, in the parts that were updated.
        matched: u64,
        /// Number of them that changed.
        modified: u64,
        /// The error of the part that failed.
        source: Box<Error>,
    },

    /// A part of a `delete_many` failed. The parts before it stay deleted.
    #[error(
        "{deleted} documents of `{collection}` and {cascaded} that went with them were deleted, then: {source}"
    )]
    #[non_exhaustive]
    PartlyDeleted {
        /// The model whose documents were to be deleted.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// Number of these documents that were deleted.
        deleted: u64,
        /// Number of documents that a cascade deleted with them.
        cascaded: u64,
        /// The error of the part that failed.
        source: Box<Error>,
    },

    /// A fan-out would read whole collections, because an index is missing. Nothing was written.
    #[error(
        "the copies `{relation}` cannot be found without an index on `{collection}` {keys}; \
         call `odm.sync_indexes()`, or add `.force()` to the write"
    )]
    #[non_exhaustive]
    NoIndex {
        /// The extended reference, `Product.parts.id <- Part`.
        relation: String,
        /// The model with the copies.
        model: &'static str,
        /// The collection with the copies.
        collection: &'static str,
        /// The index that is missing, in mongosh notation.
        keys: String,
    },

    /// Copies or summaries were not updated in time, or cannot be stored in their documents. Their jobs continue.
    #[error(
        "copies or summaries are still being updated after {:.1} s: {}; wait longer (`timeout`), or see `odm.jobs()`",
        waited.as_secs_f64(), ListedPending(pending)
    )]
    #[non_exhaustive]
    Pending {
        /// The pending relations and keys, from the last check.
        pending: Vec<Pending>,
        /// The time for which the call waited.
        waited: Duration,
    },

    /// A transaction was used after its end.
    #[error("this transaction has ended; use the `tx` only inside the closure of `transaction`")]
    TransactionEnded,

    /// The closure of a transaction ignored the error of a statement, so that nothing was committed. Later statements
    /// and the commit fail with this error after an error of the server, a write that failed half-way, and a delete
    /// that a rule prevents. Errors before the first statement of a call do not end a transaction.
    #[error("a statement of this transaction failed, so that nothing was committed: {0}")]
    TransactionPoisoned(String),

    /// The server is standalone, and does not support transactions.
    #[error(
        "a standalone server has no transactions; run it as a replica set (`--replSet`, one node is enough)"
    )]
    NoTransactions,

    /// The server is standalone, and does not support change streams.
    #[error(
        "a standalone server has no change streams; run it as a replica set (`--replSet`, one node is enough)"
    )]
    NoChangeStreams,

    /// The tokio runtime shut down while a statement was running. The statement may have been executed.
    #[error("the tokio runtime shut down while a statement was running")]
    Shutdown,

    /// An error of the application, from the closure of a transaction.
    #[error("{0}")]
    Custom(Box<dyn std::error::Error + Send + Sync>),
}
