//! Finds the references that the keys in a field represent.

use super::address;
use crate::{
    graph::{graph, stored_reference::inverse_of},
    model::shape::{FieldShape, ModelShape, OnDelete, ReferenceShape, StoredField},
    schema::data::{Cardinality, ReferenceSchema},
    value::path::join,
};

/// The properties of a field that follow from the fields around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Above {
    /// Whether one of the outer fields is an array.
    many: bool,
    /// Whether one of the outer fields can be missing.
    optional: bool,
    /// The reference that one of the outer fields declares, and the rest of the path to its keys.
    reference: Option<(&'static ReferenceShape, String)>,
    exists: bool,
}

impl Above {
    /// Returns the properties of the fields inside this field. The properties follow from this field
    /// and the fields around it.
    pub(super) fn inside(&self, shape: &'static FieldShape, stored: &str) -> Self {
        let own = shape.reference.as_ref();
        let declared = own.map(|reference| (reference, (reference.inner)()));
        let passed = self.reference.as_ref();
        let passed =
            passed.and_then(|(reference, inner)| Some((*reference, rest_below(inner, stored)?)));
        Self {
            many: self.many || shape.array,
            optional: self.optional || shape.optional,
            // If several fields declare a reference, the outermost declaration applies, as it does for
            // methods and delete rules.
            reference: passed.or(declared),
            exists: self.exists || shape.exists,
        }
    }

    /// Returns the reference that an outer field declares, if this field contains its keys.
    fn of_key(&self, stored: &str) -> Option<&'static ReferenceShape> {
        let (reference, inner) = self.reference.as_ref()?;
        (inner == stored).then_some(*reference)
    }
}

/// Removes a field's name from the beginning of a path. Returns `None` if the path does not begin with
/// the name.
fn rest_below(path: &str, stored: &str) -> Option<String> {
    if stored.is_empty() {
        return Some(path.to_owned());
    }
    Some(path.strip_prefix(stored)?.strip_prefix('.')?.to_owned())
}

/// Lists the references that the keys in a field represent.
pub(super) fn references(
    model: &'static ModelShape,
    shape: &'static FieldShape,
    path: &str,
    above: &Above,
) -> Vec<ReferenceSchema> {
    let many = above.many || shape.array;
    let single = |optional| match (many, optional) {
        (true, _) => Cardinality::Many,
        (false, true) => Cardinality::ZeroOrOne,
        (false, false) => Cardinality::One,
    };
    let exists = shape.exists || above.exists;
    let targets = shape.targets.iter().map(|of| {
        let (target, key) = ((of.model)(), (of.key)());
        ReferenceSchema {
            kind: None,
            // A key refers to only one of the targets. So for each target, there is one document or
            // none.
            cardinality: single(shape.optional || above.optional || shape.targets.len() > 1),
            referrers: Cardinality::Many,
            inverse: None,
            on_delete: OnDelete::Keep,
            exists,
            stored_as: of.kinds.iter().map(|&kind| kind.to_owned()).collect(),
            to: address(target, key),
        }
    });
    // If the keys are inside a struct, the field that contains the keys represents the reference.
    let holds_keys = |reference: &&ReferenceShape| (reference.inner)().is_empty();
    let own = shape.reference.as_ref().filter(holds_keys).map(|own| {
        let (target, key) = ((own.target)(), own.target_path());
        let outer = above.of_key(shape.stored).unwrap_or(own);
        let inverse = [outer, own]
            .into_iter()
            .find_map(|it| inverse_of(model, it));
        let mut rules = graph().rules(target.documents());
        let rule = rules.find(|rule| {
            rule.model.documents() == model.documents()
                && rule.path() == path
                && rule.target.path == key
        });
        ReferenceSchema {
            kind: Some(outer.kind),
            cardinality: single(shape.optional || above.optional),
            referrers: referrers(model, target, path, inverse.as_ref()),
            inverse: inverse.as_ref().map(path_of_keys),
            on_delete: rule.map_or(own.on_delete, |rule| rule.on_delete),
            exists: exists || rule.is_some_and(|rule| graph().checked_rule(rule).is_some()),
            stored_as: Vec::new(),
            to: address(target, key),
        }
    });
    targets.chain(own).collect()
}

/// Returns the number of documents of this model that can refer to one document of the target.
fn referrers(
    model: &ModelShape,
    target: &ModelShape,
    path: &str,
    inverse: Option<&StoredField>,
) -> Cardinality {
    let has_one = target.has_many.iter().any(|relation| {
        relation.single && (relation.target)().overlaps(model) && (relation.path)() == path
    });
    match inverse {
        Some(back) if !back.shape.array => Cardinality::ZeroOrOne,
        _ if has_one => Cardinality::ZeroOrOne,
        _ => Cardinality::Many,
    }
}

/// Returns the stored path of the keys in a field.
fn path_of_keys(field: &StoredField) -> String {
    let reference = field.shape.reference.as_ref();
    let inner = reference.map_or_else(String::new, |reference| (reference.inner)());
    join(&field.path, &inner)
}
