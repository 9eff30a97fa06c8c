//! The HTTP status and the public message of each kind of error.

use super::ErrorKind;

impl ErrorKind {
    /// Returns the status of the HTTP response to a request that failed with this kind of error.
    ///
    /// The guide lists the [status of each code](https://github.com/mongo-odm/mongo-odm/blob/main/docs/guide/src/19-json-and-http.md#errors-as-responses).
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::ErrorKind;
    ///
    /// assert_eq!(ErrorKind::NotFound.http_status(), 404);
    /// assert_eq!(ErrorKind::DuplicateKey.http_status(), 409);
    /// ```
    pub const fn http_status(self) -> u16 {
        self.response().0
    }

    /// Returns a message for the clients of an HTTP service. The message contains neither values nor the names of
    /// models, collections or fields.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::ErrorKind;
    ///
    /// assert_eq!(ErrorKind::Decode.http_message(), "internal error");
    /// ```
    pub const fn http_message(self) -> &'static str {
        self.response().1
    }

    const fn response(self) -> (u16, &'static str) {
        match self {
            Self::InvalidPageToken => (400, "the page token is not valid; start at the first page"),
            Self::NotFound => (404, "the document does not exist"),
            Self::Deleted => (410, "the document is deleted"),
            Self::InvalidResumeToken => (
                410,
                "the changes after the resume token are not available; read all documents again",
            ),
            Self::DuplicateKey => (409, "another document has the same value in a unique field"),
            Self::IdTaken => (409, "another document has the same id"),
            Self::Restricted => (409, "other documents refer to this document"),
            Self::Conflict | Self::Reassigned => {
                (409, "the document has changed since it was read")
            }
            Self::NoTarget => (422, "a document that is referred to does not exist"),
            Self::BoundExceeded => (422, "a list would have too many elements"),
            Self::Overflow => (422, "a total would be too large"),
            Self::Validation | Self::InvalidDocument => (422, "some fields have invalid values"),
            Self::Hook => (422, "a rule of the application rejects the change"),
            Self::InvalidPatch => (422, "a field cannot be changed in this way"),
            Self::Encode => (422, "a value cannot be stored"),
            Self::WriteConflict => (503, "another request changed the same document; try again"),
            Self::Timeout | Self::Unreachable | Self::Pending | Self::Shutdown => {
                (503, "the service is not available; try again later")
            }
            Self::Missing
            | Self::Unmatched
            | Self::Ambiguous
            | Self::TooManyDocuments
            | Self::TooManyKeys
            | Self::NoIndex
            | Self::IndexConflict
            | Self::Decode
            | Self::Invalid
            | Self::Declaration
            | Self::TransactionEnded
            | Self::TransactionPoisoned
            | Self::NeedsReplicaSet
            | Self::Server
            | Self::Custom => (500, "internal error"),
        }
    }
}
