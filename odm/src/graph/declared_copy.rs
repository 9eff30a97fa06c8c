//! Creates an extended reference for a field with `#[denorm]`, or reports a mistake in its declaration.

use super::{Absence, Copied, Derivation, ExtendedReference, KeyOwner, Orphan};
use crate::{
    model::shape::{CopyShape, FieldShape, ModelShape, OnDelete, ReferenceShape},
    value::path::{ElementPath, join},
};

/// Returns an extended reference that contains only the copy declared by the given field.
pub(super) fn declared_copy(
    model: &'static ModelShape,
    siblings: &'static [FieldShape],
    (field, copy): (&'static FieldShape, &'static CopyShape),
    place: &ElementPath,
) -> Result<ExtendedReference, String> {
    let source = (copy.source)();
    let (key, source_key) = key_of(siblings, copy, place)?;
    let derivation = match copy.keys {
        Some(_) => Derivation::ReferrerCopy,
        None => Derivation::Copy,
    };
    // If the source stores the key, the key refers to the whole document that contains the copy, even if the copy is
    // inside an embedded struct.
    let (place, to, is_emptied) = match derivation.key_owner() {
        KeyOwner::Source => (ElementPath::root(), place.path(field.stored), true),
        KeyOwner::Target => {
            let is_emptied = copy.on_delete == OnDelete::Nullify;
            (place.clone(), field.stored.to_owned(), is_emptied)
        }
    };
    // A snapshot keeps its value when its source is deleted, so it never becomes null.
    let optional = field.optional && !copy.snapshot;
    let from = (copy.path)();
    let copied = Copied {
        reads: vec![from.clone()],
        from,
        to,
        optional,
        absence: if field.may_be_missing() {
            Absence::Allowed
        } else {
            Absence::Undecodable
        },
        orphan: if optional && is_emptied {
            Orphan::Emptied
        } else {
            Orphan::Kept
        },
        skips: field.skips,
        ..Copied::default()
    };
    let name = format!("{}.{} <- {}", model.name, place.path(&key), source.name);
    let (target, source) = ((model.into(), place, key), (source.into(), source_key));
    let mut reference = ExtendedReference::new(derivation, target, source, vec![copied]);
    if reference.source_key == "_id" {
        reference.name = name;
    }
    Ok(reference)
}

/// Returns the path of the key in the struct that contains the copy, and the path of the source's field with which the
/// key is compared.
fn key_of(
    siblings: &'static [FieldShape],
    copy: &'static CopyShape,
    place: &ElementPath,
) -> Result<(String, String), String> {
    match copy.keys {
        Some(_) if !place.arrays.is_empty() => Err(
            "the key in the source stands for whole documents, so the copy cannot be in an array; \
             move it to the model"
                .to_owned(),
        ),
        Some(keys) => Ok(((keys.in_target)(), (keys.in_source)())),
        None => reference_beside(siblings, copy, (copy.source)()),
    }
}

/// Finds the field beside a copy that refers to the copy's source. Returns the path of the key, and the path of the
/// source's field with which the key is compared.
fn reference_beside(
    siblings: &'static [FieldShape],
    copy: &CopyShape,
    source: &'static ModelShape,
) -> Result<(String, String), String> {
    let leads = |field: &&'static FieldShape| {
        let reference = field.reference.as_ref();
        let target = reference.map(|reference| (reference.target)());
        target.is_some_and(|target| same_model(target, source))
            && copy
                .via
                .map_or(!field.array && field.copy_shape().is_none(), |via| {
                    via == field.name
                })
    };
    let found: Vec<_> = siblings.iter().filter(leads).collect();
    match (found.as_slice(), copy.via) {
        ([field], _) if field.array => Err(format!(
            "`{}` holds many keys, and one copy has one source; copy inside the array, beside each key",
            field.name
        )),
        ([field], _) => {
            let reference = field.reference.as_ref();
            let inner = reference.map_or_else(String::new, |reference| (reference.inner)());
            let source_key = reference.map_or_else(String::new, ReferenceShape::target_path);
            Ok((join(field.stored, &inner), source_key))
        }
        ([], Some(via)) => Err(format!(
            "`{via}` does not refer to `{}`; name a reference to it in `via`",
            source.name
        )),
        ([], None) => Err(format!(
            "no field beside it refers to `{0}`; add a reference, or name the one in the source with \
             `via = \"{0}.field\"`",
            source.name
        )),
        (several, _) => {
            let names: Vec<_> = several
                .iter()
                .map(|field| format!("`{}`", field.name))
                .collect();
            Err(format!(
                "{} all refer to `{}`; say which one with `via = \"..\"`",
                names.join(", "),
                source.name
            ))
        }
    }
}

/// Models are compared by name, not by address, because the compiler may create several copies of a constant.
fn same_model(left: &ModelShape, right: &ModelShape) -> bool {
    left.name == right.name && left.documents() == right.documents()
}
