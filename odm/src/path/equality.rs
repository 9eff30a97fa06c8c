//! What a filter demands of one field.

use mongodb::bson::{Bson, Document};

/// Returns the value that a filter demands at a path, if it demands one: at its top, with `$eq`, or in an `$and`.
pub(crate) fn equality_in<'f>(filter: &'f Document, path: &str) -> Option<&'f Bson> {
    match filter.get(path) {
        Some(Bson::Document(condition)) if condition.keys().any(|key| key.starts_with('$')) => {
            condition.get("$eq")
        }
        Some(value) => Some(value),
        None => {
            let mut all = filter.get_array("$and").ok()?.iter();
            all.find_map(|one| equality_in(one.as_document()?, path))
        }
    }
}
