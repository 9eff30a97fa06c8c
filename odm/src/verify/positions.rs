//! Finds values in documents, with the positions of the elements that they are in.

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};

use crate::path::{ElementPath, join, raw_value_at};

/// Hands over every innermost element with a struct at a place, and its path: `orders.0.lines.3`.
pub(super) fn each_struct<'d>(
    place: &ElementPath,
    document: &'d RawDocument,
    found: &mut dyn FnMut(&str, &'d RawDocument),
) {
    walk(document, "", &place.arrays, &place.rest, found);
}

/// Returns a filter for the documents with a struct at a place whose key is null or missing.
pub(super) fn without_key(place: &ElementPath, key: &str) -> Document {
    let mut condition = doc! { place.relative(key): Bson::Null };
    if !place.rest.is_empty() {
        condition.insert(&place.rest, doc! { "$type": "object" });
    }
    place.matching(condition)
}

fn walk<'d>(
    document: &'d RawDocument,
    path: &str,
    arrays: &[String],
    rest: &str,
    found: &mut dyn FnMut(&str, &'d RawDocument),
) {
    let Some((array, below)) = arrays.split_first() else {
        let inner = match rest {
            "" => Some(document),
            rest => raw_value_at(document, rest).and_then(RawBsonRef::as_document),
        };
        if inner.is_some() {
            found(path, document);
        }
        return;
    };
    if let Some(RawBsonRef::Array(items)) = raw_value_at(document, array) {
        for (at, item) in items.into_iter().flatten().enumerate() {
            if let RawBsonRef::Document(element) = item {
                let path = join(path, &format!("{array}.{at}"));
                walk(element, &path, below, rest, found);
            }
        }
    }
}

/// Hands over every value at a path, through arrays, with the positions of the elements.
pub(super) fn each_value<'d>(
    document: &'d Document,
    path: &str,
    found: &mut dyn FnMut(&str, &'d Bson),
) {
    values(document, "", path, found);
}

fn values<'d>(
    document: &'d Document,
    above: &str,
    path: &str,
    found: &mut dyn FnMut(&str, &'d Bson),
) {
    let (head, rest) = match path.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (path, None),
    };
    let here = join(above, head);
    match (document.get(head), rest) {
        (Some(Bson::Document(inner)), Some(rest)) => values(inner, &here, rest, found),
        (Some(Bson::Array(items)), rest) => {
            for (at, item) in items.iter().enumerate() {
                let here = format!("{here}.{at}");
                match (item, rest) {
                    (Bson::Document(inner), Some(rest)) => values(inner, &here, rest, found),
                    (item, None) => found(&here, item),
                    _ => {}
                }
            }
        }
        (Some(value), None) => found(&here, value),
        _ => {}
    }
}

/// Hands over every array at a path, through arrays above it, with the positions of these.
pub(super) fn each_array<'d>(
    document: &'d Document,
    path: &str,
    found: &mut dyn FnMut(&str, &'d [Bson]),
) {
    arrays(document, "", path, found);
}

fn arrays<'d>(
    document: &'d Document,
    above: &str,
    path: &str,
    found: &mut dyn FnMut(&str, &'d [Bson]),
) {
    let (head, rest) = match path.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (path, None),
    };
    let here = join(above, head);
    match (document.get(head), rest) {
        (Some(Bson::Array(items)), None) => found(&here, items),
        (Some(Bson::Document(inner)), Some(rest)) => arrays(inner, &here, rest, found),
        (Some(Bson::Array(items)), Some(rest)) => {
            for (at, item) in items.iter().enumerate() {
                if let Bson::Document(inner) = item {
                    arrays(inner, &format!("{here}.{at}"), rest, found);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_with_their_positions() {
        let document = doc! { "a": [{ "b": [1, 2] }, 5, { "b": 3 }] };
        let mut found = Vec::new();
        each_value(&document, "a.b", &mut |path, value| {
            found.push((path.to_owned(), value.clone()));
        });
        let path = |path: &str, value: i32| (path.to_owned(), Bson::Int32(value));
        assert_eq!(
            found,
            [path("a.0.b.0", 1), path("a.0.b.1", 2), path("a.2.b", 3)]
        );
    }

    #[test]
    fn arrays_are_found_with_their_positions() {
        let document = doc! { "a": [{ "b": [1, 2] }, { "b": 3 }, { "b": [] }] };
        let mut found = Vec::new();
        each_array(&document, "a.b", &mut |path, items| {
            found.push((path.to_owned(), items.len()));
        });
        assert_eq!(found, [("a.0.b".to_owned(), 2), ("a.2.b".to_owned(), 0)]);
    }
}
