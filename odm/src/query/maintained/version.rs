//! The version in stored documents, and the condition for it.

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};

/// Returns the version in a document, or 0 if the document has none.
pub(crate) fn version_in(document: &RawDocument, field: &str) -> i64 {
    match document.get(field) {
        Ok(Some(RawBsonRef::Int32(version))) => version.into(),
        Ok(Some(RawBsonRef::Int64(version))) => version,
        _ => 0,
    }
}

/// Returns the condition that a stored document has the given version. A missing version counts as 0.
pub(crate) fn has_version(field: &str, version: i64) -> Document {
    match version {
        0 => doc! { field: { "$in": [0_i64, Bson::Null] } },
        version => doc! { field: version },
    }
}
