//! Counts the reads and updates of copies. Rule 5 of MongoDB's "6 Rules of Thumb" bases the decision to denormalize on
//! the ratio of these two numbers.

use std::{
    fmt,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use mongodb::bson::{Bson, Document};

use crate::{
    derived::values::CopyReport,
    graph::{ExtendedReference, graph, reference_index::reference_index},
    model::shape::DocumentSet,
    value::path::overlap,
};

/// Counts how often this program has read and updated the copies of one extended reference since the handle was
/// created.
///
/// The counters help you apply rule 5 of MongoDB's "6 Rules of Thumb": denormalize a field that is read much more often
/// than it is updated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CopyStats {
    /// The name of the extended reference: `LogMsg.host <- Host`.
    pub relation: String,
    /// Number of documents with these copies that `find`, `get`, streams and pages returned. A document is not counted
    /// if the projection leaves out the copies.
    pub reads: u64,
    /// Number of documents for which a `load_*` or `join_*` loaded the source through the same reference, although the
    /// documents already contain the copies.
    pub joins: u64,
    /// Number of writes to source documents that changed copies.
    pub fan_outs: u64,
    /// Number of documents whose copies were changed by writes to source documents, or by the jobs that these writes
    /// enqueued.
    pub copies_written: u64,
}

impl CopyStats {
    /// Returns the number of documents for which the copies made a join unnecessary. The result counts documents that
    /// were read without also loading their source.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// for copies in odm.stats().copies {
    ///     println!("{}: {} joins avoided, ratio {:?}", copies.relation, copies.joins_avoided(), copies.ratio());
    /// }
    /// # Ok(()) }
    /// ```
    pub const fn joins_avoided(&self) -> u64 {
        self.reads.saturating_sub(self.joins)
    }

    /// Returns the number of avoided joins per written copy, or `None` if no copy was written. If the ratio is below 1,
    /// the copies cost more than they save.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// for copies in odm.stats().copies {
    ///     println!("{}: {} joins avoided, ratio {:?}", copies.relation, copies.joins_avoided(), copies.ratio());
    /// }
    /// # Ok(()) }
    /// ```
    #[allow(clippy::cast_precision_loss, reason = "a ratio is a rough figure")]
    pub fn ratio(&self) -> Option<f64> {
        (self.copies_written > 0).then(|| self.joins_avoided() as f64 / self.copies_written as f64)
    }
}

impl fmt::Display for CopyStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} reads, {} joins avoided, {} fan-outs, {} copies written",
            self.relation,
            self.reads,
            self.joins_avoided(),
            self.fan_outs,
            self.copies_written
        )
    }
}

/// The counters of all extended references.
#[derive(Debug, Default)]
pub(super) struct Copies(OnceLock<Arc<[CopyCounts]>>);

#[derive(Debug, Default)]
struct CopyCounts {
    reads: AtomicU64,
    joins: AtomicU64,
    fan_outs: AtomicU64,
    copies_written: AtomicU64,
}

/// The counters for the documents that one call returns.
#[derive(Debug)]
pub(super) struct CopyReads {
    references: Vec<usize>,
    counts: Arc<[CopyCounts]>,
}

impl CopyReads {
    /// Adds the number of returned documents to the counters.
    pub(super) fn add(&self, documents: usize) {
        for reference in &self.references {
            if let Some(counts) = self.counts.get(*reference) {
                counts.reads.fetch_add(documents as u64, Relaxed);
            }
        }
    }
}

impl Copies {
    fn counts(&self) -> &Arc<[CopyCounts]> {
        let none = || {
            graph()
                .references
                .iter()
                .map(|_| CopyCounts::default())
                .collect()
        };
        self.0.get_or_init(none)
    }

    /// Returns the current values of the counters.
    pub(super) fn stats(&self) -> Vec<CopyStats> {
        let stats = self.all().map(|(reference, counts)| CopyStats {
            relation: reference.name.clone(),
            reads: counts.reads.load(Relaxed),
            joins: counts.joins.load(Relaxed),
            fan_outs: counts.fan_outs.load(Relaxed),
            copies_written: counts.copies_written.load(Relaxed),
        });
        stats.collect()
    }

    fn all(&self) -> impl Iterator<Item = (&'static Arc<ExtendedReference>, &CopyCounts)> {
        graph().references.iter().zip(&**self.counts())
    }

    /// Returns the counters of the copies that a projection includes. Each call looks up these counters once for all of
    /// its documents.
    pub(super) fn reads(
        &self,
        documents: Option<DocumentSet<'static>>,
        projection: Option<&Document>,
    ) -> CopyReads {
        let references = documents.map_or(&[][..], |of| reference_index().copied_into(of));
        let references = references.iter().copied();
        let shown = |reference: &usize| {
            let reference = graph().references.get(*reference);
            reference.is_some_and(|reference| shows(projection, reference))
        };
        CopyReads {
            references: references.filter(shown).collect(),
            counts: Arc::clone(self.counts()),
        }
    }

    /// Counts loads of a source for documents that already contain copies from that source. `owner` is the name of the
    /// model that contains the reference, or of a struct inside that model.
    pub(super) fn joined(
        &self,
        owner: &str,
        source: DocumentSet<'static>,
        key: fn() -> String,
        documents: usize,
    ) {
        let numbers = reference_index().between(owner, source);
        if numbers.is_empty() {
            return;
        }
        let (key, counts) = (key(), self.counts());
        let references = numbers.iter().filter_map(|reference| {
            graph()
                .references
                .get(*reference)
                .zip(counts.get(*reference))
        });
        for (reference, counts) in references {
            if reference.source_key == key {
                counts.joins.fetch_add(documents as u64, Relaxed);
            }
        }
    }

    /// Counts the copies that a fan-out or a job changed.
    pub(super) fn wrote(&self, report: &CopyReport, fan_outs: u64) {
        for (reference, counts) in self.all() {
            if reference.name == report.relation {
                counts.fan_outs.fetch_add(fan_outs, Relaxed);
                counts.copies_written.fetch_add(report.modified, Relaxed);
            }
        }
    }
}

/// Whether a projection includes at least one copy of an extended reference.
fn shows(projection: Option<&Document>, reference: &ExtendedReference) -> bool {
    let Some(projection) = projection else {
        return true;
    };
    let is_off = |value: &Bson| {
        matches!(
            value,
            Bson::Boolean(false) | Bson::Int32(0) | Bson::Int64(0)
        ) || *value == Bson::Double(0.0)
    };
    let named = || projection.iter().filter(|(path, _)| *path != "_id");
    let excludes = named().all(|(_, value)| is_off(value));
    reference.copy_paths().any(|copy| {
        let touched =
            named().any(|(path, value)| is_off(value) == excludes && overlap(path, &copy));
        touched != excludes
    })
}
