//! Finds the values at a path, and the positions of the array elements that contain them.

use mongodb::bson::{Bson, Document};

use super::join;

/// Calls a function for every value at a path, and passes the value's path with the position in each array.
pub(crate) fn each_value_at<'d>(
    document: &'d Document,
    path: &str,
    found: &mut dyn FnMut(&str, &'d Bson),
) {
    each_end(document, "", path, &mut |here, end| match end {
        Bson::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                found(&format!("{here}.{at}"), item);
            }
        }
        value => found(here, value),
    });
}

/// Calls a function for every array at a path, and passes the array's path with the position in each outer
/// array.
pub(crate) fn each_array_at<'d>(
    document: &'d Document,
    path: &str,
    found: &mut dyn FnMut(&str, &'d [Bson]),
) {
    each_end(document, "", path, &mut |here, end| {
        if let Bson::Array(items) = end {
            found(here, items);
        }
    });
}

/// Calls a function for every value at the end of a path. An array at the end is passed as a whole.
fn each_end<'d>(
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
        (Some(value), None) => found(&here, value),
        (Some(Bson::Document(inner)), Some(rest)) => each_end(inner, &here, rest, found),
        (Some(Bson::Array(items)), Some(rest)) => {
            for (at, item) in items.iter().enumerate() {
                if let Bson::Document(inner) = item {
                    each_end(inner, &format!("{here}.{at}"), rest, found);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn values_are_found_with_their_positions() {
        let document = doc! { "a": [{ "b": [1, 2] }, 5, { "b": 3 }] };
        let mut found = Vec::new();
        each_value_at(&document, "a.b", &mut |path, value| {
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
        each_array_at(&document, "a.b", &mut |path, items| {
            found.push((path.to_owned(), items.len()));
        });
        assert_eq!(found, [("a.0.b".to_owned(), 2), ("a.2.b".to_owned(), 0)]);
    }
}
