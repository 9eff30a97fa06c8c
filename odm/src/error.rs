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

/// The result of a call to the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error type of every call. It contains the model, the collection and the field.
///
/// To handle errors, match on [`kind`](Self::kind), or on the variants if you need their fields. Log
/// [`code`](Self::code), which never changes between versions. Messages contain ids, keys and documents in mongosh
/// notation, and paths in the form that a filter has: `fans.0.name`. [`InsertMany`](Self::InsertMany),
/// [`PartlyUpdated`](Self::PartlyUpdated) and [`PartlyDeleted`](Self::PartlyDeleted) wrap another error, and most
/// methods return the values of the wrapped error.
///
/// `{:?}` prints the message, so that `fn main() -> mongo_odm::Result<()>` prints a readable message when it fails.
/// `{:#?}` prints the structure.
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
        /// The driver's error.
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
        /// The paths of the index with the document's values. If several writes were rejected, the values are those of
        /// the first rejected document. With a collation, a text is the server's hexadecimal key. For an `insert` the
        /// values are parsed from the message: numbers, texts, ids, dates and UUIDs become values, and all others stay
        /// the server's text. The server cuts texts after 150 bytes and adds `...`. It does not escape quotes: a text
        /// ends at the first `",` or `" }`.
        fields: Box<Document>,
        /// The driver's error, which contains all rejected writes.
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
        /// How long the driver tried.
        waited: Option<Duration>,
        /// The statement that was not sent.
        statement: Option<Box<FailedStatement>>,
        /// The driver's error.
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
        /// Serde's message.
        message: String,
    },

    /// A value cannot be written as BSON: a `u64` above `i64::MAX`, a map key that is not a string.
    #[error("cannot encode {context}{}: {source}", InModel(*model))]
    #[non_exhaustive]
    Encode {
        /// The model that the call is on, if it is known.
        model: Option<&'static str>,
        /// The collection of the model.
        collection: Option<&'static str>,
        /// The model or the field that should have been encoded.
        context: String,
        /// Serde's message.
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

    /// A call that requires all targets found dangling references.
    #[error("{} of the documents for `{relation}` are missing in `{collection}`: {}", keys.len(), ListedKeys(keys))]
    #[non_exhaustive]
    Missing {
        /// The relation, `Product.parts` for instance.
        relation: String,
        /// The model of the documents.
        model: &'static str,
        /// The collection in which these documents are missing.
        collection: &'static str,
        /// The keys that no document has; `Id::try_from(key)` converts a key into an id.
        keys: Vec<Bson>,
    },

    /// A call that requires all targets found references to documents that do not exist or that its filter excludes.
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
        /// The keys for which no document matches.
        keys: Vec<Bson>,
    },

    /// Several documents have the key of a reference to a single document.
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
        /// The `_id` of the document that contains the array, if it is known.
        id: Option<Box<Bson>>,
        /// The stored path of the array.
        field: String,
        /// The declared bound.
        max: u32,
        /// The length that the array would have had, if it is known.
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
        /// The largest number of documents that the call may load.
        max: usize,
    },

    /// A sorted or limited relation has more keys than fit into one statement. Nothing was sent.
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
        /// The model that the call is on; none if the call is on the whole database, or the model is not known yet.
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
        /// The collections that have these indexes, each listed once.
        collections: Vec<String>,
        /// Each difference with its model or field, and the mongosh statements that resolve the difference; see
        /// `odm.index_diff()`.
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
        /// The model of the document that should have been deleted.
        model: &'static str,
        /// The collection of that document.
        collection: &'static str,
        /// The reference, `Task.owner` for instance.
        reference: String,
        /// The key.
        key: Box<Bson>,
    },

    /// A reference with `exists` has no target. Nothing was written. If the caller started a transaction, it cannot be
    /// committed.
    #[error(
        "`{model}.{field}` would refer to {}, and no document of `{target_collection}` has such a `{path}` (`exists`); \
         insert the `{target}` first, or refer to one that is there",
        ListedKeys(keys)
    )]
    #[non_exhaustive]
    NoTarget {
        /// The model of the document that contains the reference.
        model: &'static str,
        /// The stored path of the reference.
        field: String,
        /// The model that the reference points to.
        target: &'static str,
        /// The collection in which these documents are missing.
        target_collection: &'static str,
        /// The path in the target model that is compared with the keys, usually `_id`.
        path: Box<str>,
        /// The keys that no document has; `Id::try_from(key)` converts a key into an id.
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

    /// `reassign_*` found a key that differs from the one that the caller had loaded, because another program has
    /// changed it. Nothing was written.
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
        /// The key that the caller had loaded; null if there was none.
        expected: Box<Bson>,
        /// The stored key; null if there is none. A standalone server has no snapshots, so the library reads this key
        /// after the update.
        present: Box<Bson>,
    },

    /// An `insert_many` did not store all of its documents: some were rejected, or a later part failed.
    #[error("{}", InsertManyMessage { of: (*model, *collection), stored: *inserted, rejected, transaction_ended: *transaction_ended, source })]
    #[non_exhaustive]
    InsertMany {
        /// The model.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// Number of documents that were stored, together with their copies and summaries. An ordered insert stores the
        /// documents before the first rejected one.
        inserted: u64,
        /// The rejected documents, in the order of the list. An ordered insert reports at most one.
        rejected: Vec<RejectedDocument>,
        /// Whether the server ended the caller's transaction at the first rejected document. Nothing from this
        /// transaction is stored.
        transaction_ended: bool,
        /// The reason why the first document was rejected, or the error that ended the insert.
        source: Arc<Error>,
    },

    /// A part of an `update_many` failed. The earlier parts stay updated.
    #[error("{modified} of {matched} documents of `{collection}` were updated, then: {source}")]
    #[non_exhaustive]
    PartlyUpdated {
        /// The model of the documents to update.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// Number of documents that matched in the parts that were updated.
        matched: u64,
        /// Number of matched documents that changed.
        modified: u64,
        /// The error of the part that failed.
        source: Box<Error>,
    },

    /// A part of a `delete_many` failed. The earlier parts stay deleted.
    #[error(
        "{deleted} documents of `{collection}` and {cascaded} that went with them were deleted, then: {source}"
    )]
    #[non_exhaustive]
    PartlyDeleted {
        /// The model of the documents to delete.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// Number of these documents that were deleted.
        deleted: u64,
        /// Number of documents that a cascade also deleted.
        cascaded: u64,
        /// The error of the part that failed.
        source: Box<Error>,
    },

    /// A fan-out would read whole collections because an index is missing. Nothing was written.
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

    /// Copies or summaries were not updated in time, or their documents cannot store them. Their jobs continue.
    #[error(
        "copies or summaries are still being updated after {:.1} s: {}; wait longer (`timeout`), or see `odm.jobs()`",
        waited.as_secs_f64(), ListedPending(pending)
    )]
    #[non_exhaustive]
    Pending {
        /// The relations and keys that were pending at the last check.
        pending: Vec<Pending>,
        /// How long the call waited.
        waited: Duration,
    },

    /// A transaction was used after its end.
    #[error("this transaction has ended; use the `tx` only inside the closure of `transaction`")]
    TransactionEnded,

    /// A transaction's closure ignored the error of a statement, so nothing was committed. After a server error, a
    /// write that failed half-way, or a delete that a rule prevents, later statements and the commit fail with this
    /// error. Errors that occur before a call sends its first statement do not end a transaction.
    #[error("a statement of this transaction failed, so that nothing was committed: {0}")]
    TransactionPoisoned(String),

    /// The server is standalone and does not support transactions.
    #[error(
        "a standalone server has no transactions; run it as a replica set (`--replSet`, one node is enough)"
    )]
    NoTransactions,

    /// The server is standalone and does not support change streams.
    #[error(
        "a standalone server has no change streams; run it as a replica set (`--replSet`, one node is enough)"
    )]
    NoChangeStreams,

    /// The tokio runtime shut down while a statement was running. The statement may have been executed.
    #[error("the tokio runtime shut down while a statement was running")]
    Shutdown,

    /// The application's own error, returned by a transaction's closure.
    #[error("{0}")]
    Custom(Box<dyn std::error::Error + Send + Sync>),
}
