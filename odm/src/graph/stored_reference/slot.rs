//! Reads the keys of references from documents.

use mongodb::bson::{RawBsonRef, RawDocument};

use super::StoredReference;
use crate::graph::KeyForm;
use crate::value::{
    key::JoinKey,
    path::{join, raw_value_at},
};

/// A key that a document stores, and the target that it refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StoredSlot {
    /// The position of the target model in the reference's list of targets.
    pub target: usize,
    /// The key, which may be null.
    pub key: JoinKey,
}

impl StoredSlot {
    /// Reads a slot. Returns `None` if the value is a struct that may belong to another model in the same collection.
    pub(crate) fn read(
        reference: &StoredReference,
        target: usize,
        value: Option<RawBsonRef<'_>>,
    ) -> Option<Self> {
        let key = match value {
            Some(RawBsonRef::Document(_)) if !reference.is_alone() => return None,
            value => value.map_or(JoinKey::NULL, JoinKey::from_raw),
        };
        Some(Self { target, key })
    }
}

/// Calls a function for each slot in a document. The function also receives the slot's path, such as
/// `orders.0.lines.3.part`.
pub(crate) fn each_slot(
    reference: &StoredReference,
    document: &RawDocument,
    found: &mut dyn FnMut(String, StoredSlot),
) {
    let place = &reference.place;
    let relative = place.relative(&reference.key);
    place.each_element(document, &mut |positions, element| {
        let kind = reference.kind.as_ref();
        let kind = kind.and_then(|kind| raw_value_at(element, &place.relative(kind)));
        let Some(target) = reference.target_of(kind.and_then(RawBsonRef::as_str)) else {
            return;
        };
        let path = join(&place.element_at(positions), &relative);
        let value = raw_value_at(element, &relative);
        let mut hand_over = |path, value| {
            if let Some(slot) = StoredSlot::read(reference, target, value) {
                found(path, slot);
            }
        };
        match (reference.form, value) {
            (KeyForm::Array, Some(RawBsonRef::Array(items))) => {
                for (at, item) in items.into_iter().flatten().enumerate() {
                    hand_over(format!("{path}.{at}"), Some(item));
                }
            }
            (KeyForm::Array, None | Some(RawBsonRef::Null)) => {}
            (_, value) => hand_over(path, value),
        }
    });
}
