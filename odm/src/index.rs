//! Indexes: the indexes that models declare and imply, those of the server, and their difference.
//!
//! An index is *declared* with `#[index]` at a field or with `index(..)` at a model. It is *implied* by every
//! reference, because the other side is read by it. An implied index is ascending, with the simple collation. It
//! contains the path of the keys. Another one contains the path in the target, if that is not `_id`. No index is
//! implied if a declared index starts with the same path and contains every document.
//!
//! Source of the rule: "6 Rules of Thumb", rule 4: application-level joins are cheap if they are indexed.

mod desired;
mod diff;
mod equivalence;
mod partial_filter;
pub(crate) mod server;
mod serves_reference;
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

/// Returns whether the server has the index of a fan-out: a path, and the ids in order. Sends one `listIndexes`.
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
