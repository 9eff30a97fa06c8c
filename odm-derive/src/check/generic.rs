//! Checks generic structs.

use crate::{
    containers::opaque_container,
    error::Errors,
    hygiene::{plain, written_id},
    ir::{Field, Record},
};

/// Rejects type parameters in fields that the library writes, and in most references. The derive does not emit checks
/// on types that contain parameters (see `expand/generics.rs`), so it could not report wrong types.
pub(crate) fn parameters(record: &Record, errors: &mut Errors) {
    if !record.is_generic() {
        return;
    }
    for field in &record.fields {
        if !record.is_of_parameter(&field.ty) {
            continue;
        }
        for attribute in field.derived_by() {
            let message = format!(
                "`{}` cannot be on a field with a parameter of `{}` in its type; write the type of the source, or a struct without \
                 parameters",
                plain(attribute),
                record.name()
            );
            errors.at(attribute, message);
        }
        reference(record, field, errors);
        container(record, field, errors);
    }
}

/// Rejects type parameters inside containers in which the library does not find structs. The parameter could be a
/// struct with copies.
fn container(record: &Record, field: &Field, errors: &mut Errors) {
    let container = opaque_container(&field.ty).filter(|_| field.codec.is_none());
    if let Some(container) = container.filter(|ty| record.is_of_parameter(ty)) {
        let message = format!(
            "`{}.{}` has a parameter of `{0}` inside a container in which the library does not find structs; use a `Vec` or an \
             `Option`, or a struct without parameters",
            record.name(),
            field.name()
        );
        errors.at(container, message);
    }
}

/// Rejects a reference that has a parameter in its type, unless the type contains an `Id<T>`. An `Id<T>` is
/// permitted, because it determines its own model.
fn reference(record: &Record, field: &Field, errors: &mut Errors) {
    let Some(reference) = field.any_reference() else {
        return;
    };
    let is_id = written_id(&field.ty).is_some() && reference.to.is_none();
    if !is_id || field.polymorphic.is_some() {
        let message = format!(
            "a reference with a parameter in its type must be an `Id<T>`; write `Id<T>` with `T: Model`, or a struct without \
             parameters instead of `{}`",
            record.name()
        );
        errors.at(&reference.attribute, message);
    }
}
