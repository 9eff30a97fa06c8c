//! Decides what the library does after an error of the server: try again, leave out one document, or fail.

use super::{Error, ErrorKind};

impl Error {
    /// Whether the server refused a document, and would take others: a validator, the size.
    pub(crate) fn is_document_rejected(&self) -> bool {
        // PathNotViable: something else is stored where a struct should be. DocumentValidationFailure,
        // TransactionTooLargeForCache, and three names of "too large": BSONObjectTooLarge, an object that
        // is too large after an update, and one too large to be stored.
        const CODES: [i32; 7] = [28, 121, 388, 10334, 17280, 17419, 17420];
        self.is_duplicate_key() || self.server_code().is_some_and(|code| CODES.contains(&code))
    }

    /// Whether one document is in the way, and others can be dealt with: the server refuses it, it
    /// cannot be read, or its array is full.
    pub(crate) fn is_about_one_document(&self) -> bool {
        let is_about_one_document =
            matches!(self, Self::Decode { .. } | Self::BoundExceeded { .. });
        self.is_document_rejected() || is_about_one_document
    }

    /// Whether a cursor is gone that the same query can replace: the server has closed it, or is another one now.
    pub(crate) fn has_lost_cursor(&self) -> bool {
        // CursorNotFound, CursorKilled.
        const CODES: [i32; 2] = [43, 237];
        self.is_temporary() || self.server_code().is_some_and(|code| CODES.contains(&code))
    }

    /// Whether the same statement may succeed a moment later: no server could be reached, or the one that was is no
    /// longer the primary, or ends.
    pub(crate) fn is_temporary(&self) -> bool {
        // HostUnreachable, HostNotFound, NetworkTimeout, ShutdownInProgress, PrimarySteppedDown, SocketException,
        // NotWritablePrimary, InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk,
        // NotPrimaryOrSecondary.
        const CODES: [i32; 11] = [6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436];
        self.kind() == ErrorKind::Unreachable
            || self.server_code().is_some_and(|code| CODES.contains(&code))
    }

    /// Whether the server refused the statement, so that nothing of it is done in a transaction.
    pub(crate) fn is_from_server(&self) -> bool {
        self.server_code().is_some()
    }
}
