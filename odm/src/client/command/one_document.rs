//! Statements that change one document of a sharded collection.

use mongodb::bson::Document;

/// A statement that changes at most one document.
pub(crate) struct OneDocument<'c, R> {
    /// The filter of the statement.
    pub(crate) filter: &'c mut Document,
    pub(crate) target: Target,
    /// The reply if no document matches.
    pub(crate) unmatched: R,
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
