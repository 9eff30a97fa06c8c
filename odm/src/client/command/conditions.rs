//! Combines filters, and provides the simple collation.

use mongodb::{
    bson::{Document, doc},
    options::Collation,
};

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

/// Returns the collation that compares strings byte by byte. Statements request this collation explicitly if the
/// default collation of a collection may differ.
pub(crate) fn simple() -> Collation {
    Collation::builder().locale("simple".to_owned()).build()
}
