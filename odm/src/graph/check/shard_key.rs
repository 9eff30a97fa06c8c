//! Rejects declarations that a sharded cluster cannot carry out.

use std::sync::Arc;

use super::Problem;
use crate::{
    graph::{ExtendedReference, StoredReference},
    model::shape::{Maintained, ModelShape, OnDelete, StoredField, walk},
    value::path::{covers, overlap},
};

/// Finds these mistakes:
///
/// - Models of one collection with different shard keys.
/// - A delete rule that would remove a reference that is part of the shard key.
/// - A copy, a snapshot or a summary inside the shard key.
/// - A field of the shard key that can be missing, null or an array. The derive checks only the fields of the model
///   itself.
pub(in crate::graph) fn find<'g>(
    models: &[&'static ModelShape],
    stored: &[StoredReference],
    copies: impl Iterator<Item = &'g Arc<ExtendedReference>>,
) -> Vec<Problem> {
    let different = models.iter().filter_map(|model| different(model, models));
    let removed = stored.iter().filter_map(removed_key);
    let derived = copies.filter_map(|it| derived_key(it));
    let absent = models.iter().filter_map(|model| absent_key(model));
    different
        .chain(removed)
        .chain(derived)
        .chain(absent)
        .collect()
}

fn absent_key(model: &'static ModelShape) -> Option<Problem> {
    let key: Vec<String> = model.shard_key_paths().collect();
    let is_part = |field: &StoredField| key.iter().any(|path| covers(&field.path, path));
    let can_be_absent = |field: &StoredField| {
        let shape = field.shape;
        let form = shape.form.map(|form| form());
        shape.array
            || shape.optional
            || shape.skips.is_some()
            || form.is_some_and(|form| form.is_nullable_or_array())
    };
    let fields = walk(model.fields).into_iter();
    // The library stores a tenant even if the field of the struct is null.
    let is_tenant =
        |field: &StoredField| matches!(field.shape.maintained, Some(Maintained::Tenant(_)));
    let mut fields =
        fields.filter(|field| field.path != "_id" && !is_tenant(field) && is_part(field));
    let field = fields.find(can_be_absent)?;
    Some(Problem {
        collections: vec![model.collection],
        message: format!(
            "`{}.{}` is part of the shard key, but can be missing, null or an array; make it a required single value, without \
             `skip_serializing_if`",
            model.name, field.path
        ),
    })
}

fn different(model: &'static ModelShape, models: &[&'static ModelShape]) -> Option<Problem> {
    let key = key_of(model);
    if key.is_empty() {
        return None;
    }
    let mut others = models.iter().filter(|it| it.collection == model.collection);
    // A pair of models that both have a shard key is reported only once.
    let other = others.find(|it| {
        let other = key_of(it);
        other.is_empty() || (other != key && it.name > model.name)
    })?;
    Some(Problem {
        collections: vec![model.collection],
        message: format!(
            "`{}` and `{}` are in the collection `{}`, but have different shard keys; declare the same `shard_key(..)` in \
             both",
            model.name, other.name, model.collection
        ),
    })
}

/// Lists the fields of a shard key, each with its order or type.
fn key_of(model: &'static ModelShape) -> Vec<(String, crate::model::shape::IndexKind)> {
    let keys = model.shard_keys().iter();
    keys.map(|key| ((key.path)(), key.kind)).collect()
}

fn removed_key(reference: &StoredReference) -> Option<Problem> {
    let rule = match reference.on_delete {
        OnDelete::Nullify => "nullify",
        OnDelete::Pull => "pull",
        _ => return None,
    };
    let path = reference.path();
    let mut key = reference.model.shard_key_paths();
    key.any(|it| overlap(&it, &path)).then(|| Problem {
        collections: vec![reference.model.collection],
        message: format!(
            "`{}` is part of the shard key, which a write cannot change, but has `on_delete = \"{rule}\"`; write \
             `on_delete = \"restrict\"` or \"cascade\"",
            reference.title
        ),
    })
}

fn derived_key(reference: &ExtendedReference) -> Option<Problem> {
    let target = reference.target.linked()?;
    let key: Vec<String> = target.shard_key_paths().collect();
    let mut copies = reference.copy_paths();
    let path = copies.find(|copy| key.iter().any(|it| overlap(it, copy)))?;
    Some(Problem {
        collections: vec![target.collection],
        message: format!(
            "`{}.{path}` is part of the shard key, which a write cannot change, but the library writes it (`{}`); choose \
             another key",
            target.name, reference.name
        ),
    })
}
