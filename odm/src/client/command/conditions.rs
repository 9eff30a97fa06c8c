//! Conditions on documents.

use mongodb::{
    bson::{Document, doc},
    options::Collation,
};

/// Joins two conditions on documents; one that names other fields is merged.
pub(crate) fn and(left: Document, right: Document) -> Document {
    if right.keys().any(|key| left.contains_key(key)) {
        return doc! { "$and": [left, right] };
    }
    let mut both = left;
    both.extend(right);
    both
}

/// Returns the collation that compares texts byte by byte, whatever the default of a collection is.
pub(crate) fn simple() -> Collation {
    Collation::builder().locale("simple".to_owned()).build()
}
