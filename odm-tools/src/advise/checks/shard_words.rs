//! Texts about shard keys.

use mongo_odm::__tools::{Sharding, mongosh_document};
use mongodb::bson::{Document, doc};

use crate::advise::{seen::SeenCollection, subject::ModelField};

/// Returns the attribute that declares a shard key, and the model to which it belongs.
pub(super) fn declaration(seen: &SeenCollection, key: &Document) -> String {
    let attribute = Sharding::attribute(key);
    match seen.models.first() {
        Some(model) => format!("`#[model({attribute})]` at `{}`", model.name),
        None => format!("`#[model({attribute})]` at the model of `{}`", seen.name),
    }
}

/// Returns the remedy text that recommends a different shard key for a collection.
pub(super) fn other_key(seen: &SeenCollection, key: &Document) -> String {
    let written = declaration(seen, key);
    if seen.key_on_server().is_none() {
        return format!("{written}, before the collection is sharded");
    }
    format!(
        "{written}, and `sh.reshardCollection(\"{}\", {})`",
        namespace(seen),
        mongosh_document(key)
    )
}

/// Returns the name of the collection with its database.
pub(super) fn namespace(seen: &SeenCollection) -> String {
    format!("{}.{}", seen.database.name, seen.name)
}

/// Returns a shard key or its values as code, such as `{ host: 1 }`.
pub(super) fn shown(key: &Document) -> String {
    format!("`{}`", mongosh_document(key))
}

/// Proposes a shard key: the first required reference to one document, or the hash of the `_id`.
pub(super) fn proposal(seen: &SeenCollection) -> Document {
    reference(seen).map_or_else(|| doc! { "_id": "hashed" }, |path| doc! { path: 1 })
}

/// Returns the stored path of the first reference that can be a shard key.
pub(super) fn reference(seen: &SeenCollection) -> Option<String> {
    let mut fields = seen.fields.iter().filter(|field| {
        let shape = field.stored.shape;
        let is_one = !field.is_many() && !shape.array && field.stored.arrays_above == 0;
        is_one && !shape.optional
    });
    fields.find_map(|field| Some(field.reference()?.1))
}

/// Whether a reference is stored at a path.
pub(super) fn is_reference(seen: &SeenCollection, path: &str) -> bool {
    let mut references = seen.fields.iter().filter_map(ModelField::reference);
    references.any(|(_, keys)| keys == path)
}
