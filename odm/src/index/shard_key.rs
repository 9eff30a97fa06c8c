//! The index of a shard key, and the unique indexes that a sharded cluster can enforce.

use mongodb::bson::Document;

use super::{
    serves_reference::has_simple_collation,
    spec::{IndexSpec, direction},
};
use crate::{
    error::{Error, Result},
    model::shape::ModelShape,
    mongosh,
};

/// Returns the fields of a model's shard key as the server stores them, such as `{ host: 1, _id: "hashed" }`. The document
/// is empty if the model does not have a shard key.
pub(crate) fn shard_key(model: &ModelShape) -> Document {
    let keys = model.shard_keys().iter();
    keys.map(|key| ((key.path)(), direction(key.kind)))
        .collect()
}

/// Checks that a cluster can enforce the unique indexes of a collection. Each shard can check only its own documents,
/// so the first fields of such an index must be those of the shard key.
///
/// # Errors
///
/// [`Error::Declaration`] for a unique index that does not begin with the shard key, or that has a collation.
pub(super) fn check_unique<'s>(
    mut indexes: impl Iterator<Item = &'s IndexSpec>,
    key: &Document,
    default: Option<&Document>,
) -> Result<()> {
    // Documents with the same values are on the same shard, even if the shard key is hashed or the index is descending.
    // With a collation, different texts can be the same value.
    let is_enforced = |spec: &IndexSpec| {
        let (index, mut names) = (&spec.keys, key.keys().zip(spec.keys.keys()));
        index.len() >= key.len()
            && names.all(|(wanted, found)| wanted == found)
            && has_simple_collation(spec, default)
    };
    let is_unique = |spec: &IndexSpec| spec.options.contains_key("unique");
    match indexes.find(|spec| !key.is_empty() && is_unique(spec) && !is_enforced(spec)) {
        None => Ok(()),
        Some(spec) => Err(Error::Declaration(format!(
            "the unique index `{}` of `{}` ({}) does not begin with the shard key {}, or has a collation, so a cluster cannot \
             enforce it; put the fields of the shard key first and remove the collation, or remove `unique`",
            spec.name,
            spec.collection,
            spec.origin,
            mongosh::document(key)
        ))),
    }
}
