//! Counts reads and writes for each model.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use mongodb::bson::{Bson, Document};

use crate::{client::odm::Routed, model::shape::ModelShape, value::path::each_filtered_path};

/// Largest number of paths that are counted for one model. Without this limit, a program that generates paths could
/// exhaust the memory.
const PATHS: usize = 256;

/// The reads and writes of one model in this program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelStats {
    /// The name of the model.
    pub model: &'static str,
    /// The collection of the model.
    pub collection: &'static str,
    /// Number of calls that read documents of the model directly: `find`, `get`, pages, streams and counts. Loads and
    /// joins are not included.
    pub queries: u64,
    /// Number of documents that were returned, including those from loads and joins.
    pub documents: u64,
    /// Number of calls that did not have a projection, including loads and joins.
    pub whole: u64,
    /// Number of documents that the application inserted.
    pub inserted: u64,
    /// Number of documents that the application updated. Updated copies are counted in
    /// [`CopyStats::copies_written`](crate::CopyStats::copies_written).
    pub updated: u64,
    /// Number of documents that the application deleted.
    pub deleted: u64,
    /// Number of filters in reads and writes that no index supports. Each source line is counted once. Such filters are
    /// detected only with [`Settings::warn_of_slow_statements`](crate::Settings::warn_of_slow_statements).
    pub unindexed: u64,
    /// Number of statements with a filter that the application's calls have sent. These statements are counted only if
    /// the model declares a shard key. Loads, joins and writes are included.
    pub routed: u64,
    /// Number of the statements in `routed` that a sharded cluster sends to all shards, because their filter does not
    /// contain the shard key. Such statements are counted on every server, even if it is not sharded.
    pub broadcasts: u64,
    /// The fields that filters, sorts and projections contain, sorted by stored path.
    pub fields: Vec<FieldStats>,
}

/// How often this program's calls use a stored field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldStats {
    /// The stored path of the field, without element positions.
    pub path: String,
    /// Number of filters that have a condition on the field. Filters on relations are not counted.
    pub filtered: u64,
    /// Number of sort orders that contain the field.
    pub sorted: u64,
    /// Number of projections that contain the field.
    pub projected: u64,
}

/// The numbers of documents that a write inserted, updated and deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Writes {
    pub(crate) inserted: u64,
    pub(crate) updated: u64,
    pub(crate) deleted: u64,
}

/// A report that contains the numbers of changed documents.
pub(crate) trait Wrote {
    /// Returns the numbers of changed documents.
    fn wrote(&self) -> Writes;
}

/// The counters of all models, sorted by model and collection.
#[derive(Debug, Default)]
pub(super) struct Models(Mutex<BTreeMap<Name, Arc<ModelCounts>>>);

/// The name of a model and the name of its collection.
type Name = (&'static str, &'static str);

#[derive(Debug, Default)]
pub(super) struct ModelCounts {
    queries: AtomicU64,
    documents: AtomicU64,
    whole: AtomicU64,
    inserted: AtomicU64,
    updated: AtomicU64,
    deleted: AtomicU64,
    unindexed: AtomicU64,
    routed: AtomicU64,
    broadcasts: AtomicU64,
    fields: Mutex<BTreeMap<String, FieldStats>>,
}

impl Models {
    /// Returns the counters of one model.
    pub(super) fn of(&self, model: &'static ModelShape) -> Arc<ModelCounts> {
        let mut models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = models.entry((model.name, model.collection)).or_default();
        Arc::clone(counts)
    }

    /// Returns the current values of the counters.
    pub(super) fn stats(&self) -> Vec<ModelStats> {
        let models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        models.iter().map(|(of, it)| it.stats(*of)).collect()
    }
}

impl ModelCounts {
    /// Counts a query and the fields in its filter and sort order.
    pub(super) fn queried(&self, filter: &Document, sort: Option<&Document>) {
        self.queries.fetch_add(1, Relaxed);
        let mut fields = Fields::lock(self);
        each_filtered_path(filter, &mut |path| {
            fields.count(path, |it| &mut it.filtered);
        });
        for path in sort.into_iter().flat_map(Document::keys) {
            fields.count(path, |it| &mut it.sorted);
        }
    }

    /// Counts the fields in a call's projection. A call without a projection is counted as one that reads documents in
    /// full.
    pub(super) fn projected(&self, projection: Option<&Document>) {
        let shown =
            |projection: &&Document| projection.iter().any(|(path, value)| is_shown(path, value));
        let Some(projection) = projection.filter(shown) else {
            self.whole.fetch_add(1, Relaxed);
            return;
        };
        let mut fields = Fields::lock(self);
        let shown = projection
            .iter()
            .filter(|(path, value)| is_shown(path, value));
        for (path, _) in shown {
            fields.count(path, |it| &mut it.projected);
        }
    }

    pub(super) fn brought(&self, documents: usize) {
        self.documents.fetch_add(documents as u64, Relaxed);
    }

    pub(super) fn wrote(&self, writes: Writes) {
        self.inserted.fetch_add(writes.inserted, Relaxed);
        self.updated.fetch_add(writes.updated, Relaxed);
        self.deleted.fetch_add(writes.deleted, Relaxed);
    }

    pub(super) fn unindexed(&self, filters: u64) {
        self.unindexed.store(filters, Relaxed);
    }

    pub(super) fn routed(&self, routed: Routed) {
        self.routed.store(routed.statements, Relaxed);
        self.broadcasts.store(routed.broadcasts, Relaxed);
    }

    fn stats(&self, (model, collection): Name) -> ModelStats {
        let fields = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        ModelStats {
            model,
            collection,
            queries: self.queries.load(Relaxed),
            documents: self.documents.load(Relaxed),
            whole: self.whole.load(Relaxed),
            inserted: self.inserted.load(Relaxed),
            updated: self.updated.load(Relaxed),
            deleted: self.deleted.load(Relaxed),
            unindexed: self.unindexed.load(Relaxed),
            routed: self.routed.load(Relaxed),
            broadcasts: self.broadcasts.load(Relaxed),
            fields: fields.values().cloned().collect(),
        }
    }
}

/// Whether a projection includes a path. The `_id` is ignored, because the server returns it by default.
fn is_shown(path: &str, value: &Bson) -> bool {
    let is_off = match value {
        Bson::Boolean(is_on) => !is_on,
        Bson::Int32(number) => *number == 0,
        Bson::Int64(number) => *number == 0,
        Bson::Double(number) => *number == 0.0,
        _ => false,
    };
    path != "_id" && !is_off
}

/// The locked counters for a model's fields.
struct Fields<'c>(std::sync::MutexGuard<'c, BTreeMap<String, FieldStats>>);

impl<'c> Fields<'c> {
    fn lock(counts: &'c ModelCounts) -> Self {
        Self(counts.fields.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn count(&mut self, path: &str, counter: impl FnOnce(&mut FieldStats) -> &mut u64) {
        if !self.0.contains_key(path) {
            if self.0.len() == PATHS {
                return;
            }
            let of = FieldStats {
                path: path.to_owned(),
                ..FieldStats::default()
            };
            self.0.insert(path.to_owned(), of);
        }
        if let Some(field) = self.0.get_mut(path) {
            *counter(field) += 1;
        }
    }
}
