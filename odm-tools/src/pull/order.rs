//! Compares the order of the fields in stored documents with their order in the structs.

use std::collections::HashMap;

use mongo_odm::__tools::mongosh_value;
use mongodb::bson::{Bson, Document};

use crate::survey::PathStep;

/// The positions of a struct's fields. All undeclared fields have the position of the flattened field.
#[derive(Debug)]
pub(super) struct Order<'n> {
    places: HashMap<&'n str, usize>,
    rest: usize,
}

impl<'n> Order<'n> {
    /// Creates the order of a struct's fields. `rest` is the position of the flattened field.
    pub(super) fn new(fields: impl Iterator<Item = &'n str>, rest: Option<usize>) -> Self {
        let rest = rest.unwrap_or(usize::MAX);
        let place = |at| if at < rest { at } else { at + 1 };
        Self {
            places: fields
                .zip(0..)
                .map(|(name, at)| (name, place(at)))
                .collect(),
            rest,
        }
    }

    fn has(&self, document: &Document) -> bool {
        let place = |name: &String| self.places.get(name.as_str()).copied();
        let places = document.keys().map(|name| place(name).unwrap_or(self.rest));
        places.is_sorted()
    }

    /// Returns a comment if writing the documents back would change the order of their fields. `steps` is the path of
    /// the struct.
    pub(super) fn changes(&self, documents: &[&Document], steps: &[PathStep]) -> Option<String> {
        let is_changed = |document: &&&Document| {
            let mut inner = Vec::new();
            in_document(document, steps, &mut inner);
            !inner.into_iter().all(|it| self.has(it))
        };
        let mut changed = documents.iter().filter(is_changed);
        let first = changed.next()?.get("_id").unwrap_or(&Bson::Null);
        let example = mongosh_value(first);
        Some(match changed.count() {
            0 => {
                format!("A write changes the order of the fields in one document: `_id` {example}.")
            }
            others => format!(
                "A write changes the order of the fields in {} documents: `_id` {example} is one.",
                others + 1
            ),
        })
    }
}

/// Whether the field names of all embedded documents at a path are sorted by bytes, as in a `BTreeMap`.
pub(super) fn are_sorted(documents: &[&Document], steps: &[PathStep]) -> bool {
    let mut inner = Vec::new();
    for document in documents {
        in_document(document, steps, &mut inner);
    }
    inner.into_iter().all(|it| it.keys().is_sorted())
}

/// Collects the embedded documents at a path.
fn in_document<'d>(document: &'d Document, steps: &[PathStep], found: &mut Vec<&'d Document>) {
    let Some((first, rest)) = steps.split_first() else {
        found.push(document);
        return;
    };
    match first {
        PathStep::Field(name) => {
            if let Some(value) = document.get(name) {
                in_value(value, rest, found);
            }
        }
        PathStep::AnyField => {
            for value in document.values() {
                in_value(value, rest, found);
            }
        }
        PathStep::Each => {}
    }
}

fn in_value<'d>(value: &'d Bson, steps: &[PathStep], found: &mut Vec<&'d Document>) {
    match (value, steps.split_first()) {
        (Bson::Document(inner), _) => in_document(inner, steps, found),
        (Bson::Array(items), Some((PathStep::Each, rest))) => {
            for item in items {
                in_value(item, rest, found);
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
    fn what_a_struct_has_no_field_for_is_at_one_place() {
        let order = Order::new(["_id", "a", "b"].into_iter(), Some(2));
        let is_kept = |document: Document| order.has(&document);
        assert!(is_kept(doc! { "_id": 1, "a": 1, "": 1, "x.y": 1, "b": 1 }));
        assert!(is_kept(doc! { "_id": 1, "b": 1 }));
        assert!(!is_kept(doc! { "_id": 1, "": 1, "a": 1 }));
        assert!(!is_kept(doc! { "_id": 1, "b": 1, "a": 1 }));
    }

    #[test]
    fn an_example_is_told_of_documents_that_change() {
        let documents = [
            doc! { "_id": 1, "in": [{ "a": 1, "b": 1 }] },
            doc! { "_id": 2, "in": [{ "a": 1 }, { "b": 1, "a": 1 }] },
        ];
        let documents: Vec<_> = documents.iter().collect();
        let order = Order::new(["a", "b"].into_iter(), None);
        let steps = [PathStep::Field("in".to_owned()), PathStep::Each];
        let told = order.changes(&documents, &steps).unwrap();
        assert!(told.ends_with("in one document: `_id` 2."), "{told}");
        assert!(!are_sorted(&documents, &steps));
        assert!(are_sorted(&documents, &[]));
    }
}
