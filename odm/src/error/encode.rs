//! The error for values that cannot be written as BSON.

use super::Error;

/// The message about a value that cannot be written as BSON, mostly from serde.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EncodeError(pub(crate) String);

impl Error {
    pub(crate) fn encode(context: impl Into<String>, source: EncodeError) -> Self {
        Self::Encode {
            model: None,
            collection: None,
            context: context.into(),
            source,
        }
    }
}
