//! Checks the names of collections, ids and stored fields.

use std::collections::HashMap;

use syn::Type;

use crate::{
    error::Errors,
    hygiene::{is_id_name, text},
    ir::{Field, Record},
};

/// Checks that the stored names are valid and that each occurs only once.
pub(crate) fn stored_names(record: &Record, errors: &mut Errors) {
    let mut seen: HashMap<&str, String> = HashMap::new();
    for field in record.fields.iter().filter(|field| !field.flatten) {
        stored_name(field, errors);
        if let Some(first) = seen.get(field.stored.as_str()) {
            let stored = &field.stored;
            errors.at(
                &field.named_by,
                format!(
                    "`{}` and `{first}` are both stored as `{stored}`; rename one of them",
                    field.name()
                ),
            );
        } else {
            seen.insert(&field.stored, field.name());
        }
    }
}

fn stored_name(field: &Field, errors: &mut Errors) {
    let stored = &field.stored;
    let reason = if stored.is_empty() {
        "is empty"
    } else if stored.starts_with('$') {
        "starts with `$`, which marks operators"
    } else if stored.contains('.') {
        "has a `.`, which separates the parts of a path"
    } else if stored.contains('\0') {
        "has a NUL, which ends a name"
    } else {
        return;
    };
    let message = format!("the stored name of `{}` {reason}; rename it", field.name());
    errors.at(&field.named_by, message);
}

/// Rejects borrowed types, because a struct must own the values that serde reads from a document.
pub(crate) fn owned(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        let Type::Reference(borrowed) = &field.ty else {
            continue;
        };
        let owned = match &*borrowed.elem {
            Type::Slice(slice) => format!("Vec<{}>", text(&slice.elem)),
            other if text(other) == "str" => "String".to_owned(),
            other => text(other),
        };
        let message = format!(
            "`{}.{}` borrows its value, but a document owns its values; write `{owned}`",
            record.name(),
            field.name()
        );
        errors.at(&field.ty, message);
    }
}

/// Checks that the server and the library accept the collection's name.
pub(crate) fn collection(record: &Record, errors: &mut Errors) {
    let Some(collection) = record.model().and_then(|model| model.collection.as_ref()) else {
        return;
    };
    let name = collection.value();
    let reason = if name.is_empty() {
        "`collection` is empty; name the collection that stores the documents"
    } else if name.contains('$') || name.contains('\0') {
        "`collection` has a `$` or a NUL, which the server refuses; choose another name"
    } else if name.starts_with("system.") {
        "`collection` starts with `system.`, which the server reserves; choose another name"
    } else if name.starts_with("_odm_") {
        "`collection` starts with `_odm_`, as the collections of the library do; choose another name"
    } else if name.contains('[') {
        "`collection` has a `[`, which starts the kind in the names of relations; choose another name"
    } else {
        return;
    };
    errors.at(collection, reason);
}

/// Checks that a model has an id, and that the id does not have a codec.
pub(crate) fn id(record: &Record, errors: &mut Errors) {
    if record.model().is_none() {
        return;
    }
    let Some(id) = record.id_field() else {
        no_id(record, errors);
        return;
    };
    if let Some(codec) = &id.codec {
        let remedy = "make it a newtype with `impl Key`";
        errors.at(
            &codec.written,
            format!(
                "`{}.{}` is an id, which cannot have a codec; {remedy}",
                record.name(),
                id.name()
            ),
        );
    }
    if let Some(left_out) = &id.left_out {
        let message = "the id must always be stored, because the server would choose another one; remove \
                       `skip_serializing_if`";
        errors.at(left_out, message);
    }
    if let Some(index) = &id.index {
        let message = "`_id` has a unique index already; remove `#[index]`";
        errors.at(&index.attribute, message);
    }
}

fn no_id(record: &Record, errors: &mut Errors) {
    let name = record.name();
    let mut skipped = record.skipped.iter();
    if let Some(skipped) = skipped.find(|field| is_id_name(&field.name())) {
        let message = format!(
            "serde skips `{0}`, but the id of a document must be stored; remove the `skip` above `{0}`",
            skipped.name()
        );
        errors.at(&skipped.ident, message);
        return;
    }
    let meant = |name: &&Field| ["_id", "id"].contains(&name.name().as_str());
    let Some(field) = record.fields.iter().find(meant) else {
        let flattened = record.fields.iter().find(|field| field.flatten);
        let flattened = flattened.map(|field| {
            let field = field.name();
            format!(", to the model itself and not to the flattened `{field}`")
        });
        let flattened = flattened.unwrap_or_default();
        let remedy = format!("add `#[serde(rename = \"_id\")] id: Id<{name}>`{flattened}");
        errors.at(&record.ident, format!("model `{name}` has no id; {remedy}"));
        return;
    };
    let (field_name, stored) = (field.name(), &field.stored);
    let message = format!(
        "serde stores `{field_name}` as `{stored}`, but the id of a document must be in `_id`; write `#[serde(rename = \"_id\")]` \
         above `{field_name}`"
    );
    errors.at(&field.named_by, message);
}
