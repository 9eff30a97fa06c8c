//! Checks relations for which other models store the reference: `has_many` and `has_one`.
//!
//! The check that the other model's reference refers to the key in this struct is in
//! `expand/type_checks/reverse.rs`.

use proc_macro2::Ident;

use crate::{
    did_you_mean::did_you_mean,
    error::Errors,
    hygiene::plain,
    ir::{Field, Polymorphic, Record, Reverse},
};

/// Checks that the derive can determine the field that other documents use to refer to this struct.
pub(crate) fn keys(record: &Record, errors: &mut Errors) {
    for relation in &record.reverse {
        match &relation.key {
            Some(key) if record.model().is_some() => {
                let message = "a model is referred to by its `_id`, or by the field in the `to` of the reference; remove `key`";
                errors.at(key, message);
            }
            Some(key) => named(record, key, errors),
            None if record.model().is_none() && record.key_of(relation).is_none() => {
                errors.at(&relation.name, absent(record, relation));
            }
            None => {}
        }
    }
}

/// Checks that the field in `key` exists and does not have a codec.
fn named(record: &Record, key: &Ident, errors: &mut Errors) {
    let Some(field) = record.field(key) else {
        let known: Vec<_> = record.fields.iter().map(Field::name).collect();
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let (name, record) = (plain(key), record.name());
        let remedy = did_you_mean(&name, &known)
            .unwrap_or_else(|| "write the field in the `to` of the reference".to_owned());
        errors.at(key, format!("`{record}` has no field `{name}`; {remedy}"));
        return;
    };
    if field.codec.is_some() || field.flatten {
        let remedy = "write a field without `with` and `flatten`";
        let (record, name) = (record.name(), field.name());
        let message = format!(
            "`{record}.{name}` is a key, which cannot have a codec or be flattened; {remedy}"
        );
        errors.at(key, message);
    }
}

fn absent(record: &Record, relation: &Reverse) -> String {
    let (name, path) = (plain(&relation.name), &relation.path);
    let key = format!("write `key = \"field\"` with the field in the `to` of `{path}`");
    if record.is_projection() {
        return format!(
            "`{name}` needs the key in `{path}`; add the `_id` to the projection, or {key}"
        );
    }
    format!("`{name}` needs a key, and an embedded struct has no id; {key}")
}

/// Rejects `has_many` and `has_one` on an enum of references, which does not have a key of its own.
pub(crate) fn polymorphic(of: &Polymorphic, errors: &mut Errors) {
    for relation in &of.record.reverse {
        let title = relation.title();
        let message = format!(
            "an enum of references has no key of its own; write `{title}` at one of its models"
        );
        errors.at(&relation.name, message);
    }
}
