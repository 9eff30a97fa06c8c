//! Values at paths in a document as the server has sent it.

use mongodb::bson::{RawBsonRef, RawDocument};

/// Returns the value at a path that leads through no array.
pub(crate) fn raw_value_at<'d>(document: &'d RawDocument, path: &str) -> Option<RawBsonRef<'d>> {
    match path.split_once('.') {
        None => document.get(path).ok()?,
        Some((head, rest)) => raw_value_at(document.get(head).ok()??.as_document()?, rest),
    }
}

/// Hands over every value at a stored path, through arrays, as the server matches them.
pub fn each_raw_value(document: &RawDocument, path: &str, found: &mut dyn FnMut(RawBsonRef<'_>)) {
    each_raw_end(document, path, &mut |end| match end {
        RawBsonRef::Array(items) => items.into_iter().flatten().for_each(&mut *found),
        value => found(value),
    });
}

/// Hands over what stands at the end of a path, which may be an array, through arrays above it.
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
