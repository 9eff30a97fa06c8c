//! Decides whether a declared index is sufficient for a reference, so that the reference does not
//! imply another index.

use mongodb::bson::Document;

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
    let options = &declared.options;
    let is_complete =
        !options.contains_key("sparse") && !options.contains_key("partialFilterExpression");
    let is_simple = !options.contains_key("collation") && default.is_none()
        || given_collation(declared).is_some_and(is_simple);
    starts && is_complete && is_simple
}
