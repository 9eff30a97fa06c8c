//! Brings the indexes of the server in line with the models.

use std::future::IntoFuture;

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    action::model::Model,
    client::odm::{Odm, Running, traced_call},
    error::{Error, Result},
    index::{Desired, IndexConflict, IndexDiff, IndexReport, IndexSpec, desired, server},
    model::{registry::ModelSelection, shape::DocumentSet},
};

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

/// How many collections are asked for their indexes at once.
const IN_FLIGHT: usize = 4;

/// Compares the indexes of the server with what the models declare and imply; made by
/// [`index_diff`](Odm::index_diff).
///
/// Awaiting it sends one `listIndexes` for each collection, four at once. It changes nothing.
///
/// Keys are compared in order, numbers by value, a collation with what the server makes of the
/// declared one, and an index without a collation with the default of its collection. The name
/// counts if it was declared. A hidden index counts as one that is there. A model may stand for a view; an index that it
/// declares is in [`IndexDiff::on_views`].
///
/// # Errors
///
/// [`Error::Invalid`] if no model is linked into the program, [`Error::Declaration`] if a partial filter
/// expression is not extended JSON or two indexes of a collection have one name, and what the driver
/// reports.
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

    /// Compares only the collection of a model; further calls add further collections.
    ///
    /// All models of the collection count, and references of any model that want an index in it.
    pub fn only<M: Model>(mut self) -> Self {
        self.only.add(M::SHAPE);
        self
    }

    async fn run(self) -> Result<IndexDiff> {
        let mut all = IndexDiff::default();
        for diff in self.by_collection().await? {
            all.append(diff);
        }
        Ok(all)
    }

    /// Returns the difference for each collection, by name.
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
        stream::iter(diffs).buffered(IN_FLIGHT).try_collect().await
    }
}

impl IntoFuture for DiffIndexes {
    type Output = Result<IndexDiff>;
    type IntoFuture = Running<IndexDiff>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("index_diff", self.run())
    }
}

/// Creates missing indexes; made by [`sync_indexes`](Odm::sync_indexes).
///
/// Awaiting it sends one `listIndexes` for each collection, four at once, and then one
/// `createIndexes` for each collection that lacks any, one after the other. Each of these creates
/// all of its indexes or none; if one fails, what earlier ones created stays, and calling again goes
/// on from there. The server lets reads and writes through while it builds, and two programs may
/// sync at once.
///
/// With [`replace_conflicting`](Self::replace_conflicting), one `dropIndexes` for each index in the
/// way and another `listIndexes` for each collection come first; with
/// [`drop_undeclared`](Self::drop_undeclared), one `dropIndexes` for each index comes last.
///
/// # Errors
///
/// [`Error::IndexConflict`] before anything is changed if an index of the server contradicts a
/// declared one, [`Error::Declaration`] as [`DiffIndexes`], and what the driver reports: documents that
/// a unique index would refuse, for instance, as [`is_duplicate_key`](Error::is_duplicate_key) with
/// the collection, the index and the key in the message.
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

    /// Syncs only the collection of a model; further calls add further collections.
    ///
    /// All models of the collection count, and references of any model that want an index in it.
    pub fn only<M: Model>(mut self) -> Self {
        self.diff = self.diff.only::<M>();
        self
    }

    /// Drops the indexes that no model declares or implies, after the missing ones are created.
    ///
    /// ModelSelection models that are linked into this program count: an index that another program declares
    /// is undeclared here.
    pub fn drop_undeclared(mut self) -> Self {
        self.drop_undeclared = true;
        self
    }

    /// Drops the indexes that contradict a declared one, and creates that one instead.
    ///
    /// In between, queries that need the index scan the collection, and a unique index does not
    /// guard. If the new one cannot be built, the old one is gone.
    pub fn replace_conflicting(mut self) -> Self {
        self.replace_conflicting = true;
        self
    }

    /// Shows what there is to do instead of doing it.
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

impl IntoFuture for SyncIndexes {
    type Output = Result<IndexReport>;
    type IntoFuture = Running<IndexReport>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("sync_indexes", self.run())
    }
}

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
    // They come collection by collection.
    let mut collections: Vec<_> = conflicts.map(|it| it.wanted.collection.clone()).collect();
    collections.dedup();
    Err(Error::IndexConflict {
        collections,
        difference: format!(
            "{}\nchange the declaration, or let `.replace_conflicting()` drop and create what differs",
            text.join("\n")
        ),
    })
}

/// Lists the indexes that have to go, each once.
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
