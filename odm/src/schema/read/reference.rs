//! Converts the references of a model.

use super::address;
use crate::{
    graph::{DanglingKeys, KeyForm, StoredReference, graph, stored_reference::Inverse},
    schema::data::{Cardinality, ReferenceSchema},
};

/// Returns a description of the reference for each of its targets.
pub(super) fn references(reference: &StoredReference) -> impl Iterator<Item = ReferenceSchema> {
    // The delete rule or `exists` can be declared by another model of the same documents.
    let mut stored = graph().stored.iter();
    let declared = stored.find(|it| it.relation == reference.relation);
    let declared = declared.unwrap_or(reference);
    // A polymorphic key refers to only one of the targets. So a document refers to at most one document of each target.
    let optional = reference.optional || reference.targets().count() > 1;
    let cardinality = match (reference.keys_in_document(), optional) {
        (KeyForm::Array, _) => Cardinality::Many,
        (KeyForm::Single, true) => Cardinality::ZeroOrOne,
        (KeyForm::Single, false) => Cardinality::One,
    };
    let inverse = reference.inverse.as_ref();
    reference.targets().map(move |target| {
        let has_one = target.model.has_many.iter().any(|relation| {
            relation.single && reference.is_at((relation.target)(), &(relation.path)())
        });
        let referrers = match inverse.map(Inverse::form) {
            Some(KeyForm::Single) => Cardinality::ZeroOrOne,
            _ if has_one => Cardinality::ZeroOrOne,
            Some(KeyForm::Array) | None => Cardinality::Many,
        };
        ReferenceSchema {
            kind: reference.attribute,
            cardinality,
            referrers,
            inverse: inverse.map(Inverse::path_of_keys),
            on_delete: declared.on_delete,
            exists: declared.dangling_keys() == DanglingKeys::Rejected,
            stored_as: target.kinds.iter().map(|&kind| kind.to_owned()).collect(),
            to: address(target.model, target.path.clone()),
        }
    })
}
