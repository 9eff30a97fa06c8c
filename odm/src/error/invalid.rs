//! Errors for invalid filters, updates, options and documents.

use super::Error;

impl Error {
    /// Creates an [`Error::Invalid`] that does not contain a model yet. `in_model` adds the model.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid {
            model: None,
            collection: None,
            message: message.into(),
            in_document: false,
        }
    }

    /// Creates an [`Error::Invalid`] for a document with the wrong kind or the wrong tenant.
    pub(crate) fn invalid_in_document(message: impl Into<String>) -> Self {
        Self::Invalid {
            model: None,
            collection: None,
            message: message.into(),
            in_document: true,
        }
    }
}
