//! Rejects updates that write a field of the shard key.

use mongodb::options::UpdateModifications;

use super::{stage_writes, written_paths};
use crate::{
    error::{Error, Result},
    model::shape::ModelShape,
    value::path::overlap,
};

/// Checks that an update keeps the shard key. The server would have to move the document to another shard.
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
            stages.iter().any(|stage| stage_writes(stage, path))
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

/// Returns the error for a write that would change the shard key of a document.
pub(crate) fn changed_key(model: &'static ModelShape, path: &str) -> Error {
    let message = format!(
        "`{0}.{path}` is part of the shard key, which a write cannot change; delete the document and insert it with the \
         new value, in one transaction",
        model.name
    );
    Error::invalid(message).in_model(model)
}
