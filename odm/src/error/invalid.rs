//! Calls with a filter, an update or an option that is not valid.

use super::Error;

impl Error {
    /// Returns [`Error::Invalid`] without a model; `in_model` adds it.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid {
            model: None,
            collection: None,
            message: message.into(),
        }
    }
}
