//! Classifies errors by the library's reaction: the library retries, skips one document, or fails.

use mongodb::error::TRANSIENT_TRANSACTION_ERROR;

use super::{
    Error, ErrorKind,
    server_error::{is_about_capped, is_unconfirmed},
};

impl Error {
    /// Returns whether the server rejected this document but would accept other documents. Reasons are a duplicate key,
    /// a failed validation, a stored value of a wrong type, or a document that is too large.
    pub(crate) fn is_document_rejected(&self) -> bool {
        // TypeMismatch (`$inc` of a value that is not a number), PathNotViable (the stored value is not a struct),
        // DocumentValidationFailure, TransactionTooLargeForCache, BSONObjectTooLarge, KeyTooLong, and the codes for a
        // document that is too large after an update or when it is stored.
        const CODES: [i32; 8] = [14, 28, 121, 388, 10334, 17280, 17419, 17420];
        self.is_duplicate_key()
            || self.is_about_stored_value()
            || self.server_code().is_some_and(|code| CODES.contains(&code))
    }

    /// Returns whether the server aborted a transaction because its changes need too much memory. The same changes may
    /// fit into several transactions.
    pub(crate) fn is_transaction_too_large(&self) -> bool {
        self.server_code() == Some(388)
    }

    /// Returns whether the transaction of the failed statement may succeed if it runs again. The server also marks an
    /// error about a capped collection as transient, although it never reads such a collection in a transaction.
    pub(crate) fn is_transient(&self) -> bool {
        self.contains_label(TRANSIENT_TRANSACTION_ERROR)
            && !self.driver().is_some_and(is_about_capped)
    }

    /// Returns whether an array operator was applied to a stored value that is not an array, or whether `$inc` exceeded
    /// the largest number. For these errors, the server sends the general code `BadValue`.
    fn is_about_stored_value(&self) -> bool {
        const MESSAGES: [&str; 3] = ["non-array", "must be an array", "Failed to apply $inc"];
        self.server_code() == Some(2)
            && self.driver().is_some_and(|error| {
                let text = error.to_string();
                MESSAGES.iter().any(|message| text.contains(message))
            })
    }

    /// Returns whether the primary has carried out the whole statement, but fewer servers than the write concern
    /// requires have confirmed it.
    pub(crate) fn is_unconfirmed(&self) -> bool {
        self.driver().is_some_and(is_unconfirmed)
    }

    /// Returns whether the error concerns one document, so that the other documents can still be processed. Either the
    /// server rejected the document, the document cannot be decoded, its array is full, its sum is too large, or the
    /// target of its reference does not exist.
    pub(crate) fn is_about_one_document(&self) -> bool {
        let is_about_one_document = matches!(
            self,
            Self::Decode { .. }
                | Self::BoundExceeded { .. }
                | Self::Overflow { .. }
                | Self::NoTarget { .. }
        );
        self.is_document_rejected() || is_about_one_document
    }

    /// Returns whether the cursor is lost, so that the query must be repeated. Either the server has closed the cursor,
    /// or another server has become the primary.
    pub(crate) fn has_lost_cursor(&self) -> bool {
        // CursorNotFound, CursorKilled.
        const CODES: [i32; 2] = [43, 237];
        self.is_temporary() || self.server_code().is_some_and(|code| CODES.contains(&code))
    }

    /// Returns whether the same statement may succeed a moment later. Either no server was reachable, or the server was
    /// no longer the primary or shut down.
    pub(crate) fn is_temporary(&self) -> bool {
        self.kind() == ErrorKind::Unreachable
    }

    /// Returns whether a cluster rejected a statement on one document because its filter does not contain the shard key.
    pub(crate) fn is_about_shard_key(&self) -> bool {
        // ShardKeyNotFound for deletes and `findAndModify`, InvalidOptions for updates.
        matches!(self.server_code(), Some(61 | 72))
    }

    /// Returns whether the server rejected the statement. A rejected statement has not changed anything in its
    /// transaction.
    pub(crate) fn is_from_server(&self) -> bool {
        self.server_code().is_some()
    }
}
