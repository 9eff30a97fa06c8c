//! Errors that the library makes itself.

use super::{EncodeError, Error, ErrorKind};

impl Error {
    /// Returns whether no document has the id or matches the filter.
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Returns whether a unique index refused the write (server error 11000).
    pub fn is_duplicate_key(&self) -> bool {
        self.kind() == ErrorKind::DuplicateKey
    }

    pub(crate) fn encode(context: impl Into<String>, source: EncodeError) -> Self {
        Self::Encode {
            model: None,
            collection: None,
            context: context.into(),
            source,
        }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid {
            model: None,
            collection: None,
            message: message.into(),
        }
    }
}
