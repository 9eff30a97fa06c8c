//! Combines and examines filters, and provides the simple collation.

use mongodb::{
    bson::{Bson, Document, doc},
    options::Collation,
};

use crate::value::path::equality_in;

/// Returns the conjunction of two filters. Filters on different fields are merged into one document. Other filters are
/// combined with `$and`.
pub(crate) fn and(left: Document, right: Document) -> Document {
    if right.keys().any(|key| left.contains_key(key)) {
        return doc! { "$and": [left, right] };
    }
    let mut both = left;
    both.extend(right);
    both
}

/// Whether the filter requires an array as the `_id`, which no document has. A cluster rejects a statement on one document
/// with such a filter, instead of finding nothing.
pub(crate) fn has_array_as_id(filter: &Document) -> bool {
    matches!(equality_in(filter, "_id"), Some(Bson::Array(_)))
}

/// Returns the collation that compares strings byte by byte. Statements request this collation explicitly if the
/// default collation of a collection may differ.
pub(crate) fn simple() -> Collation {
    Collation::builder().locale("simple".to_owned()).build()
}
