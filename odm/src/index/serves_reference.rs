//! Decides whether a declared index is sufficient for a reference, so that the reference does not
//! imply another index.

use mongodb::bson::{Bson, Document};

use super::{
    equivalence::{given_collation, is_simple, same_keys},
    spec::{IndexSpec, sign},
};

/// Whether the declared index finds every document that the implied index would find by the same
/// key.
pub(super) fn covers(
    declared: &IndexSpec,
    implied: &IndexSpec,
    default: Option<&Document>,
) -> bool {
    let first = declared.keys.iter().next();
    let starts =
        first.is_some_and(|(path, kind)| implied.keys.contains_key(path) && sign(kind).is_some());
    // A fan-out sends a hint that contains all keys of its index, so the keys must be the same.
    let is_one_field =
        implied.keys.len() == 1 && implied.keys.values().all(|it| sign(it).is_some());
    let starts = starts && (is_one_field || same_keys(declared, implied));
    starts && is_complete(declared) && has_simple_collation(declared, default)
}

/// Whether a cluster can use the index to shard a collection by the key. The directions must be the same.
pub(super) fn supports_shard_key(
    index: &IndexSpec,
    key: &Document,
    default: Option<&Document>,
) -> bool {
    let starts = index.keys.iter().take(key.len()).eq(key.iter());
    starts && is_complete(index) && has_simple_collation(index, default)
}

/// Whether the index contains all documents. If one of the keys is a text or a position, the index lacks the documents
/// without a value for this key, and the server uses the index only for searches.
fn is_complete(index: &IndexSpec) -> bool {
    let options = &index.options;
    let only_searches = |kind: &Bson| matches!(kind.as_str(), Some("text" | "2d" | "2dsphere"));
    !options.contains_key("sparse")
        && !options.contains_key("partialFilterExpression")
        && !index.keys.values().any(only_searches)
}

/// Whether the index compares strings by the simple collation. `default` is the default collation of the collection.
pub(super) fn has_simple_collation(index: &IndexSpec, default: Option<&Document>) -> bool {
    given_collation(index).map_or(default.is_none(), is_simple)
}
