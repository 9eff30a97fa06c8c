//! Checks copies of fields of other documents.
//!
//! The checks that depend on the types of references and sources are in `expand/type_checks/copy.rs`.

use proc_macro2::Ident;

use crate::{
    did_you_mean::{did_you_mean, listing},
    error::Errors,
    hygiene::{plain, text},
    ir::{Copy, Field, ModelPath, Record, Via},
};

/// Checks that each copy has exactly one source, as far as this is visible in the struct itself.
pub(crate) fn copies(record: &Record, errors: &mut Errors) {
    for (key, _) in record.references() {
        let is_key = |field: &Field| {
            let copy = field.copy.as_ref();
            copy.is_some_and(|copy| {
                record
                    .keys_of_copy(field, copy)
                    .any(|it| it.0.ident == key.ident)
            })
        };
        if record.fields.iter().any(is_key) {
            one_name(
                key,
                "connects copies with their source, and the library finds it by one name",
                errors,
            );
        }
    }
    for field in &record.fields {
        let Some(copy) = &field.copy else { continue };
        of_itself(record, field, copy, errors);
        as_array_or_reference(field, errors);
        match &copy.via {
            Some(Via::Field(via)) => via_field(record, field, via, errors),
            Some(Via::Model(via)) if is_field(record, via) => errors.at(
                via,
                format!("`via = \"{via}\"` is a path into a field, and the reference of a copy must be in the same struct as the copy; move the copy into the struct of `{}`", text(&via.model)),
            ),
            Some(Via::Model(via)) if record.model().is_none() => errors.at(
                via,
                format!("`{via}` refers to documents, and `{}` is only a part of one; move the copy into the model, or write a reference of this struct as `via`", record.name()),
            ),
            Some(Via::Model(_)) => {}
            None => some_reference(record, field, copy, errors),
        }
    }
}

/// Returns whether a path begins with a field of the struct instead of a model.
fn is_field(record: &Record, path: &ModelPath) -> bool {
    let ident = path.model.get_ident();
    ident.is_some_and(|ident| record.field(ident).is_some())
}

fn of_itself(record: &Record, field: &Field, copy: &Copy, errors: &mut Errors) {
    let here = copy.from.model.is_ident("Self") || copy.from.model.is_ident(&record.ident);
    let same = matches!(&copy.from.fields[..], [name] if plain(name) == field.name());
    if here && same {
        let message = format!(
            "`{}` is a copy of itself; write another field, or remove `denorm`",
            field.name()
        );
        errors.at(&copy.from, message);
    }
}

/// Rejects an `alias` on a field that the library reads and writes, because the library uses only the name that serde
/// writes.
pub(crate) fn one_name(field: &Field, reason: &str, errors: &mut Errors) {
    if let Some(alias) = &field.alias {
        let message = format!(
            "`{}` {reason}; rename the field in the stored documents (`$rename`), and remove `alias`",
            field.name()
        );
        errors.at(alias, message);
    }
}

/// Rejects options of a copy that must be declared on its source instead.
fn as_array_or_reference(field: &Field, errors: &mut Errors) {
    if let Some(max) = field.max() {
        let message = "the source of a copy has the bound; move `max` to the source";
        errors.at(&max.written, message);
    }
    let reference = field.reference.as_ref();
    if let Some(inverse) = reference.and_then(|reference| reference.inverse.as_ref()) {
        let message = "a copy of a reference has no inverse; write `inverse` at its source";
        errors.at(inverse, message);
    }
}

fn via_field(record: &Record, field: &Field, via: &Ident, errors: &mut Errors) {
    let name = plain(via);
    let Some(key) = record.field(via) else {
        errors.at(via, no_such_field(record, &name));
        return;
    };
    let message = match &key.reference {
        None => format!(
            "`{name}` in `via` is not a reference; add `#[refs(one)]` or `#[parent_ref]` to `{name}`"
        ),
        Some(_) if name == field.name() => {
            "`via` is the copy itself; write the reference to its source".to_owned()
        }
        Some(reference) if reference.is_many() => many_sources(&[&name]),
        Some(_) if key.copy.as_ref().is_some_and(|copy| !copy.snapshot) => copied_key(&name),
        Some(_) => return,
    };
    errors.at(via, message);
}

fn some_reference(record: &Record, field: &Field, copy: &Copy, errors: &mut Errors) {
    if record.keys_of_copy(field, copy).next().is_some() {
        return;
    }
    let many: Vec<_> = record.arrays_of_keys().map(Field::name).collect();
    let message = if many.is_empty() {
        no_reference(copy)
    } else {
        many_sources(&many.iter().map(String::as_str).collect::<Vec<_>>())
    };
    errors.at(&copy.attribute, message);
}

/// Returns the error message for a copy that depends on a reference that is itself a copy.
pub(crate) fn copied_key(name: &str) -> String {
    format!(
        "`{name}` in `via` is a copy and changes with its source; write a reference that is not a copy, or make it a `snapshot`"
    )
}

/// Returns the error message for a copy if the struct contains no reference to the copy's source.
pub(crate) fn no_reference(copy: &Copy) -> String {
    format!(
        "no field here refers to the source of `{}`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`",
        copy.from
    )
}

/// Returns the error message for a copy beside an array of keys. Such a copy would have many sources.
pub(crate) fn many_sources(names: &[&str]) -> String {
    let contain = if names.len() == 1 {
        "contains"
    } else {
        "contain"
    };
    format!(
        "{} {contain} many keys, but a copy has one source; move a reference and its copy into an `Embedded` struct, and write an array of it here",
        listing(names, "and")
    )
}

fn no_such_field(record: &Record, name: &str) -> String {
    let known: Vec<_> = record.fields.iter().map(Field::name).collect();
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    let remedy = did_you_mean(name, &known)
        .unwrap_or_else(|| "write a reference of this struct, or `Model.field`".to_owned());
    format!("`{}` has no field `{name}`; {remedy}", record.name())
}
