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
/// so the first fields of such an index must be those of the shard key. `tenant` is the tenant of the documents, which
/// the library adds as the first field.
///
/// # Errors
///
/// [`Error::Declaration`] for a unique index that does not begin with the shard key, or that has a collation.
pub(super) fn check_unique<'s>(
    mut indexes: impl Iterator<Item = &'s IndexSpec>,
    (key, tenant): (&Document, Option<&str>),
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
    let Some(spec) = indexes.find(|spec| !key.is_empty() && is_unique(spec) && !is_enforced(spec))
    else {
        return Ok(());
    };
    let first = spec.keys.keys().next().map(String::as_str);
    let remedy = match tenant {
        Some(tenant) if first == Some(tenant) && !key.contains_key(tenant) => {
            "write the tenant in `keys`, after the fields of the shard key"
        }
        _ => "put the fields of the shard key first and remove the collation",
    };
    Err(Error::Declaration(format!(
        "the unique index `{}` of `{}` ({}) does not begin with the shard key {}, or has a collation, so a cluster cannot \
         enforce it; {remedy}, or remove `unique`",
        spec.name,
        spec.collection,
        spec.origin,
        mongosh::document(key)
    )))
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;
    use crate::index::IndexOrigin;

    #[test]
    fn the_tenant_follows_the_shard_key_in_a_unique_index() {
        let check = |keys: Document| {
            let spec = IndexSpec {
                collection: "users".to_owned(),
                name: "by_email".to_owned(),
                keys,
                options: doc! { "unique": true },
                origin: IndexOrigin::Declared("User".to_owned()),
            };
            let key = doc! { "region": 1 };
            check_unique([&spec].into_iter(), (&key, Some("org")), None)
        };
        check(doc! { "region": 1, "org": 1, "email": 1 }).unwrap();
        for (keys, remedy) in [
            (
                doc! { "org": 1, "region": 1, "email": 1 },
                "write the tenant in `keys`, after the fields of the shard key",
            ),
            (doc! { "email": 1 }, "put the fields of the shard key first"),
        ] {
            let message = check(keys).unwrap_err().to_string();
            assert!(message.contains(remedy), "{message}");
        }
    }
}
