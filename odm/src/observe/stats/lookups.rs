//! Counts the application's aggregations that contain a `$lookup`.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use mongodb::bson::{Bson, Document};

use crate::model::shape::ModelShape;

/// Largest number of different `$lookup`s that are counted. The limit bounds the memory use.
const LOOKUPS: usize = 256;

/// A `$lookup` in the application's aggregations. A `join_*` call could replace it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct LookupStats {
    /// The model on which the aggregation was called.
    pub model: &'static str,
    /// The collection of that model.
    pub collection: &'static str,
    /// The collection in which the `$lookup` searches for documents.
    pub from: String,
    /// The path in the model (`localField`). `None` if the `$lookup` has only a pipeline.
    pub local: Option<String>,
    /// The path in the other collection (`foreignField`).
    pub foreign: Option<String>,
    /// Number of aggregations that contained this `$lookup`.
    pub runs: u64,
}

#[derive(Debug, Default)]
pub(super) struct Lookups(Mutex<BTreeMap<LookupStats, u64>>);

impl Lookups {
    /// Counts the `$lookup`s in an aggregation.
    pub(super) fn add(&self, model: &'static ModelShape, pipeline: &[Document]) {
        each_lookup(pipeline, &mut |lookup| {
            let path = |name| lookup.get_str(name).ok().map(str::to_owned);
            let Some(from) = path("from") else {
                return;
            };
            let found = LookupStats {
                model: model.name,
                collection: model.collection,
                from,
                local: path("localField"),
                foreign: path("foreignField"),
                runs: 0,
            };
            let mut lookups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if lookups.len() < LOOKUPS || lookups.contains_key(&found) {
                *lookups.entry(found).or_default() += 1;
            }
        });
    }

    /// Returns the current values of the counters.
    pub(super) fn stats(&self) -> Vec<LookupStats> {
        let lookups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let with_runs = |(lookup, runs): (&LookupStats, &u64)| LookupStats {
            runs: *runs,
            ..lookup.clone()
        };
        lookups.iter().map(with_runs).collect()
    }
}

/// Calls a function for each `$lookup` in a pipeline, including those inside a `$facet`.
fn each_lookup(pipeline: &[Document], found: &mut dyn FnMut(&Document)) {
    for stage in pipeline {
        if let Ok(lookup) = stage.get_document("$lookup") {
            found(lookup);
        }
        let facets = stage.get_document("$facet").into_iter();
        let facets = facets.flat_map(Document::values).filter_map(Bson::as_array);
        for facet in facets {
            let stages = facet.iter().filter_map(Bson::as_document).cloned();
            each_lookup(&stages.collect::<Vec<_>>(), found);
        }
    }
}
