//! Checks the kind of a model.

use crate::{
    error::Errors,
    ir::{Index, Kind, MaintainedKind, Record},
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

/// Rejects `sparse` on an index to which the library adds a condition or the tenant. MongoDB rejects an index that is
/// both sparse and partial. A sparse index contains each document that has any of the keys. All documents have the
/// tenant, so the index would contain all documents.
fn sparse(record: &Record, index: &Index, errors: &mut Errors) {
    let Some(sparse) = &index.sparse else {
        return;
    };
    let partial = "`partial = r#\"{\"field\": {\"$exists\": true}}\"#`";
    let message = if record.kind().is_some() && index.all_kinds.is_none() {
        format!(
            "an index of a kind is partial, and an index cannot be partial and `sparse`; write {partial} instead, or \
             `all_kinds`"
        )
    } else if index.unique.is_some() && record.maintained_field(MaintainedKind::DeletedAt).is_some()
    {
        format!(
            "a unique index of a model with `#[deleted_at]` is partial, and an index cannot be partial and `sparse`; write \
             {partial} instead"
        )
    } else if index.expire_after_secs.is_none()
        && record.model().is_some_and(|model| model.tenant.is_some())
    {
        format!(
            "an index of a model with a tenant begins with the tenant, so a `sparse` index contains all documents; write \
             {partial} instead"
        )
    } else {
        return;
    };
    errors.at(sparse, message);
}
