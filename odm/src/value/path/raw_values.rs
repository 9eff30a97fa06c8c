//! Finds the values at a path in a raw document, as the server sent it.

use mongodb::bson::{RawBsonRef, RawDocument};

/// Returns the value at a path that does not pass through an array.
pub(crate) fn raw_value_at<'d>(document: &'d RawDocument, path: &str) -> Option<RawBsonRef<'d>> {
    match path.split_once('.') {
        None => document.get(path).ok()?,
        Some((head, rest)) => raw_value_at(document.get(head).ok()??.as_document()?, rest),
    }
}

/// Calls a function for every value at a path. Like a filter on the server, the function visits the elements of each
/// array on the path.
pub fn each_raw_value(document: &RawDocument, path: &str, found: &mut dyn FnMut(RawBsonRef<'_>)) {
    each_raw_end(document, path, &mut |end| match end {
        RawBsonRef::Array(items) => items.into_iter().flatten().for_each(&mut *found),
        value => found(value),
    });
}

/// Calls a function for every value at the end of a path. The search visits the elements of arrays on the path,
/// but passes an array at the end as a whole.
pub(crate) fn each_raw_end(
    document: &RawDocument,
    path: &str,
    found: &mut dyn FnMut(RawBsonRef<'_>),
) {
    let (head, rest) = match path.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (path, None),
    };
    match (document.get(head), rest) {
        (Ok(Some(value)), None) => found(value),
        (Ok(Some(RawBsonRef::Document(inner))), Some(rest)) => each_raw_end(inner, rest, found),
        (Ok(Some(RawBsonRef::Array(items))), Some(rest)) => {
            for item in items.into_iter().flatten() {
                if let RawBsonRef::Document(inner) = item {
                    each_raw_end(inner, rest, found);
                }
            }
        }
        _ => {}
    }
}
