//! Indexes: what the models declare and imply, what the server has, and how the two are brought
//! together.
//!
//! An index is *declared* with `#[index]` at a field or with `index(..)` at a model. It is *implied*
//! by every reference, because the other side is read by it: an ascending index with simple
//! collation on the path of the keys, and on the path in the target that they are compared with
//! unless that is `_id`. Nothing is implied where a declared index starts with the same path and
//! holds every document.
//!
//! Source of the rule: "6 Rules of Thumb", rule 4, application-level joins are cheap when they are
//! indexed.

mod desired;
mod diff;
mod equivalence;
mod partial_filter;
pub(crate) mod server;
mod spec;
mod sync_report;
#[cfg(test)]
mod tests;
pub(crate) mod unique_key_lookup;

pub(crate) use desired::{Desired, contradictions, desired, desired_of_collection};
pub use diff::{IndexConflict, IndexDiff};
pub use spec::{IndexOrigin, IndexSpec};
pub use sync_report::{IndexName, IndexReport};

use crate::client::odm::Odm;

/// Whether the server has an index that finds the documents by a path, in the order of their ids: one
/// `listIndexes`.
pub(crate) async fn finds_by(
    odm: &Odm,
    collection: &str,
    path: &str,
) -> crate::error::Result<bool> {
    let on_server = server::list(odm, collection).await?;
    let wanted = IndexSpec::fan_out(collection, path, String::new());
    let default = on_server.collation.as_ref();
    Ok(on_server.indexes.iter().any(|index| {
        equivalence::same_keys(index, &wanted)
            && equivalence::differences(&wanted, index, default).is_empty()
    }))
}
