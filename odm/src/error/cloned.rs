//! Clones filters and updates that store an error. `Error` itself is not `Clone`.

use super::{Error, Result};

impl Error {
    /// Returns a copy of the error. Filters and updates store only errors about values and options. Any other error
    /// would become [`Error::Invalid`] with the same message.
    fn cloned(&self) -> Self {
        match self {
            Self::Encode {
                model,
                collection,
                context,
                source,
            } => Self::Encode {
                model: *model,
                collection: *collection,
                context: context.clone(),
                source: source.clone(),
            },
            Self::Invalid {
                model,
                collection,
                message,
                in_document,
            } => Self::Invalid {
                model: *model,
                collection: *collection,
                message: message.clone(),
                in_document: *in_document,
            },
            Self::Declaration(message) => Self::Declaration(message.clone()),
            other => Self::invalid(other.to_string()),
        }
    }
}

/// Clones the document of a filter or an update, or the error that the filter or update stores instead.
pub(crate) fn cloned_result<T: Clone>(result: &Result<T>) -> Result<T> {
    match result {
        Ok(value) => Ok(value.clone()),
        Err(error) => Err(error.cloned()),
    }
}
