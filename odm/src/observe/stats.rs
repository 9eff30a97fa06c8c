//! What a handle has counted: what is read and written of each model, loads and joins of each relation, aggregations
//! with a `$lookup` of their own, and what copies save and cost.
//!
//! The figures are those of one program and of the time since the handle was made. They are kept in memory, sent
//! nowhere, and are there for [`Odm::stats`].

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
        odm::{Odm, Unindexed},
    },
    derived::values::CopyReport,
    model::shape::{DocumentSet, ModelShape},
};
use copies::Copies;
use lookups::Lookups;
use models::Models;
use relations::Relations;

/// What a handle and its clones have counted; see [`Odm::stats`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// The relations that were loaded, joined or counted, by their name.
    pub relations: Vec<RelationStats>,
    /// The models that were read or written, by their name.
    pub models: Vec<ModelStats>,
    /// The `$lookup`s in aggregations of the application.
    pub lookups: Vec<LookupStats>,
    /// All extended references of the program, with what their copies have saved and cost.
    pub copies: Vec<CopyStats>,
}

/// The counters of a handle.
#[derive(Debug, Default)]
struct Counters {
    copies: Copies,
    relations: Relations,
    models: Models,
    lookups: Lookups,
}

/// Counts the documents that one query hands out.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    copies: Option<copies::CopyReads>,
    model: Option<Arc<models::ModelCounts>>,
    related: Option<Related>,
}

impl Reads {
    /// Counts documents that were handed out.
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
    /// Returns what this handle and its clones have counted since it was made. Sends nothing.
    ///
    /// A call counts when it is sent, and not when it is only planned. A write in a transaction counts also when the
    /// transaction is rolled back or tried again. Nothing is counted with
    /// [`Settings::counters(false)`](crate::Settings::counters).
    ///
    /// Every fan-out to copies is a `tracing` event of level debug as well, with the extended reference and its figures.
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

    /// Counts a query of the documents of a model, which are asked for themselves, or else by a relation that is counted
    /// already; returns what counts the documents that it brings.
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

    /// Counts a question about the documents of a model that brings none of them: a count, for instance.
    pub(crate) fn count_question(&self, model: &'static ModelShape, filter: &Document) {
        if let Some(counters) = self.counters() {
            counters.models.of(model).queried(filter, None);
        }
    }

    /// Counts an aggregation of the application.
    pub(crate) fn count_aggregation(&self, model: &'static ModelShape, pipeline: &[Document]) {
        if let Some(counters) = self.counters() {
            counters.lookups.add(model, pipeline);
        }
    }

    /// Counts what a write has done to documents of a model.
    pub(crate) fn count_write(&self, model: &'static ModelShape, wrote: &impl Wrote) {
        if let Some(counters) = self.counters() {
            counters.models.of(model).wrote(wrote.wrote());
        }
    }

    /// Counts a load, a join or a count of a relation that is about to be sent; returns what counts its documents.
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
                relation.count_call(asked, keys, at, target_counts)
            }
            None => Related::default(),
        }
    }

    /// Counts owners whose sources are loaded by the reference beside their copies.
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

    /// Counts what a write to a source did to copies.
    pub(crate) fn count_fan_out(&self, reports: &[CopyReport]) {
        self.count_copies(reports, 1);
    }

    /// Counts what a job did for writes that were counted before.
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
