//! The join keys of a document that came back from the server.

use mongodb::bson::{RawBsonRef, RawDocument};

/// Hands over every value at a stored path, through arrays, as the server matches them.
pub(crate) fn each_raw_key(
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
        RawBsonRef::Document(inner) => each_raw_key(inner, rest, found),
        RawBsonRef::Array(items) => {
            for item in items.into_iter().flatten() {
                if let RawBsonRef::Document(inner) = item {
                    each_raw_key(inner, rest, found);
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
