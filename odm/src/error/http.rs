//! The HTTP status and the public message of each kind of error.

use super::ErrorKind;

impl ErrorKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: &'static [Self] = &[
        Self::NotFound,
        Self::Missing,
        Self::Unmatched,
        Self::Ambiguous,
        Self::DuplicateKey,
        Self::IdTaken,
        Self::BoundExceeded,
        Self::TooManyDocuments,
        Self::TooManyKeys,
        Self::Restricted,
        Self::Conflict,
        Self::Reassigned,
        Self::NoTarget,
        Self::NoIndex,
        Self::IndexConflict,
        Self::Decode,
        Self::Encode,
        Self::Invalid,
        Self::InvalidPageToken,
        Self::Declaration,
        Self::WriteConflict,
        Self::Timeout,
        Self::Unreachable,
        Self::Pending,
        Self::TransactionEnded,
        Self::TransactionPoisoned,
        Self::NeedsReplicaSet,
        Self::Shutdown,
        Self::Server,
        Self::Custom,
    ];

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
        match self {
            Self::InvalidPageToken => 400,
            Self::NotFound => 404,
            Self::DuplicateKey
            | Self::IdTaken
            | Self::Restricted
            | Self::Conflict
            | Self::Reassigned => 409,
            Self::NoTarget | Self::BoundExceeded => 422,
            Self::WriteConflict
            | Self::Timeout
            | Self::Unreachable
            | Self::Pending
            | Self::Shutdown => 503,
            Self::Missing
            | Self::Unmatched
            | Self::Ambiguous
            | Self::TooManyDocuments
            | Self::TooManyKeys
            | Self::NoIndex
            | Self::IndexConflict
            | Self::Decode
            | Self::Encode
            | Self::Invalid
            | Self::Declaration
            | Self::TransactionEnded
            | Self::TransactionPoisoned
            | Self::NeedsReplicaSet
            | Self::Server
            | Self::Custom => 500,
        }
    }

    /// Returns a message for the clients of an HTTP service. The message contains no value and no name of a model, a
    /// collection or a field.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::ErrorKind;
    ///
    /// assert_eq!(ErrorKind::Decode.http_message(), "internal error");
    /// ```
    pub const fn http_message(self) -> &'static str {
        match self {
            Self::InvalidPageToken => "the page token is not valid; start at the first page",
            Self::NotFound => "the document does not exist",
            Self::DuplicateKey => "another document has the same value in a unique field",
            Self::IdTaken => "another document has the same id",
            Self::Restricted => "other documents refer to this document",
            Self::Conflict | Self::Reassigned => "the document has changed since it was read",
            Self::NoTarget => "a document that is referred to does not exist",
            Self::BoundExceeded => "a list would have too many elements",
            Self::WriteConflict => "another request changed the same document; try again",
            Self::Timeout | Self::Unreachable | Self::Pending | Self::Shutdown => {
                "the service is not available; try again later"
            }
            _ => "internal error",
        }
    }
}
