//! Errors for invalid filters, updates and options.

use super::Error;

impl Error {
    /// Returns [`Error::Invalid`] without a model; `in_model` adds the model.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid {
            model: None,
            collection: None,
            message: message.into(),
        }
    }
}
