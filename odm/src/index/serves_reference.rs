//! Decides whether a declared index serves a reference, so that no index is implied for it.

use mongodb::bson::Document;

use super::{
    equivalence::{given_collation, is_simple, same_keys},
    spec::{IndexSpec, sign},
};

/// Whether every document can be found through a declared index by the key of an implied one.
pub(super) fn covers(
    declared: &IndexSpec,
    implied: &IndexSpec,
    default: Option<&Document>,
) -> bool {
    let first = declared.keys.iter().next();
    let starts =
        first.is_some_and(|(path, kind)| implied.keys.contains_key(path) && sign(kind).is_some());
    // The hint that a fan-out sends contains all keys of its index.
    let starts = starts && (implied.keys.len() == 1 || same_keys(declared, implied));
    let options = &declared.options;
    let is_complete =
        !options.contains_key("sparse") && !options.contains_key("partialFilterExpression");
    let is_simple = !options.contains_key("collation") && default.is_none()
        || given_collation(declared).is_some_and(is_simple);
    starts && is_complete && is_simple
}
