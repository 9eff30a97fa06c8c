//! The counters of reads and writes for each model.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use mongodb::bson::{Bson, Document};

use crate::{model::shape::ModelShape, value::path::each_filtered_path};

/// Largest number of paths that are counted for one model. The limit keeps a program that generates paths from filling
/// the memory.
const PATHS: usize = 256;

/// The reads and writes of one model by this program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelStats {
    /// The model.
    pub model: &'static str,
    /// Its collection.
    pub collection: &'static str,
    /// Number of calls that read its documents directly: `find`, `get`, pages, streams, counts. Loads and joins are not
    /// included.
    pub queries: u64,
    /// Number of returned documents, including those that loads and joins returned.
    pub documents: u64,
    /// Number of calls without a projection, including loads and joins.
    pub whole: u64,
    /// Number of documents that the application inserted.
    pub inserted: u64,
    /// Number of documents that the application updated. Updated copies are counted in
    /// [`CopyStats::copies_written`](crate::CopyStats::copies_written).
    pub updated: u64,
    /// Number of documents that the application deleted.
    pub deleted: u64,
    /// Number of filters without an index, in reads and writes. Each line of the program counts once. These filters are
    /// detected only with [`Settings::warn_of_slow_statements`](crate::Settings::warn_of_slow_statements).
    pub unindexed: u64,
    /// The fields in filters, sorts and projections, by stored path.
    pub fields: Vec<FieldStats>,
}

/// The uses of a stored field in calls of this program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldStats {
    /// The stored path, without positions of elements.
    pub path: String,
    /// Number of filters that have a condition on the field. Filters on relations do not count.
    pub filtered: u64,
    /// Number of sorts that contain the field.
    pub sorted: u64,
    /// Number of projections that contain the path.
    pub projected: u64,
}

/// Numbers of documents that a write has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Writes {
    pub(crate) inserted: u64,
    pub(crate) updated: u64,
    pub(crate) deleted: u64,
}

/// A report with the numbers of changed documents.
pub(crate) trait Wrote {
    /// Returns the numbers of changed documents.
    fn wrote(&self) -> Writes;
}

/// The counters of all models.
#[derive(Debug, Default)]
pub(super) struct Models(Mutex<BTreeMap<Name, Arc<ModelCounts>>>);

/// A model and its collection.
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
    fields: Mutex<BTreeMap<String, FieldStats>>,
}

impl Models {
    /// Returns the counters of a model.
    pub(super) fn of(&self, model: &'static ModelShape) -> Arc<ModelCounts> {
        let mut models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = models.entry((model.name, model.collection)).or_default();
        Arc::clone(counts)
    }

    /// Returns the counters.
    pub(super) fn stats(&self) -> Vec<ModelStats> {
        let models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        models.iter().map(|(of, it)| it.stats(*of)).collect()
    }
}

impl ModelCounts {
    /// Counts a query.
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

    /// Counts the fields of a projection.
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
            fields: fields.values().cloned().collect(),
        }
    }
}

/// Whether a projection contains a path. The `_id`, which is always returned, does not count.
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
