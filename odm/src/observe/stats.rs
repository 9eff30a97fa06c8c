//! The counters of a handle. The counters count the reads and writes for each model, the loads and joins for each
//! relation, the aggregations that contain a `$lookup`, and the reads and updates of copies.
//!
//! Counting starts when the handle is created, and includes only the calls of this program. The counters are kept in
//! memory and never sent anywhere. [`Odm::stats`] returns the counters.

mod calls_per_task;
mod copies;
mod lookups;
mod models;
mod relations;

use std::{panic::Location, sync::Arc};

use mongodb::bson::Document;

pub use copies::CopyStats;
pub use lookups::LookupStats;
pub use models::{FieldStats, ModelStats};
pub(crate) use models::{Writes, Wrote};
pub use relations::RelationStats;
pub(crate) use relations::{Asked, Related};

use crate::{
    client::{
        command::FindCommand,
        odm::{Odm, RoutedStatements, Unindexed},
    },
    derived::values::CopyReport,
    model::shape::{DocumentSet, ModelShape},
};
use copies::Copies;
use lookups::Lookups;
use models::Models;
use relations::Relations;

/// The counters of a handle and its clones. [`Odm::stats`] returns this type.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// The relations that were loaded, joined or counted, sorted by name.
    pub relations: Vec<RelationStats>,
    /// The models that were read or written, sorted by name.
    pub models: Vec<ModelStats>,
    /// The `$lookup`s in aggregations that the application sent.
    pub lookups: Vec<LookupStats>,
    /// All extended references in the program. Each entry states how often the copies were read and updated.
    pub copies: Vec<CopyStats>,
}

/// The counters that a handle and its clones share.
#[derive(Debug, Default)]
struct Counters {
    copies: Copies,
    relations: Relations,
    models: Models,
    lookups: Lookups,
}

/// The counters for the documents that one query returns.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    copies: Option<copies::CopyReads>,
    model: Option<Arc<models::ModelCounts>>,
    related: Option<Related>,
}

impl Reads {
    /// Adds the number of returned documents to the counters.
    pub(crate) fn add(&self, documents: usize) {
        if let Some(copies) = &self.copies {
            copies.add(documents);
        }
        if let Some(model) = &self.model {
            model.brought(documents);
        }
        if let Some(related) = &self.related {
            related.add(documents);
        }
    }
}

impl Odm {
    /// Returns the counters of this handle and its clones, which share them.
    ///
    /// A call is counted when it is sent, but not when it is only planned. If a transaction is retried, its writes
    /// are counted again. Writes are counted even if the transaction is rolled back. With
    /// [`Settings::counters(false)`](crate::Settings::counters), nothing is counted.
    ///
    /// Each fan-out also emits a `tracing` event at level debug. The event contains the extended reference and the
    /// numbers of updated copies.
    ///
    /// # Sends
    ///
    /// The method sends nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # fn example(odm: &mongo_odm::Odm) {
    /// for relation in odm.stats().relations {
    ///     println!("{}: {} loads, {} joins", relation.relation, relation.loads, relation.joins);
    /// }
    /// # }
    /// ```
    pub fn stats(&self) -> Stats {
        let counters = self.deployment().shared::<Counters>();
        let unindexed = self.deployment().shared::<Unindexed>();
        unindexed.for_each(|model, filters| counters.models.of(model).unindexed(filters));
        let routed = self.deployment().shared::<RoutedStatements>();
        routed.for_each(|model, routed| counters.models.of(model).routed(routed));
        Stats {
            relations: counters.relations.stats(),
            models: counters.models.stats(),
            lookups: counters.lookups.stats(),
            copies: counters.copies.stats(),
        }
    }

    fn counters(&self) -> Option<Arc<Counters>> {
        let counts = self.settings().counters;
        counts.then(|| self.deployment().shared::<Counters>())
    }

    /// Counts a query for documents of a model. If the query is a load, it was already counted, and `related` is the
    /// counter of its relation. Returns the counters to which the caller adds the number of documents in the server's
    /// reply.
    pub(crate) fn count_query(&self, find: &FindCommand, related: Option<Related>) -> Reads {
        let (Some(counters), Some(model)) = (self.counters(), find.place.model()) else {
            return Reads::default();
        };
        let projection = find.options.projection.as_ref();
        let copies = Some(counters.copies.reads(find.place.documents(), projection));
        if let Some(related) = related {
            related.projected(projection);
            return Reads {
                copies,
                model: None,
                related: Some(related),
            };
        }
        let counts = counters.models.of(model);
        counts.queried(&find.filter, find.options.sort.as_ref());
        counts.projected(projection);
        Reads {
            copies,
            model: Some(counts),
            related: None,
        }
    }

    /// Counts a read that does not return documents, for example a `count`.
    pub(crate) fn count_question(&self, model: &'static ModelShape, filter: &Document) {
        if let Some(counters) = self.counters() {
            counters.models.of(model).queried(filter, None);
        }
    }

    /// Counts an aggregation that the application sends.
    pub(crate) fn count_aggregation(&self, model: &'static ModelShape, pipeline: &[Document]) {
        if let Some(counters) = self.counters() {
            counters.lookups.add(model, pipeline);
        }
    }

    /// Counts the documents that a write inserted, updated or deleted.
    pub(crate) fn count_write(&self, model: &'static ModelShape, wrote: &impl Wrote) {
        if let Some(counters) = self.counters() {
            counters.models.of(model).wrote(wrote.wrote());
        }
    }

    /// Counts a load, a join or a count for a relation before it is sent. Returns the counters to which the caller adds
    /// the number of documents in the server's reply.
    pub(crate) fn count_relation(
        &self,
        (relation, target): (&'static str, &'static ModelShape),
        asked: Asked,
        keys: u32,
        at: Option<&'static Location<'static>>,
    ) -> Related {
        match self.counters() {
            Some(counters) => {
                let target_counts = counters.models.of(target);
                let relation = counters.relations.of(relation, target);
                let at = at.map(|at| (at, self.options_number()));
                relation.count_call(asked, keys, at, target_counts)
            }
            None => Related::default(),
        }
    }

    /// Counts loads of sources for owners that already contain copies from these sources.
    pub(crate) fn count_joined(
        &self,
        owner: &str,
        source: DocumentSet<'static>,
        key: fn() -> String,
        owners: usize,
    ) {
        if let Some(counters) = self.counters() {
            counters.copies.joined(owner, source, key, owners);
        }
    }

    /// Counts the copies that a write's fan-out changed.
    pub(crate) fn count_fan_out(&self, reports: &[CopyReport]) {
        self.count_copies(reports, 1);
    }

    /// Counts the copies that a job changed. The write that enqueued the job was already counted.
    pub(crate) fn count_job(&self, reports: &[CopyReport]) {
        self.count_copies(reports, 0);
    }

    fn count_copies(&self, reports: &[CopyReport], fan_outs: u64) {
        for report in reports {
            if let Some(counters) = self.counters() {
                counters.copies.wrote(report, fan_outs);
            }
            tracing::debug!(
                relation = %report.relation, modified = report.modified, batches = report.batches,
                guarantee = ?report.guarantee, "copies followed their source"
            );
        }
    }
}
