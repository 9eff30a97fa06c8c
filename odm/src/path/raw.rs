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
pub(crate) fn each_raw_value(
    document: &RawDocument,
    path: &str,
    found: &mut dyn FnMut(RawBsonRef<'_>),
) {
    let (head, rest) = match path.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (path, None),
    };
    if let Ok(Some(value)) = document.get(head) {
        match rest {
            Some(rest) => below(value, rest, found),
            None => leaf(value, found),
        }
    }
}

fn below(value: RawBsonRef<'_>, rest: &str, found: &mut dyn FnMut(RawBsonRef<'_>)) {
    match value {
        RawBsonRef::Document(inner) => each_raw_value(inner, rest, found),
        RawBsonRef::Array(items) => {
            for item in items.into_iter().flatten() {
                if let RawBsonRef::Document(inner) = item {
                    each_raw_value(inner, rest, found);
                }
            }
        }
        _ => {}
    }
}

fn leaf(value: RawBsonRef<'_>, found: &mut dyn FnMut(RawBsonRef<'_>)) {
    match value {
        RawBsonRef::Array(items) => {
            for item in items.into_iter().flatten() {
                found(item);
            }
        }
        value => found(value),
    }
}
