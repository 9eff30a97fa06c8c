//! The error type of the library.

#[cfg(feature = "axum")]
mod axum;
mod bulk_write;
mod classification;
mod cloned;
mod custom;
mod debug;
mod driver;
mod duplicate_key;
mod encode;
mod failed_statement;
mod http;
mod ignored;
mod insert_many;
mod invalid;
mod invalid_document;
mod kind;
mod message_part;
mod patch;
mod pending;
mod server_error;
mod superseded;
mod unanswered;
mod unreachable;
mod violation;

use std::{sync::Arc, time::Duration};

use mongodb::bson::{Bson, Document};

pub use bulk_write::{BulkCounts, FailedOperation};
pub(crate) use cloned::cloned_result;
pub use custom::CustomError;
pub use encode::EncodeError;
pub use failed_statement::FailedStatement;
pub use ignored::IgnoredError;
pub use insert_many::RejectedDocument;
pub use invalid_document::BrokenRule;
pub use kind::ErrorKind;
pub use patch::PatchProblem;
pub use pending::Pending;
pub(crate) use superseded::Superseded;
pub(crate) use unanswered::Unanswered;

use crate::mongosh;
use bulk_write::ListedFailures;
use failed_statement::StatementPrefix;
use insert_many::InsertManyMessage;
use invalid_document::ListedRules;
use message_part::{
    ConflictRemedy, DeletedRemedy, FoundVersion, InModel, ListedKeys, MessageInModel, OfId, OfKind,
    OneTargetRemedy, OtherTenantRemedy, ShownId,
};
use pending::ListedPending;
pub(crate) use server_error::NAMESPACE_EXISTS;
use server_error::ServerMessage;
use unreachable::{Attempts, WaitedFor};
use violation::ListedViolations;
pub use violation::Violation;

/// The result of a call to the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error that every call of the library can return. Most variants contain the model, the collection and the field.
///
/// To handle errors, match on [`kind`](Self::kind), or on the variants if you need their fields. Log
/// [`code`](Self::code), which never changes between versions. Messages show ids, keys and documents in mongosh
/// notation, and paths as in a filter: `fans.0.name`. [`InsertMany`](Self::InsertMany), [`BulkWrite`](Self::BulkWrite),
/// [`PartlyUpdated`](Self::PartlyUpdated) and [`PartlyDeleted`](Self::PartlyDeleted) wrap another error. For these
/// variants, most methods return the values of the wrapped error.
///
/// `{:?}` prints the message, so that `fn main() -> mongo_odm::Result<()>` prints a readable message when it fails.
/// `{:#?}` prints the variant and its fields.
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
    /// The driver or the server reported an error. `source` contains the driver's labels and codes.
    #[error("{}{}", StatementPrefix(statement.as_deref()), ServerMessage(source))]
    #[non_exhaustive]
    Driver {
        /// The statement that failed, if the library sent it.
        statement: Option<Box<FailedStatement>>,
        /// The driver's error.
        source: Box<mongodb::error::Error>,
    },

    /// A unique index rejected a document (server error 11000).
    #[error(
        "two documents of `{collection}`{} would have {}, which the unique index `{index}` forbids{}{}",
        InModel(*model), mongosh::document(fields), DeletedRemedy(*deleted, *model),
        OtherTenantRemedy(*other_tenant)
    )]
    #[non_exhaustive]
    DuplicateKey {
        /// The model of the document, if the library sent the write.
        model: Option<&'static str>,
        /// The collection that the index belongs to.
        collection: String,
        /// The name of the index.
        index: String,
        /// The paths of the index and the document's values at these paths. If several writes were rejected, the values
        /// are those of the first rejected document. If the index has a collation, strings appear as the server's
        /// hexadecimal keys. For an `insert`, the values are parsed from the server's message. Numbers, strings, ids,
        /// dates and UUIDs become BSON values. All other values remain strings in the server's notation. The server
        /// truncates strings after 150 bytes and appends `...`. The server does not escape quotes, so the parser ends a
        /// string at the first `",` or `" }`.
        fields: Box<Document>,
        /// Whether the stored document that already has these values is deleted. The library checks this for the `_id`
        /// of an inserted document if the model has `#[deleted_at]`.
        deleted: bool,
        /// Whether the archive contains a document of another tenant with the same `_id`, so that the deleted document
        /// cannot be archived.
        other_tenant: bool,
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
        /// How long the driver tried to reach a server.
        waited: Option<Duration>,
        /// The statement that was not sent.
        statement: Option<Box<FailedStatement>>,
        /// The driver's error.
        source: Box<mongodb::error::Error>,
    },

    /// A stored document does not match its struct.
    #[error(
        "cannot decode a document of `{collection}` (_id {}) into `{type_name}` at `{path}`: {message}",
        ShownId(id.as_deref())
    )]
    Decode {
        /// The type of the struct.
        type_name: &'static str,
        /// The collection of the document.
        collection: String,
        /// The `_id` of the document, if the server's reply contains the `_id`.
        id: Option<Box<Bson>>,
        /// The path of the value that does not match the struct.
        path: String,
        /// Serde's message.
        message: String,
    },

    /// A value cannot be written as BSON, for example a `u64` above `i64::MAX` or a map key that is not a string. Or a
    /// key of a flattened map has the name of another field.
    #[error("cannot encode {context}{}: {source}", InModel(*model))]
    #[non_exhaustive]
    Encode {
        /// The model that the call belongs to, if the model is known.
        model: Option<&'static str>,
        /// The collection of the model.
        collection: Option<&'static str>,
        /// The model or the field that the library tried to encode.
        context: String,
        /// The message of serde or of the library.
        #[source]
        source: EncodeError,
    },

    /// No document has the requested id or matches the filter.
    #[error("no document in `{collection}` matches {}", mongosh::document(filter))]
    #[non_exhaustive]
    NotFound {
        /// The model of the requested document.
        model: &'static str,
        /// The collection that was searched.
        collection: &'static str,
        /// The filter of the call. For a `get`, it is `{ _id: .. }`.
        filter: Box<Document>,
    },

    /// A call that requires all targets to exist found dangling references.
    #[error(
        "{} of the documents for `{relation}` are missing in `{collection}`: {}; insert these documents, or correct the \
         references",
        keys.len(), ListedKeys(keys)
    )]
    #[non_exhaustive]
    Missing {
        /// The relation, for example `Product.parts`.
        relation: String,
        /// The model of the missing documents.
        model: &'static str,
        /// The collection in which these documents are missing.
        collection: &'static str,
        /// The keys for which no document exists. `Id::try_from(key)` converts a key to an id.
        keys: Vec<Bson>,
    },

    /// A call that requires all targets did not find some of them. Either these targets do not exist, or they are
    /// deleted, or a filter or skip of the call or of its relation excludes them.
    #[error(
        "{} of the documents that `{relation}` refers to were not returned from `{collection}`: they are \
         missing, deleted, or excluded by a filter or a skip: {}; `missing()` returns the missing ones",
        keys.len(), ListedKeys(keys)
    )]
    #[non_exhaustive]
    Unmatched {
        /// The relation, for example `Product.parts`.
        relation: String,
        /// The model of the documents that were not found.
        model: &'static str,
        /// The collection that was searched.
        collection: &'static str,
        /// The keys for which no document was found.
        keys: Vec<Bson>,
    },

    /// The key in a reference to a single document matches several documents.
    #[error(
        "`{relation}` refers to one document, but {found} documents of `{collection}` have {path} {}; \
         {}",
        mongosh::value(key), OneTargetRemedy(*with_deleted)
    )]
    #[non_exhaustive]
    Ambiguous {
        /// The relation, for example `Task.owner`.
        relation: String,
        /// The model of the documents that share the key.
        model: &'static str,
        /// The collection that contains these documents.
        collection: &'static str,
        /// The path of the key in these documents.
        path: String,
        /// The key that several documents share.
        key: Box<Bson>,
        /// Number of documents that share the key.
        found: usize,
        /// Whether the call also reads deleted documents. Even a unique index permits several deleted documents with
        /// the same key.
        with_deleted: bool,
    },

    /// An array would have more elements than its model allows. Nothing was written.
    #[error(
        "`{model}.{field}`{} may have {max} elements (`max = {max}`) and would have {}; \
         raise `max`, remove elements first, or refer from the other side instead",
        id.as_deref().map_or_else(String::new, |id| format!(" of {}", mongosh::value(id))),
        len.map_or_else(|| "more".to_owned(), |len| len.to_string())
    )]
    BoundExceeded {
        /// The model that contains the array.
        model: &'static str,
        /// The `_id` of the document that contains the array, if it is known.
        id: Option<Box<Bson>>,
        /// The stored path of the array.
        field: String,
        /// The bound that the model declares with `max`.
        max: u32,
        /// The length that the array would have had, if it is known.
        len: Option<usize>,
    },

    /// A sum over children would not fit into the integer field that stores it. Nothing was written.
    #[error(
        "`{model}.{field}`{} cannot store `{summary}` of the `{children}` that refer to it, because the result does not \
         fit into a 64-bit integer; correct the values, or sum doubles or decimals",
        id.as_deref().map_or_else(String::new, |id| format!(" of {}", mongosh::value(id)))
    )]
    #[non_exhaustive]
    Overflow {
        /// The model that contains the summary.
        model: &'static str,
        /// The collection of the model.
        collection: String,
        /// The `_id` of the document that contains the summary. `None` if the children refer to a field other than
        /// `_id`.
        id: Option<Box<Bson>>,
        /// The stored path of the summary.
        field: String,
        /// The summary as declared: `sum(total)`.
        summary: String,
        /// The model of the children.
        children: &'static str,
    },

    /// [`Odm::move_documents`](crate::Odm::move_documents) cannot store a document, because a different document
    /// already has its `_id`. The batch that contains the moved document was not written.
    #[error(
        "`{model}`{} with the `_id` {} cannot be stored in `{collection}`: {by}; give the moved document another `_id`",
        OfKind(*kind), mongosh::value(id)
    )]
    #[non_exhaustive]
    IdTaken {
        /// The model that the document was moved to.
        model: &'static str,
        /// The collection of the model.
        collection: &'static str,
        /// The kind of the model, if it has one.
        kind: Option<&'static str>,
        /// The `_id` that is already in use.
        id: Box<Bson>,
        /// A description of the document that has this `_id`.
        by: String,
    },

    /// A [patch](trait@crate::Patch) cannot be applied. Nothing was written.
    #[error("the patch of `{of}` {problem}", problem = problem.of_field(field))]
    #[non_exhaustive]
    InvalidPatch {
        /// The model or embedded struct that the patch changes.
        of: &'static str,
        /// The stored path of the field.
        field: String,
        /// The reason why the patch cannot be applied.
        problem: PatchProblem,
    },

    /// A document violates the validation rules of its model (`#[model(validate)]`). Nothing was sent.
    #[error("the `{model}` is not valid: {}", ListedViolations(violations))]
    #[non_exhaustive]
    Validation {
        /// The model of the document.
        model: &'static str,
        /// The violated rules.
        violations: Vec<Violation>,
    },

    /// The validator of a collection rejected a document (server error 121). Nothing was written.
    #[error(
        "the validator of {}{} rejects the document{}{}",
        collection.as_ref().map_or_else(|| "a collection".to_owned(), |name| format!("`{name}`")),
        InModel(*model), OfId(id.as_deref()), ListedRules(rules)
    )]
    #[non_exhaustive]
    InvalidDocument {
        /// The model of the document, if the library sent the write.
        model: Option<&'static str>,
        /// The collection of the document, if the library sent the write.
        collection: Option<String>,
        /// The `_id` of the document. If several documents were rejected, this is the `_id` of the first one.
        id: Option<Box<Bson>>,
        /// The rules that the document does not match.
        rules: Vec<BrokenRule>,
        /// The driver's error, which contains all rejected writes.
        source: Box<mongodb::error::Error>,
    },

    /// A hook of the model failed, or its changes made the document invalid. The transaction of the write was aborted.
    /// If the caller started the transaction, it cannot be committed.
    #[error("`{hook}` of `{model}`{} failed: {source}", OfId(id.as_deref()))]
    #[non_exhaustive]
    Hook {
        /// The model that implements the hook.
        model: &'static str,
        /// The collection of the model.
        collection: &'static str,
        /// The name of the hook, for example `before_insert`.
        hook: &'static str,
        /// The `_id` of the document for which the library called the hook.
        id: Option<Box<Bson>>,
        /// The error of the hook. [`get_custom`](Self::get_custom) returns the error that your code has created.
        source: Box<Error>,
    },

    /// A relation contains more documents than one call may load.
    #[error(
        "`{relation}` has more than {max} documents in `{collection}`, the most that one call may load \
         (`Settings::max_documents`); join fewer owners, filter, or use `limit_each`"
    )]
    #[non_exhaustive]
    TooManyDocuments {
        /// The relation, for example `Host.messages`.
        relation: String,
        /// The model of the documents.
        model: &'static str,
        /// The collection of the documents.
        collection: &'static str,
        /// The maximum number of documents that one call may load.
        max: usize,
    },

    /// The keys of a sorted or limited relation do not fit into one statement. Nothing was sent.
    #[error(
        "{keys} keys of `{relation}` do not fit into one statement, so their documents in `{collection}` \
         cannot be sorted or limited as a whole; drop `sort`, `skip` and `limit` or join fewer owners"
    )]
    #[non_exhaustive]
    TooManyKeys {
        /// The relation, for example `Product.parts`.
        relation: String,
        /// The model of the documents.
        model: &'static str,
        /// The collection of the documents.
        collection: &'static str,
        /// Number of keys that the call would have to send.
        keys: usize,
    },

    /// A filter, an update or an option is not valid, or a document has the wrong kind or tenant. Nothing was written,
    /// unless the message says otherwise.
    #[error("{}", MessageInModel(message, *model))]
    #[non_exhaustive]
    Invalid {
        /// The model that the call belongs to. `None` if the call concerns the whole database, or if the model is not
        /// known yet. If the message does not contain a model, the model is appended when the error is formatted.
        model: Option<&'static str>,
        /// The collection of the model.
        collection: Option<&'static str>,
        /// A description of the mistake and the remedy.
        message: String,
        /// Whether the mistake is the kind or the tenant in a document that the call would store. The kind of such an
        /// error is [`ErrorKind::InvalidDocument`].
        in_document: bool,
    },

    /// A page token is malformed, or belongs to a different sort order. Nothing was sent.
    #[error("{0}")]
    InvalidPageToken(String),

    /// A change stream cannot continue at a resume token, because the token is malformed or the server no longer stores
    /// the changes after it.
    #[error("{0}")]
    InvalidResumeToken(String),

    /// The declarations in the models contradict each other or are impossible. Nothing was sent.
    #[error("{0}")]
    Declaration(String),

    /// The indexes on the server contradict the declared ones. Nothing was changed.
    #[error("indexes differ from their declaration; nothing was changed:\n{difference}")]
    #[non_exhaustive]
    IndexConflict {
        /// The collections that have these indexes, each listed once.
        collections: Vec<String>,
        /// A description of each difference. The description contains the model or field, and the mongosh statements
        /// that resolve the difference. To get the differences as data, call `odm.index_diff()`.
        difference: String,
    },

    /// A reference that has `on_delete = "restrict"` prevents the delete, directly or in a cascade. Nothing was
    /// written.
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
        /// The reference that prevents the delete, for example `Task.owner`.
        reference: String,
        /// The key that this reference contains.
        key: Box<Bson>,
    },

    /// A write would store a dangling key in a reference declared with `exists`, or a reference to a document of
    /// another tenant. Nothing was written. If the caller started a transaction, the transaction cannot be committed.
    #[error(
        "`{model}.{field}` would refer to {}, and no document of `{target_collection}` has such a `{path}` {}; \
         insert the `{target}` first, or refer to one that is there",
        ListedKeys(keys), if *of_tenant { "in the same tenant" } else { "(`exists`)" }
    )]
    #[non_exhaustive]
    NoTarget {
        /// The model of the document that contains the reference.
        model: &'static str,
        /// The stored path of the reference.
        field: String,
        /// The target model of the reference.
        target: &'static str,
        /// The collection in which the target documents are missing.
        target_collection: &'static str,
        /// The path of the target's field with which the keys are compared, usually `_id`.
        path: Box<str>,
        /// Whether the targets must have the tenant of the document.
        of_tenant: bool,
        /// The keys for which no document exists. `Id::try_from(key)` converts a key to an id.
        keys: Vec<Bson>,
    },

    /// A reference is declared with `exists`, which requires transactions, but the server is standalone. Nothing was
    /// written.
    #[error(
        "`{model}.{field}` has `exists`, which is checked in the transaction of the write, and a standalone server \
         has no transactions; run it as a replica set (`--replSet`, one node is enough), or remove `exists`"
    )]
    #[non_exhaustive]
    ExistsNeedsTransactions {
        /// The model that declares the reference.
        model: &'static str,
        /// The collection of the model.
        collection: &'static str,
        /// The stored path of the reference.
        field: String,
    },

    /// A stored document has a different version from the struct that your code has loaded, or no longer exists.
    /// Nothing was written.
    #[error(
        "the document {} of `{collection}` {}, but the write expects version {expected}; {}",
        mongosh::value(id), FoundVersion(*found), ConflictRemedy(*found, model)
    )]
    #[non_exhaustive]
    Conflict {
        /// The model of the document.
        model: &'static str,
        /// The collection of the document.
        collection: &'static str,
        /// The `_id` of the document.
        id: Box<Bson>,
        /// The version of the struct.
        expected: i64,
        /// The version that is currently stored, or `None` if the document does not exist. A missing version counts as
        /// 0.
        found: Option<i64>,
    },

    /// The document that the call would write is already deleted, and its model has `#[deleted_at]`. An earlier call in
    /// the same transaction may have deleted the document. Nothing was written.
    #[error(
        "the document {} of `{collection}` is deleted; restore it with `{model}::restore(&odm, id)`, or remove it with \
         `{model}::purge(&odm, id)`",
        mongosh::value(id)
    )]
    #[non_exhaustive]
    Deleted {
        /// The model of the document.
        model: &'static str,
        /// The collection of the document.
        collection: &'static str,
        /// The `_id` of the document.
        id: Box<Bson>,
    },

    /// `reassign_*` found a key that differs from the key that the caller had loaded, because another program has
    /// changed the key. Nothing was written.
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
        /// The key that the caller had loaded. The key is null if the reference was empty.
        expected: Box<Bson>,
        /// The key that is currently stored. The key is null if the reference is empty. A standalone server has no
        /// snapshots, so the library reads this key after the update.
        present: Box<Bson>,
    },

    /// An `insert_many` did not store all of its documents. Either some documents were rejected, or a later batch
    /// failed.
    #[error("{}", InsertManyMessage { of: (*model, *collection), stored: *inserted, rejected, transaction_ended: *transaction_ended, source })]
    #[non_exhaustive]
    InsertMany {
        /// The model of the documents.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// Number of documents that were stored, together with their copies and summaries. An ordered insert stores
        /// only the documents before the first rejected one.
        inserted: u64,
        /// The rejected documents, in the order in which they were passed. An ordered insert reports at most one. The
        /// list is empty if the primary has stored all documents that were sent, but fewer servers than the write
        /// concern requires have confirmed them.
        rejected: Vec<RejectedDocument>,
        /// Whether the server ended the caller's transaction at the first rejected document. In this case, nothing from
        /// the transaction is stored.
        transaction_ended: bool,
        /// The reason why the first document was rejected, or the error that ended the insert.
        source: Arc<Error>,
    },

    /// A bulk write did not carry out all of its operations. If your code has started the transaction, nothing is
    /// stored.
    #[error("{} of {operations} operations of a bulk write failed: {}", failed.len(), ListedFailures(failed))]
    #[non_exhaustive]
    BulkWrite {
        /// Number of operations in the bulk write.
        operations: usize,
        /// The counts of the operations that were carried out.
        counts: Box<BulkCounts>,
        /// The failed operations, in the order in which they were added. An ordered bulk write ends at the first failed
        /// operation. If fewer servers than the write concern requires have confirmed a statement, its other operations
        /// are also listed, although the primary has carried them out.
        failed: Vec<FailedOperation>,
        /// The error of the first failed operation.
        source: Arc<Error>,
    },

    /// A batch of an `update_many` failed. The documents of earlier batches stay updated.
    #[error(
        "{modified} documents of `{collection}` were updated, then a later batch failed: {source}"
    )]
    #[non_exhaustive]
    PartlyUpdated {
        /// The model of the documents to update.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// Number of documents that matched in the finished batches.
        matched: u64,
        /// Number of matched documents that changed.
        modified: u64,
        /// The error of the batch that failed.
        source: Box<Error>,
    },

    /// A batch of a `delete_many` failed. The documents of earlier batches stay deleted.
    #[error(
        "{deleted} documents of `{collection}` and {cascaded} documents that refer to them were deleted, then a later batch failed: {source}"
    )]
    #[non_exhaustive]
    PartlyDeleted {
        /// The model of the documents to delete.
        model: &'static str,
        /// The collection.
        collection: &'static str,
        /// Number of documents of this model that were deleted.
        deleted: u64,
        /// Number of documents that a cascade also deleted.
        cascaded: u64,
        /// The error of the batch that failed.
        source: Box<Error>,
    },

    /// A fan-out would read whole collections because an index is missing. Nothing was written.
    #[error(
        "the copies `{relation}` cannot be found without an index on `{collection}` {keys}; \
         call `odm.sync_indexes()`, or add `.force()` to the write"
    )]
    #[non_exhaustive]
    NoIndex {
        /// The extended reference, for example `Product.parts.id <- Part`.
        relation: String,
        /// The model that contains the copies.
        model: &'static str,
        /// The collection that contains the copies.
        collection: &'static str,
        /// The keys of the missing index, in mongosh notation.
        keys: String,
    },

    /// Copies or summaries were not updated in time, or the documents that contain them cannot store the new values.
    /// The jobs continue.
    #[error(
        "copies or summaries are still being updated after {:.1} s: {}; wait longer (`timeout`), or see `odm.jobs()`",
        waited.as_secs_f64(), ListedPending(pending)
    )]
    #[non_exhaustive]
    Pending {
        /// The relations and keys that were still pending at the last check.
        pending: Vec<Pending>,
        /// How long the call waited.
        waited: Duration,
    },

    /// A transaction was used after it had ended.
    #[error("this transaction has ended; use the `tx` only inside the closure of `transaction`")]
    TransactionEnded,

    /// The closure of a transaction ignored the error of a statement, so nothing was committed. After a server error, a
    /// write that failed after its first statement, or a delete that a rule prevents, all later statements and the
    /// commit fail with this error. An error that occurs before a call sends its first statement does not end a
    /// transaction. [`IgnoredError`] contains the message, the kind and the server's code of the first such error.
    #[error(
        "a statement of this transaction failed, so that nothing was committed; return its error with `?`: {0}"
    )]
    TransactionPoisoned(#[source] IgnoredError),

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

    /// The tokio runtime shut down while a statement was running. The server might have executed the statement.
    #[error("the tokio runtime shut down while a statement was running")]
    Shutdown,

    /// The application's own error, which the closure of a transaction returned.
    #[error(transparent)]
    Custom(Box<dyn std::error::Error + Send + Sync>),
}
