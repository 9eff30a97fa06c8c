//! Errors for invalid filters, updates and options.

use super::Error;

impl Error {
    /// Creates an [`Error::Invalid`] that does not contain a model yet. `in_model` adds the model.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid {
            model: None,
            collection: None,
            message: message.into(),
        }
    }
}
