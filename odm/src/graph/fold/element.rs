//! The elements of two-way arrays: decides which stored elements to keep and which new elements to append.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document};

use super::OtherSide;
use crate::value::{key::JoinKey, path::value_at};

/// A field of an array element. Each element represents a document that refers to the owner of the array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ElementPart {
    /// The path in the element. The path is empty if the element is the key itself.
    pub(crate) to: String,
    /// The path in the document that the element represents.
    pub(crate) from: String,
    /// The value to store if the field is missing or null.
    pub(crate) or: Option<&'static str>,
}

impl ElementPart {
    pub(crate) const fn new(to: String, from: String) -> Self {
        Self { to, from, or: None }
    }

    fn value_in(&self, child: &Document) -> Option<Bson> {
        let value = value_at(child, &self.from);
        match (value, self.or) {
            (None | Some(Bson::Null), Some(or)) => Some(or.into()),
            (value, _) => value.cloned(),
        }
    }
}

pub(super) fn elements_of(array: Option<Bson>) -> Vec<Bson> {
    match array {
        Some(Bson::Array(elements)) => elements,
        _ => Vec::new(),
    }
}

/// Returns the new elements of an array of keys. Stored elements that have a child keep their order, and duplicates are
/// removed. New elements are appended. In a mirrored array, stored elements without a child are kept, too.
pub(super) fn members(
    stored: Vec<Bson>,
    children: &[Bson],
    line: &[ElementPart],
    other_side: OtherSide,
) -> Vec<Bson> {
    let inner = line.first().map_or("", |part| part.to.as_str());
    let children = children.iter().filter_map(Bson::as_document);
    let lines: Vec<Bson> = children.map(|child| member_of(child, line)).collect();
    let mut left: HashMap<JoinKey, Bson> = HashMap::new();
    let mut order = Vec::new();
    for line in lines {
        let key = key_of_member(&line, inner);
        if left.insert(key.clone(), line).is_none() {
            order.push(key);
        }
    }
    let mut members = stored;
    members.retain(|element| {
        let has_child = left.remove(&key_of_member(element, inner)).is_some();
        has_child || other_side == OtherSide::Array
    });
    members.extend(order.iter().filter_map(|key| left.remove(key)));
    members
}

/// Builds the array element that represents a child.
pub(crate) fn member_of(child: &Document, line: &[ElementPart]) -> Bson {
    let mut element = Document::new();
    for part in line {
        let value = part.value_in(child);
        if part.to.is_empty() {
            return value.unwrap_or(Bson::Null);
        }
        if let Some(value) = value {
            element.insert(&part.to, value);
        }
    }
    element.into()
}

/// Returns the key that an array element contains.
pub(crate) fn key_of_member(element: &Bson, inner: &str) -> JoinKey {
    let key = match (inner, element) {
        ("", key) => Some(key),
        (inner, Bson::Document(element)) => value_at(element, inner),
        _ => None,
    };
    JoinKey::from(key.cloned().unwrap_or(Bson::Null))
}
