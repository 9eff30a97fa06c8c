//! Checks the shard key of a model.

use std::collections::HashSet;

use crate::{
    error::Errors,
    ir::{Field, IndexKey, IndexKind, MaintainedKind, Record},
};

/// Checks that the server accepts the key, and that no write of the library would change it.
pub(crate) fn shard_key(record: &Record, errors: &mut Errors) {
    let keys = record.model().map_or(&[][..], |model| &model.shard_key);
    let mut seen = HashSet::new();
    for key in keys {
        if !seen.insert(key.path.to_string()) {
            let message = format!("the shard key has `{}` twice; remove one of them", key.path);
            errors.at(&key.path, message);
        }
        let first = key.path.fields.first();
        if let Some(field) = first.and_then(|name| record.field(name)) {
            constant(field, key, errors);
            present(field, key, errors);
        }
    }
    let hashed = keys.iter().filter(|key| key.kind == IndexKind::Hashed);
    for again in hashed.skip(1) {
        let message = "a shard key has at most one hashed field; write 1 for the others";
        errors.at(&again.path, message);
    }
}

/// Rejects fields that the library writes after the insert. For such a write, the server would have to move the
/// document to a different shard.
fn constant(field: &Field, key: &IndexKey, errors: &mut Errors) {
    let kept = [
        MaintainedKind::CreatedAt,
        MaintainedKind::CreatedBy,
        MaintainedKind::Tenant,
    ];
    let kept = field.maintained.iter().filter(|it| kept.contains(&it.kind));
    let kept: Vec<_> = kept.map(|it| &it.attribute).collect();
    let derived = field.derived_by();
    let changed = derived.iter().find(|attribute| !kept.contains(attribute));
    if let Some(attribute) = changed {
        let message = format!(
            "the library changes `{}` (`#[{attribute}]`), but a shard key must not change; use a field that only your code \
             sets",
            field.name()
        );
        errors.at(&key.path, message);
    }
}

/// Rejects fields that can be absent, because a statement for a single document contains the values of all fields of
/// the shard key.
fn present(field: &Field, key: &IndexKey, errors: &mut Errors) {
    if field.flatten {
        let message = format!(
            "`{}` is flattened, and fields of a flattened struct cannot be part of the shard key; move the field to the model",
            field.name()
        );
        errors.at(&key.path, message);
    } else if field.left_out.is_some() {
        let message = format!(
            "`{}` can be missing in a document, but each document needs a value of the shard key; make the field required",
            field.name()
        );
        errors.at(&key.path, message);
    }
}
