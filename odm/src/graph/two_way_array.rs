//! Two-way arrays: folds that collect the keys of all documents that refer to the owner of the array.
//!
//! The library compares such an array as a set, so your code can choose the order of the elements. If both sides
//! store arrays, each array is a fold over the other side (`mirrored`), and has its own jobs and its own relation
//! (`courses.students <-> students.courses`). The module head of `derived/follow.rs` describes the protocol.

use super::{
    Copied, Derivation, ElementPart, ExtendedReference, Fold, KeyForm, StoredReference,
    fold::OtherSide, stored_reference::Inverse,
};
use crate::{
    model::shape::{FieldShape, ModelShape, ReferenceShape},
    value::path::ElementPath,
};

/// Returns the extended reference for an array that has an `inverse`. Returns `None` for all other references, and for
/// arrays inside an embedded struct.
pub(super) fn two_way_array(stored: &StoredReference) -> Option<Result<ExtendedReference, String>> {
    let inverse = stored.inverse.as_ref()?;
    let Inverse { field, back } = inverse;
    let (field, to) = (field.shape, field.path.clone());
    if !field.array || to != field.stored {
        return None;
    }
    let reference = field.reference.as_ref()?;
    let (model, child) = (stored.model, (reference.target)());
    let other_side = match inverse.form() {
        KeyForm::Array => OtherSide::Array,
        KeyForm::Single => OtherSide::Reference,
    };
    if back.arrays_above > 0 || back.shape.array && back.path != back.shape.stored {
        return None;
    }
    let returned = back.shape.reference.as_ref()?;
    let via = inverse.path_of_keys();
    let line = match line_of(field, reference, child) {
        Ok(line) => line,
        Err(reason) => return Some(Err(reason)),
    };
    let key = returned.target_path();
    if back.shape.array && (key != "_id" || reference.target_path() != "_id") {
        return Some(Err(format!(
            "it and `{}.{}` refer to each other by fields other than `_id`; remove `to` at both",
            child.name, back.shape.name
        )));
    }
    let copied = Copied {
        from: format!("each {}", reference.target_path()),
        reads: line.iter().map(|part| part.from.clone()).collect(),
        fold: Fold::Members {
            line,
            max: field.max,
            other_side,
        },
        filter: None,
        to,
        ..Copied::default()
    };
    let target = (model.into(), ElementPath::root(), key);
    Some(Ok(match other_side {
        OtherSide::Reference => {
            ExtendedReference::new(Derivation::Fold, target, (child.into(), via), vec![copied])
        }
        OtherSide::Array => ExtendedReference::mirror(target, (child.into(), via), copied),
    }))
}

/// Lists the fields that each array element contains. The first field is the key.
fn line_of(
    field: &'static FieldShape,
    reference: &ReferenceShape,
    child: &'static ModelShape,
) -> Result<Vec<ElementPart>, String> {
    let key = ElementPart::new((reference.inner)(), reference.target_path());
    let Some(embed) = field.embed else {
        return Ok(vec![key]);
    };
    let mut line = vec![key];
    for inner in embed().fields {
        match inner.copy_shape() {
            _ if Some(inner.stored) == line.first().map(|part| part.to.as_str()) => {}
            Some(copy)
                if (copy.source)().documents() == child.documents() && copy.keys.is_none() =>
            {
                line.push(ElementPart::new(inner.stored.to_owned(), (copy.path)()));
            }
            _ => {
                return Err(format!(
                    "the library adds an element when a `{}` refers to the document, and cannot compute its `{}`; store only the \
                     reference and copies of the `{0}` in it, and other fields in the `{0}`",
                    child.name, inner.name
                ));
            }
        }
    }
    Ok(line)
}
