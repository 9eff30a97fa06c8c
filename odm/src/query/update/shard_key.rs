//! Rejects updates that write a field of the shard key.

use mongodb::{
    bson::{Bson, Document},
    options::UpdateModifications,
};

use super::{stage_writes, written_paths};
use crate::{
    error::{Error, Result},
    model::{array_bound::replaced_paths, projection::includes, shape::ModelShape},
    value::path::{covers, overlap},
};

/// Checks that an update does not change the shard key. If the key changed, the server would have to move the document
/// to a different shard.
///
/// # Errors
///
/// [`Error::Invalid`] if the update writes a field of the shard key.
pub(crate) fn keep_shard_key(
    model: &'static ModelShape,
    update: &UpdateModifications,
) -> Result<()> {
    let writes = |path: &str| match update {
        UpdateModifications::Document(operators) => written_paths(operators)
            .iter()
            .any(|written| overlap(written, path)),
        UpdateModifications::Pipeline(stages) => {
            // The library adds the fields that it maintains to the new document.
            let mut maintained = model.maintained();
            let is_kept = maintained.any(|(field, _)| field.stored == path);
            let changes = |stage| stage_writes(stage, path) || !is_kept && drops(stage, path);
            stages.iter().any(changes)
        }
        _ => false,
    };
    // Updates of the `_id` have a message of their own.
    let mut key = model.shard_key_paths().filter(|path| path != "_id");
    match key.find(|path| writes(path)) {
        Some(path) => Err(changed_key(model, &path)),
        None => Ok(()),
    }
}

/// Whether a pipeline stage builds a new document that may lack the field or contain a different value.
fn drops(stage: &Document, path: &str) -> bool {
    let drops = |(name, argument): (&String, &Bson)| match (name.as_str(), argument) {
        ("$project", Bson::Document(fields)) => {
            includes(fields) && !fields.keys().any(|kept| covers(kept, path))
        }
        ("$replaceWith", root) => changes_root(root, path),
        ("$replaceRoot", Bson::Document(root)) => root
            .get("newRoot")
            .is_none_or(|root| changes_root(root, path)),
        _ => false,
    };
    stage.iter().any(drops)
}

fn changes_root(root: &Bson, path: &str) -> bool {
    let written = replaced_paths(root);
    written.is_none_or(|written| written.iter().any(|it| overlap(it, path)))
}

/// Returns the error for a write that would change the shard key of a document.
pub(crate) fn changed_key(model: &'static ModelShape, path: &str) -> Error {
    if model.tenant() == Some(path) {
        return changed_tenant(model);
    }
    let mut maintained = model.maintained();
    if maintained.any(|(field, _)| field.stored == path) {
        let message = format!(
            "`{0}.{path}` is part of the shard key, and the library sets it in the insert, so this write cannot change it; \
             keep the stored value",
            model.name
        );
        return Error::invalid(message).in_model(model);
    }
    let message = format!(
        "`{0}.{path}` is part of the shard key, which only `save` and `replace` with `.moving()` can change; set the field \
         in the struct, and call `.save(&odm).moving()`",
        model.name
    );
    Error::invalid(message).in_model(model)
}

/// Returns the error for a write that would change the tenant of a document.
pub(crate) fn changed_tenant(model: &'static ModelShape) -> Error {
    let (name, tenant) = (model.name, model.tenant().unwrap_or_default());
    let message = format!(
        "`{name}.{tenant}` is the tenant of the stored document, which a write cannot change; delete the document, and \
         insert it for the other tenant"
    );
    Error::invalid(message).in_model(model)
}
