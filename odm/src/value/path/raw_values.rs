//! Values at paths in a raw document, as the server sent it.

use mongodb::bson::{RawBsonRef, RawDocument};

/// Returns the value at a path without arrays.
pub(crate) fn raw_value_at<'d>(document: &'d RawDocument, path: &str) -> Option<RawBsonRef<'d>> {
    match path.split_once('.') {
        None => document.get(path).ok()?,
        Some((head, rest)) => raw_value_at(document.get(head).ok()??.as_document()?, rest),
    }
}

/// Passes every value at a stored path to a callback, through arrays, as the server matches them.
pub fn each_raw_value(document: &RawDocument, path: &str, found: &mut dyn FnMut(RawBsonRef<'_>)) {
    each_raw_end(document, path, &mut |end| match end {
        RawBsonRef::Array(items) => items.into_iter().flatten().for_each(&mut *found),
        value => found(value),
    });
}

/// Passes every value at the end of a path to a callback, through the arrays above it. The value may be an array.
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
