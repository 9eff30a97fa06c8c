//! Statements that change one document of a sharded collection.

use mongodb::{
    bson::{Bson, Document},
    options::UpdateModifications,
};

/// A statement that changes at most one document.
pub(crate) struct OneDocument<'c, R> {
    /// The filter of the statement.
    pub(crate) filter: &'c mut Document,
    pub(crate) target: Target,
    /// The reply if no document matches.
    pub(crate) unmatched: R,
    /// The option `upsert` of the statement, if its command has this option.
    pub(crate) upsert: Option<&'c mut Option<bool>>,
    /// The `_id` that the statement stores if it inserts a document.
    pub(crate) inserted_id: Option<Bson>,
}

/// Returns the `_id` that an upsert stores, if the update sets it.
pub(super) fn inserted_id(update: &UpdateModifications) -> Option<Bson> {
    let UpdateModifications::Document(update) = update else {
        return None;
    };
    let mut operators = ["$setOnInsert", "$set"].into_iter();
    operators.find_map(|name| update.get_document(name).ok()?.get("_id").cloned())
}

/// The values that the filter of a statement on a sharded collection must contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The shard key.
    Key,
    /// The shard key or the `_id`. The cluster sends a filter that contains only the `_id` to all shards.
    KeyOrId,
    /// The shard key, even if no document matches, because the statement then inserts a document.
    KeyOfInsert,
}
