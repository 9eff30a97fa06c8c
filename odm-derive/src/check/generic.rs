//! Structs with parameters.

use crate::{
    error::Errors,
    hygiene::{plain, written_id},
    ir::{Field, Record},
};

/// What the library writes or follows is of a type that the derive can see.
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
                "`{}` needs a type that the derive can see, and this one has a parameter of `{}`; write the type of the source, or a \
                 struct without parameters",
                plain(attribute),
                record.name()
            );
            errors.at(attribute, message);
        }
        reference(record, field, errors);
    }
}

/// A reference names its model: by `Id<T>`, of which the parameter is the model.
fn reference(record: &Record, field: &Field, errors: &mut Errors) {
    let Some(reference) = field.any_reference() else {
        return;
    };
    let is_id = written_id(&field.ty).is_some() && reference.to.is_none();
    if !is_id || field.polymorphic.is_some() {
        let message = format!(
            "a reference in a struct with parameters is an `Id<T>` of one of them, or of a type without parameters; write `Id<T>` with \
             `T: Model`, or a struct of its own in the place of `{}`",
            record.name()
        );
        errors.at(&reference.attribute, message);
    }
}
