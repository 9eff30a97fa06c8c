//! Functions that compare stored paths, and functions that find the values at a path.

mod element_path;
mod element_positions;
mod filter_equalities;
mod filter_paths;
mod raw_values;

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf};

pub(crate) use element_path::ElementPath;
pub(crate) use element_positions::{each_array_at, each_value_at};
pub(crate) use filter_equalities::{equalities, equality_in};
pub use filter_paths::each_filtered_path;
pub(crate) use filter_paths::{is_text_search, near_path};
pub use raw_values::each_raw_value;
pub(crate) use raw_values::{each_raw_end, raw_value_at};

/// Returns whether `path` equals `inner` or contains it.
pub fn covers(path: &str, inner: &str) -> bool {
    inner
        .strip_prefix(path)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns a projection that includes the given paths. The projection omits a path that is inside another path, because
/// the server rejects a projection that contains both.
pub fn projection<'p>(paths: impl IntoIterator<Item = &'p str>) -> Document {
    let mut paths: Vec<&str> = paths.into_iter().chain(["_id"]).collect();
    paths.sort_unstable();
    paths.dedup();
    let top = paths.iter().filter(|path| {
        !paths
            .iter()
            .any(|above| above != *path && covers(above, path))
    });
    top.map(|path| ((*path).to_owned(), Bson::Int32(1)))
        .collect()
}

/// Returns whether a write to one of the paths can change the value at the other path.
pub fn overlap(left: &str, right: &str) -> bool {
    covers(left, right) || covers(right, left)
}

/// Returns a path without the positions of array elements: `orders.$[o].lines.3` becomes `orders.lines`.
pub fn without_positions(path: &str) -> String {
    let is_position =
        |segment: &str| segment.starts_with('$') || segment.chars().all(|c| c.is_ascii_digit());
    // The first segment is the name of a field, even if it consists of digits.
    let names = path.split('.').enumerate();
    let names = names.filter(|(at, segment)| *at == 0 || !is_position(segment));
    let names: Vec<&str> = names.map(|(_, name)| name).collect();
    names.join(".")
}

/// Lists all paths that contain a path, from the first segment to the path itself: `a`, `a.b`, `a.b.c`.
pub(crate) fn beginnings(path: &str) -> impl Iterator<Item = &str> {
    let dots = path.match_indices('.').map(|(at, _)| at);
    let ends = dots.chain([path.len()]);
    ends.filter_map(|end| path.get(..end))
}

/// Joins two paths with a dot. Either path may be empty.
pub fn join(left: &str, right: &str) -> String {
    match (left, right) {
        ("", path) | (path, "") => path.to_owned(),
        (left, right) => format!("{left}.{right}"),
    }
}

/// Returns the value at a path that does not pass through an array.
pub fn value_at<'d>(document: &'d Document, path: &str) -> Option<&'d Bson> {
    match path.split_once('.') {
        None => document.get(path),
        Some((head, rest)) => value_at(document.get(head)?.as_document()?, rest),
    }
}

/// Returns the value at a path. If the path passes through an array, the result is an array that contains the value
/// in each element.
pub fn value_through(document: &Document, path: &str) -> Option<Bson> {
    let Some((head, rest)) = path.split_once('.') else {
        return document.get(path).cloned();
    };
    value_below(document.get(head)?, rest)
}

fn value_below(value: &Bson, path: &str) -> Option<Bson> {
    match value {
        Bson::Document(inner) => value_through(inner, path),
        Bson::Array(items) => {
            let each = items.iter().map(|item| value_below(item, path));
            let each = each.map(|value| value.unwrap_or(Bson::Undefined));
            Some(Bson::Array(each.collect()))
        }
        _ => None,
    }
}

/// Calls a function for every value at a path. Like a filter on the server, the function visits the elements of each
/// array on the path.
pub fn each_value<'d>(document: &'d Document, path: &str, found: &mut dyn FnMut(&'d Bson)) {
    let (head, rest) = match path.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (path, None),
    };
    match (document.get(head), rest) {
        (Some(Bson::Document(inner)), Some(rest)) => each_value(inner, rest, found),
        (Some(Bson::Array(items)), Some(rest)) => {
            for inner in items.iter().filter_map(Bson::as_document) {
                each_value(inner, rest, found);
            }
        }
        (Some(Bson::Array(items)), None) => items.iter().for_each(found),
        (Some(value), None) => found(value),
        _ => {}
    }
}

/// Writes a value at a path that does not pass through an array, or removes the value. Does nothing if a document
/// on the path is missing.
pub(crate) fn put(document: &mut Document, path: &str, value: Option<Bson>) {
    match path.split_once('.') {
        None => match value {
            Some(value) => _ = document.insert(path, value),
            None => _ = document.remove(path),
        },
        Some((head, rest)) => {
            if let Some(Bson::Document(inner)) = document.get_mut(head) {
                put(inner, rest, value);
            }
        }
    }
}

/// Writes a value at a path in every element of the arrays on the path. Creates documents that are missing on the
/// path.
pub(crate) fn set_each(document: &mut Document, path: &str, value: &Bson) {
    let Some((head, rest)) = path.split_once('.') else {
        document.insert(path, value.clone());
        return;
    };
    match document.get_mut(head) {
        Some(Bson::Document(inner)) => set_each(inner, rest, value),
        Some(Bson::Array(items)) => {
            for inner in items.iter_mut().filter_map(Bson::as_document_mut) {
                set_each(inner, rest, value);
            }
        }
        _ => _ = document.insert(head, nested(rest, value.clone())),
    }
}

/// Returns a document in which the value at a path is removed, even inside arrays.
pub(crate) fn without_path(raw: &RawDocument, path: &str) -> Option<RawDocumentBuf> {
    let mut document = Document::try_from(raw).ok()?;
    remove_each(&mut document, path);
    RawDocumentBuf::try_from(&document).ok()
}

/// Removes the value at a path in every element of the arrays on the path, including nested arrays.
pub(crate) fn remove_each(document: &mut Document, path: &str) {
    let Some((head, rest)) = path.split_once('.') else {
        document.remove(path);
        return;
    };
    if let Some(value) = document.get_mut(head) {
        remove_below(value, rest);
    }
}

fn remove_below(value: &mut Bson, rest: &str) {
    match value {
        Bson::Document(inner) => remove_each(inner, rest),
        Bson::Array(items) => {
            for item in items {
                remove_below(item, rest);
            }
        }
        _ => {}
    }
}

/// Returns a document that contains only a value at a path.
pub(crate) fn nested(path: &str, value: Bson) -> Document {
    let mut document = Document::new();
    match path.split_once('.') {
        None => _ = document.insert(path, value),
        Some((head, rest)) => _ = document.insert(head, nested(rest, value)),
    }
    document
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn values_are_found_through_arrays() {
        let document = doc! { "a": [{ "b": [1, 2] }, { "b": 3 }, 4], "c": { "d": 5 } };
        let at = |path: &str| {
            let mut found = Vec::new();
            each_value(&document, path, &mut |value| found.push(value.clone()));
            found
        };
        assert_eq!(at("a.b"), [1.into(), 2.into(), Bson::Int32(3)]);
        assert_eq!(at("c.d"), [Bson::Int32(5)]);
        assert_eq!(at("c.e"), []);
        assert_eq!(value_at(&document, "c.d"), Some(&Bson::Int32(5)));
        let each = [Bson::from(vec![1, 2]), 3.into(), Bson::Undefined];
        assert_eq!(value_through(&document, "a.b"), Some(each.to_vec().into()));
    }

    #[test]
    fn a_projection_has_no_path_below_another() {
        let paths = projection(["a.b", "a", "c.d"]);
        assert_eq!(paths, doc! { "_id": 1, "a": 1, "c.d": 1 });
    }

    #[test]
    fn paths_overlap_at_whole_segments() {
        assert!(overlap("address", "address.city"));
        assert!(overlap("address.city", "address"));
        assert!(!overlap("name", "names"));
    }

    #[test]
    fn a_path_begins_with_those_above_it() {
        assert_eq!(
            beginnings("a.b.c").collect::<Vec<_>>(),
            ["a", "a.b", "a.b.c"]
        );
    }

    #[test]
    fn positions_are_no_part_of_a_path() {
        assert_eq!(
            without_positions("orders.$[o].lines.3.$.x"),
            "orders.lines.x"
        );
    }
}
