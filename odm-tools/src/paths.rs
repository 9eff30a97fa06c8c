//! Stored paths, and the values at them.

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument};

/// Whether `path` is `inner` or lies above it.
pub(crate) fn covers(path: &str, inner: &str) -> bool {
    inner
        .strip_prefix(path)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether a write to one path can change what is at the other.
pub(crate) fn overlap(left: &str, right: &str) -> bool {
    covers(left, right) || covers(right, left)
}

/// Returns a projection of some paths and the `_id`; a path below another is left out, as the server demands.
pub(crate) fn projection<'p>(paths: impl IntoIterator<Item = &'p str>) -> Document {
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

/// Returns a path without positions of elements: `orders.$[o].lines.3` is `orders.lines`.
pub(crate) fn without_positions(path: &str) -> String {
    let is_position =
        |segment: &&str| segment.starts_with('$') || segment.chars().all(|c| c.is_ascii_digit());
    let names: Vec<&str> = path
        .split('.')
        .filter(|segment| !is_position(segment))
        .collect();
    names.join(".")
}

/// Joins two paths, either of which may be empty.
pub(crate) fn join(left: &str, right: &str) -> String {
    match (left, right) {
        ("", path) | (path, "") => path.to_owned(),
        (left, right) => format!("{left}.{right}"),
    }
}

/// Returns the value at a path that leads through no array.
pub(crate) fn value_at<'d>(document: &'d Document, path: &str) -> Option<&'d Bson> {
    match path.split_once('.') {
        None => document.get(path),
        Some((head, rest)) => value_at(document.get(head)?.as_document()?, rest),
    }
}

/// Returns the value at a path; below an array, what is there in each element.
pub(crate) fn value_through(document: &Document, path: &str) -> Option<Bson> {
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

/// Passes every value at a path to a function, through arrays, as the server matches them.
pub(crate) fn each_value<'d>(document: &'d Document, path: &str, found: &mut dyn FnMut(&'d Bson)) {
    let (above, name) = path.rsplit_once('.').unwrap_or(("", path));
    each_struct(document, above, &mut |inner| match inner.get(name) {
        Some(Bson::Array(items)) => items.iter().for_each(&mut *found),
        Some(value) => found(value),
        None => {}
    });
}

/// Passes each struct at a path to a function: the document itself, an embedded one, or each element of arrays.
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

/// Passes every value at a path of a stored document to a function, through arrays, as the server matches them.
pub(crate) fn each_raw_value(
    document: &RawDocument,
    path: &str,
    found: &mut dyn FnMut(RawBsonRef<'_>),
) {
    let (head, rest) = match path.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (path, None),
    };
    match (document.get(head), rest) {
        (Ok(Some(RawBsonRef::Array(items))), None) => {
            items.into_iter().flatten().for_each(&mut *found);
        }
        (Ok(Some(value)), None) => found(value),
        (Ok(Some(RawBsonRef::Document(inner))), Some(rest)) => each_raw_value(inner, rest, found),
        (Ok(Some(RawBsonRef::Array(items))), Some(rest)) => {
            for item in items.into_iter().flatten() {
                if let RawBsonRef::Document(inner) = item {
                    each_raw_value(inner, rest, found);
                }
            }
        }
        _ => {}
    }
}

/// Passes each stored path that a filter has a condition on to a function, without the positions of elements. Paths in an
/// expression (`$expr`) or in code are not among them.
pub(crate) fn each_filtered_path(filter: &Document, found: &mut impl FnMut(&str)) {
    each_filtered_below("", filter, found);
}

fn each_filtered_below(above: &str, filter: &Document, found: &mut impl FnMut(&str)) {
    for (name, condition) in filter {
        match (name.as_str(), condition) {
            ("$and" | "$or" | "$nor", Bson::Array(clauses)) => {
                let clauses = clauses.iter().filter_map(Bson::as_document);
                clauses.for_each(|clause| each_filtered_below(above, clause, found));
            }
            (operator, _) if operator.starts_with('$') => {}
            (path, condition) => {
                let path = join(above, &without_positions(path));
                found(&path);
                let element = condition.as_document();
                if let Some(Ok(element)) = element.map(|it| it.get_document("$elemMatch")) {
                    each_filtered_below(&path, element, found);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn conditions_are_found_in_clauses_and_elements() {
        let filter = doc! {
            "name": "x",
            "$or": [{ "lines.0.qty": { "$gt": 1 } }, { "$nor": [{ "at": null }] }],
            "tags": { "$elemMatch": { "kind": 1, "$or": [{ "of": 2 }] } },
            "$expr": { "$eq": ["$a", "$b"] },
        };
        let mut paths = Vec::new();
        each_filtered_path(&filter, &mut |path| paths.push(path.to_owned()));
        assert_eq!(
            paths,
            ["name", "lines.qty", "at", "tags", "tags.kind", "tags.of"]
        );
    }

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
}
