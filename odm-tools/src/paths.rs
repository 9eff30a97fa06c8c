//! Finds the structs at stored paths.

use mongodb::bson::{Bson, Document};

/// Calls a function with each struct at a path. A struct is the document itself, an embedded struct, or an element of
/// an array.
pub(crate) fn each_struct<'d>(
    document: &'d Document,
    path: &str,
    found: &mut dyn FnMut(&'d Document),
) {
    if path.is_empty() {
        found(document);
        return;
    }
    let (head, rest) = path.split_once('.').unwrap_or((path, ""));
    match document.get(head) {
        Some(Bson::Document(inner)) => each_struct(inner, rest, found),
        Some(Bson::Array(items)) => {
            for inner in items.iter().filter_map(Bson::as_document) {
                each_struct(inner, rest, found);
            }
        }
        _ => {}
    }
}
