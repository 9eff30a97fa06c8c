//! The counters of loads, joins and counts for each relation.

use std::{
    collections::BTreeMap,
    panic::Location,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use super::{calls_per_task::CallsPerTask, models::ModelCounts};
use crate::model::shape::ModelShape;

/// The loads, joins and counts that this program sent for one relation.
///
/// Links (`#[links]`) are a relation too. `Student.linked` counts the calls of `linked_to`, `count_linked` and
/// `join_linked` for linked students. `Enrollment.linked` counts the calls for linked documents of all kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RelationStats {
    /// The relation: `Product.parts`.
    pub relation: &'static str,
    /// The target.
    pub target: &'static str,
    /// Number of `load_*` calls for single documents, and of `linked_to` and `linked` calls for one document.
    pub loads: u64,
    /// Number of `join_*` calls.
    pub joins: u64,
    /// Number of loads and joins that have a filter or a limit.
    pub parts: u64,
    /// Number of count calls, for one document or for many.
    pub counts: u64,
    /// Number of keys in these calls. A call counts each key once.
    pub keys: u64,
    /// Number of owners in the loads and joins. A call counts each owner once.
    pub owners: u64,
    /// Number of documents that the loads and joins returned.
    pub documents: u64,
    /// Largest number of loads and counts for single documents that one task sent from one line of the program, each
    /// within a second of the previous one. One `join_*` could replace them.
    pub most_loads_in_a_task: u64,
    /// The line that sent them, for example `src/report.rs:12:31`.
    pub loaded_at: Option<String>,
}

/// The type of a call for a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The documents of one owner.
    Load,
    /// The documents of one owner, up to a limit.
    LoadSome,
    /// The documents of many owners, for each owner separately.
    Join { owners: u32 },
    /// The number of documents of one owner.
    Count,
    /// The number of documents for each of many owners.
    CountEach,
}

impl Asked {
    const fn is_of_one_owner(self) -> bool {
        matches!(self, Self::Load | Self::LoadSome | Self::Count)
    }

    /// Returns the number of owners in a load or join.
    const fn owners(self) -> u32 {
        match self {
            Self::Load | Self::LoadSome => 1,
            Self::Join { owners } => owners,
            Self::Count | Self::CountEach => 0,
        }
    }

    const fn is_count(self) -> bool {
        matches!(self, Self::Count | Self::CountEach)
    }
}

/// The counters of all relations, by name and target.
#[derive(Debug, Default)]
pub(super) struct Relations(Mutex<BTreeMap<Name, Arc<RelationCounts>>>);

/// The name of a relation and its target.
type Name = (&'static str, &'static str);

#[derive(Debug, Default)]
pub(super) struct RelationCounts {
    loads: AtomicU64,
    joins: AtomicU64,
    parts: AtomicU64,
    counts: AtomicU64,
    keys: AtomicU64,
    owners: AtomicU64,
    documents: AtomicU64,
    calls_per_task: CallsPerTask,
}

/// The counters for the documents that one call for a relation returns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Related {
    relation: Option<Arc<RelationCounts>>,
    target: Option<Arc<ModelCounts>>,
    /// Number of calls for single documents that this task has sent from this line, including this one.
    pub(crate) in_task: u64,
}

impl Related {
    /// Counts returned documents.
    pub(crate) fn add(&self, documents: usize) {
        if let Some(relation) = &self.relation {
            relation.documents.fetch_add(documents as u64, Relaxed);
        }
        if let Some(target) = &self.target {
            target.brought(documents);
        }
    }

    /// Counts that the call has a filter or a limit.
    pub(crate) fn of_part(&self) {
        if let Some(relation) = &self.relation {
            relation.parts.fetch_add(1, Relaxed);
        }
    }

    /// Counts the fields of the projection.
    pub(crate) fn projected(&self, projection: Option<&mongodb::bson::Document>) {
        if let Some(target) = &self.target {
            target.projected(projection);
        }
    }
}

impl Relations {
    /// Returns the counters of a relation.
    pub(super) fn of(
        &self,
        relation: &'static str,
        target: &'static ModelShape,
    ) -> Arc<RelationCounts> {
        let mut relations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(relations.entry((relation, target.name)).or_default())
    }

    /// Returns the counters.
    pub(super) fn stats(&self) -> Vec<RelationStats> {
        let relations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        relations.iter().map(|(of, it)| it.stats(*of)).collect()
    }
}

impl RelationCounts {
    /// Counts a call. Returns the counters for its documents.
    pub(super) fn count_call(
        self: Arc<Self>,
        asked: Asked,
        keys: u32,
        at: Option<&'static Location<'static>>,
        target: Arc<ModelCounts>,
    ) -> Related {
        let calls = match asked {
            Asked::Load | Asked::LoadSome => &self.loads,
            Asked::Join { .. } => &self.joins,
            Asked::Count | Asked::CountEach => &self.counts,
        };
        calls.fetch_add(1, Relaxed);
        self.keys.fetch_add(keys.into(), Relaxed);
        self.owners.fetch_add(asked.owners().into(), Relaxed);
        let at = at.filter(|_| asked.is_of_one_owner());
        let in_task = at.map_or(0, |at| self.calls_per_task.add(at));
        Related {
            relation: Some(self),
            target: Some(target).filter(|_| !asked.is_count()),
            in_task,
        }
    }

    fn stats(&self, (relation, target): Name) -> RelationStats {
        let (most, at) = self.calls_per_task.most();
        RelationStats {
            relation,
            target,
            loads: self.loads.load(Relaxed),
            joins: self.joins.load(Relaxed),
            parts: self.parts.load(Relaxed),
            counts: self.counts.load(Relaxed),
            keys: self.keys.load(Relaxed),
            owners: self.owners.load(Relaxed),
            documents: self.documents.load(Relaxed),
            most_loads_in_a_task: most,
            loaded_at: at.map(ToString::to_string),
        }
    }
}
