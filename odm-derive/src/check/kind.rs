//! Checks the kind of a model.

use crate::{
    error::Errors,
    ir::{Index, Kind, Record},
};

/// Checks that serde can read the struct from documents of its kind, and that all options are valid for a model that
/// has a kind.
pub(crate) fn kind(record: &Record, errors: &mut Errors) {
    match record.kind() {
        Some(kind) => {
            unread(record, kind, errors);
            written_by_others(record, kind, errors);
        }
        None => without_kind(record, errors),
    }
    for index in record.indexes() {
        sparse(record, index, errors);
    }
}

fn unread(record: &Record, kind: &Kind, errors: &mut Errors) {
    if record.strict && record.field_of_kind().is_none() {
        let (field, name) = (&kind.field, record.name());
        let message = format!(
            "documents of `{name}` have the field `{field}`, which `serde(deny_unknown_fields)` rejects; add the field \
             `{field}: String`, or remove `deny_unknown_fields`"
        );
        errors.at(&kind.written, message);
    }
}

fn written_by_others(record: &Record, kind: &Kind, errors: &mut Errors) {
    let Some(field) = record.field_of_kind() else {
        return;
    };
    let references = field.any_reference().map(|it| &it.attribute);
    for attribute in field.derived_by().into_iter().chain(references) {
        let message = format!(
            "`{}` stores the kind `{}`, so it cannot have `#[{attribute}]`; remove one of the two",
            field.name(),
            kind.value.value(),
        );
        errors.at(attribute, message);
    }
}

fn without_kind(record: &Record, errors: &mut Errors) {
    // The same embedded struct can be part of models that have a kind and of models that do not.
    if record.model().is_none() {
        return;
    }
    for word in record.indexes().filter_map(|it| it.all_kinds.as_ref()) {
        let remedy = "remove it, or write `kind(..)` in `#[model(..)]`";
        errors.at(word, format!("`all_kinds` needs a kind; {remedy}"));
    }
}

/// Rejects `sparse` on an index of a model that has a kind. The indexes of a model that has a kind are partial, and
/// MongoDB rejects an index that is both sparse and partial.
fn sparse(record: &Record, index: &Index, errors: &mut Errors) {
    if let (Some(sparse), None, Some(_)) = (&index.sparse, &index.all_kinds, record.kind()) {
        let remedy =
            "write `partial = r#\"{\"field\": {\"$exists\": true}}\"#` instead, or `all_kinds`";
        let message = format!(
            "an index of a kind is partial, and an index cannot be partial and `sparse`; {remedy}"
        );
        errors.at(sparse, message);
    }
}
