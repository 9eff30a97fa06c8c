//! Values that cannot be written as BSON.

/// What serde reports about a value that cannot be written as BSON.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EncodeError(pub(crate) String);
