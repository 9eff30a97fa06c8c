//! Indexes that models declare or imply, indexes on the server, and the difference between the two.
//!
//! An index is *declared* with `#[index]` on a field or with `index(..)` on a model. Every reference *implies* an
//! index, because queries from the other side of the reference use it. An implied index is ascending and has the
//! simple collation. The index contains the path of the keys. If the keys refer to a target field other than
//! `_id`, a second index contains the path of that field. If a declared index starts with the same path and
//! contains every document, no index is implied.
//!
//! This behaviour follows rule 4 of "6 Rules of Thumb": application-level joins are cheap if they are indexed.

mod declared_checks;
mod desired;
mod diff;
mod equivalence;
pub(crate) mod partial_filter;
pub(crate) mod pre_images;
pub(crate) mod server;
mod serves_reference;
mod shard_key;
mod spec;
mod sync_report;
#[cfg(test)]
mod tests;
pub(crate) mod unique_key_lookup;

pub(crate) use desired::{
    Desired, contradictions, desired, desired_of_collection, shard_key_index,
};
pub use diff::{IndexConflict, IndexDiff};
pub(crate) use shard_key::shard_key;
pub use spec::{IndexOrigin, IndexSpec};
pub(crate) use sync_report::write_lists;
pub use sync_report::{IndexName, IndexReport};

use crate::client::odm::Odm;

/// Returns whether the server has the index that a fan-out requires: an index on the path of the key, followed by
/// `_id`. A hidden index does not count, because the server does not use it. Sends one `listIndexes`.
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
            && !index.options.get_bool("hidden").unwrap_or(false)
            && equivalence::differences(&wanted, index, default).is_empty()
    }))
}
