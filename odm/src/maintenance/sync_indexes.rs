//! Compares the indexes on the server with the models, and creates the missing ones.

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    action::model::Model,
    client::odm::{Odm, into_future, traced_call},
    error::{Error, Result},
    index::{
        Desired, IndexConflict, IndexDiff, IndexReport, IndexSpec, desired,
        pre_images::{enable, without_pre_images},
        server,
    },
    maintenance::shard_collections::{catalog::sharded_collections, sharding_diff::is_same_key},
    model::{registry::ModelSelection, shape::DocumentSet},
};

impl Odm {
    /// Returns a builder that compares the indexes on the server with those that the models declare or imply.
    ///
    /// # Sends
    ///
    /// One `listIndexes` for each collection. If a sharded cluster has an undeclared index, also one `find` to
    /// recognize the indexes of shard keys. The call changes nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let diff = odm.index_diff().await?;
    /// if !diff.is_in_sync() {
    ///     println!("{diff}");
    /// }
    /// # Ok(()) }
    /// ```
    pub fn index_diff(&self) -> DiffIndexes {
        DiffIndexes::new(self.clone())
    }

    /// Returns a builder that creates missing indexes that the models declare or imply.
    ///
    /// # Sends
    ///
    /// One `listIndexes` for each collection, and one `createIndexes` for each collection that lacks an index. The call
    /// drops indexes only if you use [`drop_undeclared`](SyncIndexes::drop_undeclared) or
    /// [`replace_conflicting`](SyncIndexes::replace_conflicting).
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

/// Number of `listIndexes` statements that run concurrently.
const IN_FLIGHT: usize = 4;

/// Builder that compares the indexes on the server with the models; returned by [`index_diff`](Odm::index_diff).
///
/// # Sends
///
/// One `listIndexes` for each collection, four at a time. If a model declares `pre_images`, one `listCollections`. The
/// call changes nothing.
///
/// # Guarantees
///
/// - The order of the keys in an index matters. Numbers are compared by value.
/// - Collations are compared with the default values that the server adds for the locale. An index without a collation
///   uses the default collation of its collection.
/// - Index names are compared only if the model declares a name.
/// - A hidden index counts as present.
/// - If a model declares an index on a view, the index is listed in [`IndexDiff::on_views`].
///
/// # Errors
///
/// - [`Error::Invalid`] if no model is linked into the program
/// - [`Error::Declaration`] if a partial filter expression is not extended JSON, or if two indexes in a collection have
///   the same name
/// - driver errors
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/log_models.txt")]
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let diff = odm.index_diff().only::<Host>().await?;
/// println!("{} indexes are missing", diff.missing.len());
/// # Ok(()) }
/// ```
#[must_use = "nothing is compared until it is awaited"]
#[derive(Clone, Debug)]
pub struct DiffIndexes {
    odm: Odm,
    only: ModelSelection,
}

impl DiffIndexes {
    pub(crate) fn new(odm: Odm) -> Self {
        Self {
            odm,
            only: ModelSelection::default(),
        }
    }

    /// Compares only the indexes in the collection of the model `M`. Call this method again to add more collections.
    ///
    /// The check covers all models in the collection, and all references that require an index there.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let diff = odm.index_diff().only::<Book>().only::<Author>().await?;
    /// println!("{} indexes are missing", diff.missing.len());
    /// # Ok(()) }
    /// ```
    pub fn only<M: Model>(mut self) -> Self {
        self.only.add(M::SHAPE);
        self
    }

    async fn run(self) -> Result<IndexDiff> {
        let mut all = IndexDiff::default();
        for diff in self.by_collection().await? {
            all.append(diff);
        }
        all.pre_images = self.lacking_pre_images().await?;
        Ok(all)
    }

    /// Returns the collections for which models declare pre-images that the server does not keep.
    async fn lacking_pre_images(&self) -> Result<Vec<String>> {
        let models = self.only.models()?.into_iter();
        let declared = models.filter(|model| {
            let collection = DocumentSet::whole_collection(model.collection);
            model.pre_images && self.only.includes(collection)
        });
        let collections = declared.map(|model| model.collection).collect();
        without_pre_images(&self.odm, &collections).await
    }

    /// Returns one comparison for each collection, sorted by the collection's name.
    async fn by_collection(&self) -> Result<Vec<IndexDiff>> {
        let models = self.only.models()?;
        let all = models.iter().map(|model| model.collection);
        let collections: Vec<_> = all
            .filter(|it| self.only.includes(DocumentSet::whole_collection(it)))
            .collect();
        let mut diffs = Vec::new();
        for (collection, wanted) in desired(&models, &collections)? {
            diffs.push(diff_of(self.odm.clone(), collection, wanted));
        }
        let diffs = stream::iter(diffs).buffered(IN_FLIGHT);
        self.without_shard_keys(diffs.try_collect().await?).await
    }

    /// Removes the indexes of shard keys from the lists of undeclared indexes.
    async fn without_shard_keys(&self, mut diffs: Vec<IndexDiff>) -> Result<Vec<IndexDiff>> {
        if diffs.iter().all(|diff| diff.undeclared.is_empty()) {
            return Ok(diffs);
        }
        if let Some(sharded) = sharded_collections(&self.odm).await? {
            for diff in &mut diffs {
                diff.keep_shard_keys(|index| {
                    let collection = sharded.get(&index.collection);
                    collection.is_some_and(|it| is_same_key(&it.key, &index.keys))
                });
            }
        }
        Ok(diffs)
    }
}

into_future!([] DiffIndexes => IndexDiff, |it| traced_call("index_diff", it.run()));

/// Builder that creates missing indexes; returned by [`sync_indexes`](Odm::sync_indexes).
///
/// # Sends
///
/// 1. One `listIndexes` for each collection, four at a time. If a sharded cluster has an undeclared index, also one
///    `find` to recognize the indexes of shard keys.
/// 2. With [`replace_conflicting`](Self::replace_conflicting), one `dropIndexes` for each conflicting index, and
///    another `listIndexes` for each collection.
/// 3. One `createIndexes` for each collection that lacks an index, one at a time.
/// 4. If a model declares `pre_images`, one `listCollections`, and one `collMod` for each collection that lacks the
///    declared pre-images. If the collection does not exist, also one `create`.
/// 5. With [`drop_undeclared`](Self::drop_undeclared), one `dropIndexes` for each undeclared index.
///
/// # Guarantees
///
/// - A `createIndexes` statement creates either all of its indexes or none. If a statement fails, the indexes that
///   earlier statements created remain, and the next call creates the missing ones.
/// - The server accepts reads and writes while it builds indexes.
/// - Two programs can run this call at the same time.
///
/// # Errors
///
/// - [`Error::IndexConflict`] if an index on the server contradicts a declared index. Nothing is changed in this case.
/// - [`Error::Declaration`] in the same cases as for [`DiffIndexes`]
/// - driver errors. For example, if stored documents violate a unique index,
///   [`is_duplicate_key`](Error::is_duplicate_key) returns true for the error. The message contains the collection, the
///   index and the key.
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let report = odm.sync_indexes().drop_undeclared().await?;
/// println!("created {:?}, dropped {:?}", report.created, report.dropped);
/// # Ok(()) }
/// ```
#[must_use = "no index is created until it is awaited"]
#[derive(Clone, Debug)]
pub struct SyncIndexes {
    diff: DiffIndexes,
    drop_undeclared: bool,
    replace_conflicting: bool,
}

impl SyncIndexes {
    pub(crate) fn new(odm: Odm) -> Self {
        let diff = DiffIndexes::new(odm);
        Self {
            diff,
            drop_undeclared: false,
            replace_conflicting: false,
        }
    }

    /// Creates indexes only in the collection of the model `M`. Call this method again to add more collections.
    ///
    /// The check covers all models in the collection, and all references that require an index there.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.sync_indexes().only::<Book>().only::<Author>().await?;
    /// # Ok(()) }
    /// ```
    pub fn only<M: Model>(mut self) -> Self {
        self.diff = self.diff.only::<M>();
        self
    }

    /// Drops the indexes that no model declares or implies, after the missing indexes have been created.
    ///
    /// # Limits
    ///
    /// The library knows only the models that are linked into this program. So this option also drops indexes that only
    /// other programs declare.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// println!("{}", odm.sync_indexes().diff().await?);
    /// odm.sync_indexes().drop_undeclared().await?;
    /// # Ok(()) }
    /// ```
    pub fn drop_undeclared(mut self) -> Self {
        self.drop_undeclared = true;
        self
    }

    /// Drops each index that contradicts a declared index, and then creates the declared index.
    ///
    /// # Limits
    ///
    /// Between the two steps, queries that need the index scan the whole collection, and duplicates of unique keys are
    /// not rejected. If the server cannot build the new index, the old one is lost.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.sync_indexes().replace_conflicting().await?;
    /// # Ok(()) }
    /// ```
    pub fn replace_conflicting(mut self) -> Self {
        self.replace_conflicting = true;
        self
    }

    /// Returns a builder that compares the indexes and changes nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let diff = odm.sync_indexes().diff().await?;
    /// assert!(diff.is_in_sync(), "{diff}");
    /// # Ok(()) }
    /// ```
    pub fn diff(self) -> DiffIndexes {
        self.diff
    }

    async fn run(self) -> Result<IndexReport> {
        let mut report = IndexReport::default();
        let mut diffs = self.diff.by_collection().await?;
        if !self.replace_conflicting {
            refuse_conflicts(&diffs)?;
        }
        while diffs.iter().any(|diff| !diff.conflicts.is_empty()) {
            drop_all(&self.diff.odm, conflicting_indexes(&diffs), &mut report).await?;
            diffs = self.diff.by_collection().await?;
        }
        for diff in &diffs {
            server::create(&self.diff.odm, &diff.missing).await?;
            report
                .created
                .extend(diff.missing.iter().map(IndexSpec::full_name));
            report
                .present
                .extend(diff.present.iter().map(IndexSpec::full_name));
            report
                .on_views
                .extend(diff.on_views.iter().map(IndexSpec::full_name));
        }
        for collection in self.diff.lacking_pre_images().await? {
            enable(&self.diff.odm, &collection).await?;
            report.pre_images.push(collection);
        }
        for diff in diffs {
            if self.drop_undeclared {
                drop_all(&self.diff.odm, diff.undeclared, &mut report).await?;
            } else {
                report
                    .undeclared
                    .extend(diff.undeclared.iter().map(IndexSpec::full_name));
            }
        }
        Ok(report)
    }
}

into_future!([] SyncIndexes => IndexReport, |it| traced_call("sync_indexes", it.run()));

async fn diff_of(odm: Odm, collection: &'static str, wanted: Desired) -> Result<IndexDiff> {
    let found = server::list(&odm, collection).await?;
    IndexDiff::of_collection(wanted, &found)
}

fn refuse_conflicts(diffs: &[IndexDiff]) -> Result<()> {
    let conflicts = diffs.iter().flat_map(|diff| &diff.conflicts);
    let text: Vec<_> = conflicts.clone().map(IndexConflict::to_string).collect();
    if text.is_empty() {
        return Ok(());
    }
    // The conflicts are already grouped by collection.
    let mut collections: Vec<_> = conflicts.map(|it| it.wanted.collection.clone()).collect();
    collections.dedup();
    Err(Error::IndexConflict {
        collections,
        difference: format!(
            "{}\nchange the declaration, or call `.replace_conflicting()` to drop and create these indexes",
            text.join("\n")
        ),
    })
}

/// Lists the indexes to drop. An index that contradicts several declarations is listed only once.
fn conflicting_indexes(diffs: &[IndexDiff]) -> Vec<IndexSpec> {
    let conflicts = diffs.iter().flat_map(|diff| &diff.conflicts);
    let mut all: Vec<_> = conflicts
        .map(|conflict| conflict.existing.clone())
        .collect();
    all.sort_by_key(IndexSpec::full_name);
    all.dedup_by_key(|index| index.full_name());
    all
}

async fn drop_all(odm: &Odm, indexes: Vec<IndexSpec>, report: &mut IndexReport) -> Result<()> {
    for index in indexes {
        server::drop(odm, &index).await?;
        report.dropped.push(index.full_name());
    }
    Ok(())
}
