//! What kind of error it is: small values that a program matches on.

use std::fmt;

use mongodb::error::{Error as DriverError, ErrorKind as DriverKind};

use super::{Error, Unanswered, server_error::server_errors};

/// What kind of [`Error`] it is, for programs that act on it.
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
    /// No document has the id or matches the filter.
    NotFound,
    /// References lead to no document.
    Missing,
    /// References lead to no document that passes the filter.
    Unmatched,
    /// A reference to one document leads to several.
    Ambiguous,
    /// A unique index refused a document.
    DuplicateKey,
    /// A document that is to be moved would have the `_id` of another one.
    IdTaken,
    /// An array would hold more elements than its model allows.
    BoundExceeded,
    /// A call would load more documents than the settings allow.
    TooManyDocuments,
    /// The keys of a relation do not fit into one statement, which a sort or a limit needs.
    TooManyKeys,
    /// A reference with `on_delete = "restrict"` forbids a delete.
    Restricted,
    /// A reference is another than the one that was loaded: somebody else has changed it.
    Reassigned,
    /// A reference would lead to no document, and its model says that it must not.
    NoTarget,
    /// Copies cannot be found without an index.
    NoIndex,
    /// The indexes of the server contradict the declared ones.
    IndexConflict,
    /// A stored document does not fit its struct.
    Decode,
    /// A value cannot be written as BSON.
    Encode,
    /// A call cannot mean what it says.
    Invalid,
    /// A page token is none, or is that of another sort: whoever sent it starts at the first page.
    InvalidPageToken,
    /// The declarations of models contradict each other.
    Declaration,
    /// Another operation has written the same document at the same moment; trying again helps.
    WriteConflict,
    /// The server did not finish in the time that it was given.
    Timeout,
    /// No server could be reached, or the connection was lost.
    Unreachable,
    /// Copies or computed fields could not be brought up to date in time.
    Pending,
    /// A transaction was used after its end.
    TransactionEnded,
    /// A statement of the transaction had failed, so that nothing was committed.
    TransactionPoisoned,
    /// A standalone server lacks what was asked for.
    NeedsReplicaSet,
    /// The program is ending: its runtime or its client is shut down.
    Shutdown,
    /// Another error of the server or of the driver; [`Error::server_code`] tells which.
    Server,
    /// An error of the application.
    Custom,
}

impl ErrorKind {
    /// Returns the code of this kind, which stays the same in all versions: `odm.not_found`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotFound => "odm.not_found",
            Self::Missing => "odm.missing",
            Self::Unmatched => "odm.unmatched",
            Self::Ambiguous => "odm.ambiguous",
            Self::DuplicateKey => "odm.duplicate_key",
            Self::IdTaken => "odm.id_taken",
            Self::BoundExceeded => "odm.bound_exceeded",
            Self::TooManyDocuments => "odm.too_many_documents",
            Self::TooManyKeys => "odm.too_many_keys",
            Self::Restricted => "odm.restricted",
            Self::Reassigned => "odm.reassigned",
            Self::NoTarget => "odm.no_target",
            Self::NoIndex => "odm.no_index",
            Self::IndexConflict => "odm.index_conflict",
            Self::Decode => "odm.decode",
            Self::Encode => "odm.encode",
            Self::Invalid => "odm.invalid",
            Self::InvalidPageToken => "odm.invalid_page_token",
            Self::Declaration => "odm.declaration",
            Self::WriteConflict => "odm.write_conflict",
            Self::Timeout => "odm.timeout",
            Self::Unreachable => "odm.unreachable",
            Self::Pending => "odm.pending",
            Self::TransactionEnded => "odm.transaction_ended",
            Self::TransactionPoisoned => "odm.transaction_poisoned",
            Self::NeedsReplicaSet => "odm.needs_replica_set",
            Self::Shutdown => "odm.shutdown",
            Self::Server => "odm.server",
            Self::Custom => "odm.custom",
        }
    }
}

/// Shows the code.
impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Error {
    /// Returns what kind of error this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Driver { source, .. } => of_driver(source),
            Self::DuplicateKey { .. } => ErrorKind::DuplicateKey,
            Self::Unreachable { .. } => ErrorKind::Unreachable,
            Self::Decode { .. } => ErrorKind::Decode,
            Self::Encode { .. } => ErrorKind::Encode,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Missing { .. } => ErrorKind::Missing,
            Self::Unmatched { .. } => ErrorKind::Unmatched,
            Self::Ambiguous { .. } => ErrorKind::Ambiguous,
            Self::BoundExceeded { .. } => ErrorKind::BoundExceeded,
            Self::IdTaken { .. } => ErrorKind::IdTaken,
            Self::TooManyDocuments { .. } => ErrorKind::TooManyDocuments,
            Self::TooManyKeys { .. } => ErrorKind::TooManyKeys,
            Self::Invalid { .. } => ErrorKind::Invalid,
            Self::InvalidPageToken(_) => ErrorKind::InvalidPageToken,
            Self::Declaration(_) => ErrorKind::Declaration,
            Self::IndexConflict { .. } => ErrorKind::IndexConflict,
            Self::Restricted { .. } => ErrorKind::Restricted,
            Self::PartlyUpdated { source, .. } | Self::PartlyDeleted { source, .. } => {
                source.kind()
            }
            Self::InsertMany { source, .. } => source.kind(),
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

    /// Returns the code of the kind, which stays the same in all versions: `odm.not_found`.
    pub fn code(&self) -> &'static str {
        self.kind().code()
    }

    /// Returns whether no document has the id or matches the filter.
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Returns whether a unique index refused the write (server error 11000).
    pub fn is_duplicate_key(&self) -> bool {
        self.kind() == ErrorKind::DuplicateKey
    }
}

/// Tells what kind an error of the driver is.
fn of_driver(error: &DriverError) -> ErrorKind {
    const WRITE_CONFLICT: i32 = 112;
    // MaxTimeMSExpired, ExceededTimeLimit.
    const TIMEOUTS: [i32; 2] = [50, 262];
    match error.kind.as_ref() {
        DriverKind::Io(_)
        | DriverKind::ConnectionPoolCleared { .. }
        | DriverKind::ServerSelection { .. }
        | DriverKind::DnsResolve { .. } => ErrorKind::Unreachable,
        DriverKind::Shutdown => ErrorKind::Shutdown,
        DriverKind::Custom(custom) if custom.is::<Unanswered>() => ErrorKind::Timeout,
        // The driver has refused it: nothing was sent.
        DriverKind::InvalidArgument { .. } => ErrorKind::Invalid,
        _ => match server_errors(error)
            .first()
            .map(|server_error| server_error.code)
        {
            Some(WRITE_CONFLICT) => ErrorKind::WriteConflict,
            Some(code) if TIMEOUTS.contains(&code) => ErrorKind::Timeout,
            _ => ErrorKind::Server,
        },
    }
}
