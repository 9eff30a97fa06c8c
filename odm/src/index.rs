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

mod compare;
mod desired;
mod diff;
mod model;
mod partial;
mod report;
mod server;
mod spec;
mod sync;
#[cfg(test)]
mod tests;

pub use diff::{IndexConflict, IndexDiff};
pub use report::{IndexName, IndexReport};
pub use spec::{IndexOrigin, IndexSpec};
pub use sync::{DiffIndexes, SyncIndexes};

use crate::odm::Odm;

impl Odm {
    /// Compares the indexes of the server with what the models declare and imply.
    ///
    /// Awaiting it sends one `listIndexes` for each collection and changes nothing.
    pub fn index_diff(&self) -> DiffIndexes {
        DiffIndexes::new(self.clone())
    }

    /// Creates the indexes that the models declare and imply, and that are missing.
    ///
    /// Awaiting it sends one `listIndexes` for each collection, and one `createIndexes` for each
    /// collection that lacks any. It never drops an index unless it is told to.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// println!("{}", odm.sync_indexes().diff().await?);
    /// println!("{}", odm.sync_indexes().await?);
    /// # Ok(()) }
    /// ```
    pub fn sync_indexes(&self) -> SyncIndexes {
        SyncIndexes::new(self.clone())
    }
}

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
        compare::same_keys(index, &wanted)
            && compare::differences(&wanted, index, default).is_empty()
    }))
}
