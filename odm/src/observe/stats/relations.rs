//! Counts the loads, joins and counts for each relation.

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
/// Links (`#[links]`) also count as a relation. `Student.linked` counts the calls to `linked_to`, `count_linked` and
/// `join_linked` that return linked students. `Enrollment.linked` counts the calls that return linked documents of all
/// kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RelationStats {
    /// The relation's name, for example `Product.parts`.
    pub relation: &'static str,
    /// The name of the target model.
    pub target: &'static str,
    /// Number of `load_*` calls for a single document, including calls to `linked_to` and `linked` for one document.
    pub loads: u64,
    /// Number of `join_*` calls.
    pub joins: u64,
    /// Number of loads and joins that have a filter or a limit.
    pub parts: u64,
    /// Number of calls that count the related documents of one owner or of many owners.
    pub counts: u64,
    /// Number of keys in the loads, joins and counts. A key that occurs several times in one call is counted once.
    pub keys: u64,
    /// Number of owners in the loads and joins. An owner that occurs several times in one call is counted once.
    pub owners: u64,
    /// Total number of documents that the loads and joins returned.
    pub documents: u64,
    /// Largest number of loads or counts for single documents that one task sent from the same source line, with at
    /// most a second between two calls. If these calls are in a loop, one `join_*` could replace them.
    ///
    /// A web server can run all requests of a connection in one task, so the calls can also belong to several requests.
    /// Calls of handles that are created for each request, such as `odm.for_tenant(..)`, are counted separately.
    pub most_loads_in_a_task: u64,
    /// The source line that sent the calls in `most_loads_in_a_task`, for example `src/report.rs:12:31`.
    pub loaded_at: Option<String>,
}

/// The type of a call that follows a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Loads the related documents of one owner.
    Load,
    /// Loads the related documents of one owner, up to a limit.
    LoadSome,
    /// Loads the related documents of many owners, separately for each owner.
    Join { owners: u32 },
    /// Counts the related documents of one owner.
    Count,
    /// Counts the related documents of many owners, separately for each owner.
    CountEach,
}

impl Asked {
    const fn is_of_one_owner(self) -> bool {
        matches!(self, Self::Load | Self::LoadSome | Self::Count)
    }

    /// Returns the number of owners in a load or join. The number is 0 for a count.
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

/// The counters of all relations, sorted by relation and target.
#[derive(Debug, Default)]
pub(super) struct Relations(Mutex<BTreeMap<Name, Arc<RelationCounts>>>);

/// The name of a relation and the name of its target model.
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

/// The counters for the documents that a load or a join returns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Related {
    relation: Option<Arc<RelationCounts>>,
    target: Option<Arc<ModelCounts>>,
    /// Number of calls for single documents that this task has sent from the same source line, including the current
    /// call.
    pub(crate) in_task: u64,
}

impl Related {
    /// Adds the number of returned documents to the counters.
    pub(crate) fn add(&self, documents: usize) {
        if let Some(relation) = &self.relation {
            relation.documents.fetch_add(documents as u64, Relaxed);
        }
        if let Some(target) = &self.target {
            target.brought(documents);
        }
    }

    /// Also counts this call as one that has a filter or a limit.
    pub(crate) fn of_part(&self) {
        if let Some(relation) = &self.relation {
            relation.parts.fetch_add(1, Relaxed);
        }
    }

    /// Counts the fields of the projection for the target model.
    pub(crate) fn projected(&self, projection: Option<&mongodb::bson::Document>) {
        if let Some(target) = &self.target {
            target.projected(projection);
        }
    }
}

impl Relations {
    /// Returns the counters of one relation.
    pub(super) fn of(
        &self,
        relation: &'static str,
        target: &'static ModelShape,
    ) -> Arc<RelationCounts> {
        let mut relations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(relations.entry((relation, target.name)).or_default())
    }

    /// Returns the current values of the counters.
    pub(super) fn stats(&self) -> Vec<RelationStats> {
        let relations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        relations.iter().map(|(of, it)| it.stats(*of)).collect()
    }
}

impl RelationCounts {
    /// Counts a call. Returns the counters to which the caller adds the number of documents in the server's reply.
    pub(super) fn count_call(
        self: Arc<Self>,
        asked: Asked,
        keys: u32,
        at: Option<(&'static Location<'static>, u64)>,
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
        let in_task = at.map_or(0, |(at, handle)| self.calls_per_task.add(at, handle));
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
