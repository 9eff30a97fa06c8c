//! Aggregations that look up documents of another collection themselves.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use mongodb::bson::{Bson, Document};

use crate::model::shape::ModelShape;

/// How many different `$lookup`s are told apart.
const LOOKUPS: usize = 256;

/// How often aggregations of this program look up documents of another collection with a `$lookup` of their own, instead
/// of a `join_*`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct LookupStats {
    /// The model that is aggregated.
    pub model: &'static str,
    /// Its collection.
    pub collection: &'static str,
    /// The collection that is looked up.
    pub from: String,
    /// The path on this side (`localField`); none where the lookup has a pipeline only.
    pub local: Option<String>,
    /// The path on the other side (`foreignField`).
    pub foreign: Option<String>,
    /// How many aggregations had it.
    pub runs: u64,
}

#[derive(Debug, Default)]
pub(super) struct Lookups(Mutex<BTreeMap<LookupStats, u64>>);

impl Lookups {
    /// Counts the lookups of an aggregation.
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

    /// Returns what has been counted.
    pub(super) fn stats(&self) -> Vec<LookupStats> {
        let lookups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let with_runs = |(lookup, runs): (&LookupStats, &u64)| LookupStats {
            runs: *runs,
            ..lookup.clone()
        };
        lookups.iter().map(with_runs).collect()
    }
}

/// Hands over the `$lookup`s of a pipeline and of the pipelines of a `$facet` in it.
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
