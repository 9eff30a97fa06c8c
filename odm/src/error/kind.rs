//! Error kinds and their codes, for programs that handle errors.

use std::fmt;

use mongodb::error::{Error as DriverError, ErrorKind as DriverKind};

use super::{
    Error, Unanswered,
    server_error::{is_about_capped, server_errors},
};

/// Generates the enum of the kinds, the list of all kinds, and the method `code`. Each kind is written as
/// `Kind => "code"`.
macro_rules! kinds {
    ($(#[$of_enum:meta])* pub enum $name:ident { $($(#[$doc:meta])* $kind:ident => $code:literal,)* }) => {
        $(#[$of_enum])*
        pub enum $name {
            $($(#[$doc])* $kind,)*
        }

        impl $name {
            /// All kinds, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Returns the code of this kind, for example `odm.not_found`. Codes never change between versions.
            ///
            /// The guide has an
            /// [entry for each code](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/18-troubleshooting.md)
            /// that states the cause and the remedy.
            ///
            /// # Examples
            ///
            /// ```
            /// use mongo_odm::{Error, ErrorKind};
            ///
            /// assert_eq!(ErrorKind::NotFound.code(), "odm.not_found");
            /// ```
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$kind => $code,)*
                }
            }
        }
    };
}

kinds! {
    /// The kind of an [`Error`]. Programs match on the kind to handle errors.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::{Error, ErrorKind};
    ///
    /// fn status(error: &Error) -> u16 {
    ///     match error.kind() {
    ///         ErrorKind::NotFound => 404,
    ///         ErrorKind::DuplicateKey | ErrorKind::Restricted | ErrorKind::Reassigned => 409,
    ///         ErrorKind::InvalidPageToken => 400,
    ///         ErrorKind::Unreachable | ErrorKind::Timeout => 503,
    ///         _ => 500,
    ///     }
    /// }
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ErrorKind {
        /// No document has the requested id or matches the filter.
        NotFound => "odm.not_found",
        /// A reference is dangling, because no document has its key.
        Missing => "odm.missing",
        /// A call that requires all targets did not find some of them, because they do not exist or because the filter
        /// excludes them.
        Unmatched => "odm.unmatched",
        /// The key in a reference to a single document matches several documents.
        Ambiguous => "odm.ambiguous",
        /// A unique index rejected a document.
        DuplicateKey => "odm.duplicate_key",
        /// A document cannot be moved, because another document already has its `_id`.
        IdTaken => "odm.id_taken",
        /// An array would have more elements than its model allows.
        BoundExceeded => "odm.bound_exceeded",
        /// A sum over children would not fit into its field.
        Overflow => "odm.overflow",
        /// A document violates the validation rules of its model.
        Validation => "odm.validation",
        /// The validator of a collection rejected a document, or the kind or the tenant in a document is wrong.
        InvalidDocument => "odm.invalid_document",
        /// A hook rejects a write with an error that the application defines. If a hook fails with an error of this
        /// library, that error keeps its own kind.
        Hook => "odm.hook",
        /// A patch cannot be applied, for example because it sets a required field to null.
        InvalidPatch => "odm.invalid_patch",
        /// A call would load more documents than [`Settings::max_documents`](crate::Settings::max_documents) permits.
        TooManyDocuments => "odm.too_many_documents",
        /// The keys of a sorted or limited relation do not fit into one statement.
        TooManyKeys => "odm.too_many_keys",
        /// A reference with `on_delete = "restrict"` prevents a delete.
        Restricted => "odm.restricted",
        /// A document has changed since your code loaded it.
        Conflict => "odm.conflict",
        /// A document is deleted, and its model has `#[deleted_at]`.
        Deleted => "odm.deleted",
        /// A reference has changed since your code loaded it.
        Reassigned => "odm.reassigned",
        /// A write would store a dangling key in a reference declared with `exists`.
        NoTarget => "odm.no_target",
        /// The library needs an index to find copies, and the index is missing.
        NoIndex => "odm.no_index",
        /// The indexes on the server contradict the declared ones.
        IndexConflict => "odm.index_conflict",
        /// A stored document does not fit the Rust struct.
        Decode => "odm.decode",
        /// A value or a document cannot be stored. Either a value cannot be written as BSON, a key of a flattened map
        /// has the name of another field, or the document is larger than 16 MB.
        Encode => "odm.encode",
        /// A filter, an update or an option is not valid.
        Invalid => "odm.invalid",
        /// A page token is malformed or belongs to a different sort order. The caller must start again at the first
        /// page.
        InvalidPageToken => "odm.invalid_page_token",
        /// A change stream cannot continue at a resume token. The caller must open a stream without a token, and read
        /// all documents again.
        InvalidResumeToken => "odm.invalid_resume_token",
        /// The declarations in the models contradict each other.
        Declaration => "odm.declaration",
        /// Another operation wrote or locked the same document at the same time, or the server ended the transaction
        /// for such a reason. Try the call again.
        WriteConflict => "odm.write_conflict",
        /// The server did not finish the statement within the time limit, or too few servers confirmed a write in time.
        Timeout => "odm.timeout",
        /// No server was reachable, the connection was lost, or the server shut down or was no longer the primary.
        Unreachable => "odm.unreachable",
        /// Copies or summaries were not updated within the time limit.
        Pending => "odm.pending",
        /// A transaction was used after it had ended.
        TransactionEnded => "odm.transaction_ended",
        /// The closure of a transaction ignored the error of a statement. Nothing was committed.
        TransactionPoisoned => "odm.transaction_poisoned",
        /// The call requires a replica set or a sharded cluster, but the server is standalone.
        NeedsReplicaSet => "odm.needs_replica_set",
        /// The tokio runtime or the driver's client has shut down.
        Shutdown => "odm.shutdown",
        /// Any other error from the server or the driver. [`Error::server_code`] returns the server's error code.
        Server => "odm.server",
        /// An error that the application itself defines.
        Custom => "odm.custom",
    }
}

/// Formats the kind as its code.
impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Error {
    /// Returns the kind of the error. An error that wraps another error, for example [`InsertMany`](Self::InsertMany),
    /// has the kind of the wrapped error.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::{Error, ErrorKind};
    ///
    /// fn is_full(error: &Error) -> bool {
    ///     matches!(error.kind(), ErrorKind::BoundExceeded)
    /// }
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Driver { source, .. } => driver_kind(source),
            Self::DuplicateKey { .. } => ErrorKind::DuplicateKey,
            Self::Unreachable { .. } => ErrorKind::Unreachable,
            Self::Decode { .. } => ErrorKind::Decode,
            Self::Encode { .. } => ErrorKind::Encode,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Missing { .. } => ErrorKind::Missing,
            Self::Unmatched { .. } => ErrorKind::Unmatched,
            Self::Ambiguous { .. } => ErrorKind::Ambiguous,
            Self::BoundExceeded { .. } => ErrorKind::BoundExceeded,
            Self::Overflow { .. } => ErrorKind::Overflow,
            Self::Validation { .. } => ErrorKind::Validation,
            Self::InvalidDocument { .. } => ErrorKind::InvalidDocument,
            Self::Hook { source, .. } => match source.kind() {
                ErrorKind::Custom => ErrorKind::Hook,
                kind => kind,
            },
            Self::InvalidPatch { .. } => ErrorKind::InvalidPatch,
            Self::IdTaken { .. } => ErrorKind::IdTaken,
            Self::TooManyDocuments { .. } => ErrorKind::TooManyDocuments,
            Self::TooManyKeys { .. } => ErrorKind::TooManyKeys,
            Self::Invalid { in_document, .. } => {
                if *in_document {
                    ErrorKind::InvalidDocument
                } else {
                    ErrorKind::Invalid
                }
            }
            Self::InvalidPageToken(_) => ErrorKind::InvalidPageToken,
            Self::InvalidResumeToken(_) => ErrorKind::InvalidResumeToken,
            Self::Declaration(_) => ErrorKind::Declaration,
            Self::IndexConflict { .. } => ErrorKind::IndexConflict,
            Self::Restricted { .. } => ErrorKind::Restricted,
            Self::PartlyUpdated { source, .. } | Self::PartlyDeleted { source, .. } => {
                source.kind()
            }
            Self::InsertMany { source, .. } | Self::BulkWrite { source, .. } => source.kind(),
            Self::Conflict { .. } => ErrorKind::Conflict,
            Self::Deleted { .. } => ErrorKind::Deleted,
            Self::Reassigned { .. } => ErrorKind::Reassigned,
            Self::NoTarget { .. } => ErrorKind::NoTarget,
            Self::NoIndex { .. } => ErrorKind::NoIndex,
            Self::Pending { .. } => ErrorKind::Pending,
            Self::TransactionEnded => ErrorKind::TransactionEnded,
            Self::TransactionPoisoned(_) => ErrorKind::TransactionPoisoned,
            Self::NoTransactions | Self::NoChangeStreams | Self::ExistsNeedsTransactions { .. } => {
                ErrorKind::NeedsReplicaSet
            }
            Self::Shutdown => ErrorKind::Shutdown,
            Self::Custom(_) => ErrorKind::Custom,
        }
    }

    /// Returns the code of the error's kind, for example `odm.not_found`. Codes never change between versions, so you
    /// can use them in logs and alerts.
    ///
    /// The guide has an
    /// [entry for each code](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/18-troubleshooting.md)
    /// that states the cause and the remedy.
    ///
    /// # Examples
    ///
    /// ```
    /// fn log(error: &mongo_odm::Error) {
    ///     println!("{}: {error}", error.code());
    /// }
    /// ```
    pub fn code(&self) -> &'static str {
        self.kind().code()
    }

    /// Returns whether the error means that no document has the requested id or matches the filter.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Book>) -> mongo_odm::Result<()> {
    /// match Book::get(&odm, id).await {
    ///     Ok(book) => println!("{}", book.title),
    ///     Err(error) if error.is_not_found() => println!("no such book"),
    ///     Err(error) => return Err(error),
    /// }
    /// # Ok(()) }
    /// ```
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Returns whether a unique index rejected the write (server error 11000).
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::Error;
    /// fn message(error: &Error) -> &'static str {
    ///     if error.is_duplicate_key() { "this number is taken" } else { "try again later" }
    /// }
    /// ```
    pub fn is_duplicate_key(&self) -> bool {
        self.kind() == ErrorKind::DuplicateKey
    }
}

/// Returns the error kind that a driver error belongs to.
fn driver_kind(error: &DriverError) -> ErrorKind {
    // LockTimeout, WriteConflict, SnapshotUnavailable, NoSuchTransaction. The same call can succeed later.
    const CONFLICTS: [i32; 4] = [24, 112, 246, 251];
    // HostUnreachable, HostNotFound, NetworkTimeout, ShutdownInProgress, PrimarySteppedDown, SocketException,
    // NotWritablePrimary, InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk,
    // NotPrimaryOrSecondary.
    const TEMPORARY: [i32; 11] = [6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436];
    // MaxTimeMSExpired, WriteConcernFailed (fewer servers than required have confirmed the write in time),
    // ExceededTimeLimit.
    const TIMEOUTS: [i32; 3] = [50, 64, 262];
    // BSONObjectTooLarge, and the codes for a document that is too large after an update or an upsert.
    const TOO_LARGE: [i32; 3] = [10334, 17419, 17420];
    match error.kind.as_ref() {
        DriverKind::Io(_)
        | DriverKind::ConnectionPoolCleared { .. }
        | DriverKind::ServerSelection { .. }
        | DriverKind::DnsResolve { .. } => ErrorKind::Unreachable,
        DriverKind::Shutdown => ErrorKind::Shutdown,
        DriverKind::Custom(custom) if custom.is::<Unanswered>() => ErrorKind::Timeout,
        // The driver rejected the call without sending anything.
        DriverKind::InvalidArgument { message, .. } if message.contains("must be within") => {
            ErrorKind::Encode
        }
        DriverKind::InvalidArgument { .. } => ErrorKind::Invalid,
        _ => match server_errors(error)
            .first()
            .map(|server_error| server_error.code)
        {
            Some(code) if CONFLICTS.contains(&code) && !is_about_capped(error) => {
                ErrorKind::WriteConflict
            }
            Some(code) if TEMPORARY.contains(&code) => ErrorKind::Unreachable,
            Some(code) if TIMEOUTS.contains(&code) => ErrorKind::Timeout,
            Some(code) if TOO_LARGE.contains(&code) => ErrorKind::Encode,
            _ => ErrorKind::Server,
        },
    }
}
