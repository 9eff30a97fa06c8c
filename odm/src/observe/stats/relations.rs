//! Loads, joins and counts of each relation.

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

/// How often a relation was followed by this program, and what came.
///
/// What documents are linked with (`#[links]`) is a relation as well: `Student.linked` of what a student is linked with, by
/// `linked_to`, `count_linked` and `join_linked`, and `Enrollment.linked` of all kinds together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RelationStats {
    /// The relation: `Product.parts`.
    pub relation: &'static str,
    /// The model that it leads to.
    pub target: &'static str,
    /// How many `load_*` of single documents were sent, or `linked_to` and `linked` of one.
    pub loads: u64,
    /// How many `join_*` were sent.
    pub joins: u64,
    /// How many of the loads and joins asked for a part of the documents alone, by a filter or a limit.
    pub parts: u64,
    /// How many counts were sent, of one document or of each of many.
    pub counts: u64,
    /// How many keys all of them have asked for; each once in a call.
    pub keys: u64,
    /// For how many documents the loads and joins were sent; each once in a call.
    pub owners: u64,
    /// How many documents the loads and joins have brought.
    pub documents: u64,
    /// The most loads and counts of single documents that one task has sent from one place of the program, each within a
    /// second after the one before. Many of them would be one `join_*`.
    pub most_loads_in_a_task: u64,
    /// That place: `src/report.rs:12:31`.
    pub loaded_at: Option<String>,
}

/// What was asked of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The documents of one owner.
    Load,
    /// Some documents of one owner: up to a limit.
    LoadSome,
    /// The documents of each of many owners.
    Join { owners: u32 },
    /// How many documents one owner has.
    Count,
    /// How many documents each of many owners has.
    CountEach,
}

impl Asked {
    const fn is_of_one_owner(self) -> bool {
        matches!(self, Self::Load | Self::LoadSome | Self::Count)
    }

    /// Returns how many owners ask for their documents.
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

/// The counters of all relations, by their name and what they lead to.
#[derive(Debug, Default)]
pub(super) struct Relations(Mutex<BTreeMap<Name, Arc<RelationCounts>>>);

/// A relation and the model that it leads to.
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

/// Counts the documents that a relation brings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Related {
    relation: Option<Arc<RelationCounts>>,
    target: Option<Arc<ModelCounts>>,
    /// How many calls for single documents this task has made from one place until now, this one included.
    pub(crate) in_task: u64,
}

impl Related {
    /// Counts documents that were handed out.
    pub(crate) fn add(&self, documents: usize) {
        if let Some(relation) = &self.relation {
            relation.documents.fetch_add(documents as u64, Relaxed);
        }
        if let Some(target) = &self.target {
            target.brought(documents);
        }
    }

    /// Counts that a part of them alone was asked for.
    pub(crate) fn of_part(&self) {
        if let Some(relation) = &self.relation {
            relation.parts.fetch_add(1, Relaxed);
        }
    }

    /// Counts what a projection brings back of them.
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

    /// Returns what has been counted.
    pub(super) fn stats(&self) -> Vec<RelationStats> {
        let relations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        relations.iter().map(|(of, it)| it.stats(*of)).collect()
    }
}

impl RelationCounts {
    /// Counts a call; returns what counts its documents.
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
