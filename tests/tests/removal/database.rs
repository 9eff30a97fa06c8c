//! The source, its children, the two jobs, and the changes that a transaction makes to them.

use std::array::{from_mut, from_ref};

use crate::{difference::Difference, setup::Setup};

/// Maximum number of children.
pub(crate) const CHILDREN: usize = 2;

/// A value of the source, and of its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    Old,
    New,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Child {
    Missing,
    /// The child does not refer to the source, and has no copy.
    Unlinked,
    /// The child refers to the source. The copy is `None` if the child was stored while the source was missing.
    Linked(Option<Value>),
}

/// Positions of the jobs: the job of the delete rule, and the job for the copies.
pub(crate) const RULE: usize = 0;
pub(crate) const COPIES: usize = 1;

/// `_odm_jobs {_id: {relation, key}, version, phase, changed_at}`
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Job {
    pub(crate) phase: Phase,
    /// Whether the current transaction writes `{$set: {version, changed_at: now}}`.
    pub(crate) is_changed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Phase {
    /// The job is due.
    Run,
    /// The job is due after the grace period.
    Settle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Database {
    pub(crate) source: Option<Value>,
    pub(crate) children: [Child; CHILDREN],
    pub(crate) jobs: [Option<Job>; 2],
}

impl Database {
    /// Whether any child refers to the source.
    pub(crate) fn has_links(&self) -> bool {
        let mut children = self.children.iter();
        children.any(|child| matches!(child, Child::Linked(_)))
    }

    /// Changes all children that refer to the source. Returns whether there are any.
    pub(crate) fn change_links(&mut self, to: Child) -> bool {
        let has_links = self.has_links();
        let links = self.children.iter_mut();
        let links = links.filter(|child| matches!(child, Child::Linked(_)));
        links.for_each(|child| *child = to);
        has_links
    }

    /// Whether no child has a copy of a source that is missing, and all copies of an existing source are equal to it.
    ///
    /// A child may wait without a copy for a missing source.
    pub(crate) fn is_right(&self) -> bool {
        let mut children = self.children.iter();
        children.all(|child| match child {
            Child::Linked(copy) => *copy == self.source,
            Child::Missing | Child::Unlinked => true,
        })
    }

    /// Stores a job with this phase. If a run is already due, the phase does not change. Returns the phase.
    pub(crate) fn record(&mut self, job: usize, phase: Phase) -> Phase {
        let phase = self.jobs[job].map_or(phase, |job| job.phase.min(phase));
        let is_changed = true;
        self.jobs[job] = Some(Job { phase, is_changed });
        phase
    }
}

/// The writes of a transaction. Its snapshot determined all of them when the transaction began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Writes {
    source: Difference<Option<Value>, 1>,
    children: Difference<Child, CHILDREN>,
    jobs: Difference<Option<Job>, 2>,
}

impl Writes {
    /// The writes that change `snapshot` to `after`.
    pub(crate) fn between(snapshot: &Database, after: &Database) -> Self {
        Self {
            source: Difference::between(from_ref(&snapshot.source), from_ref(&after.source)),
            children: Difference::between(&snapshot.children, &after.children),
            jobs: Difference::between(&snapshot.jobs, &after.jobs),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.source.is_empty() && self.children.is_empty() && self.jobs.is_empty()
    }

    /// Whether both write the same document.
    pub(crate) fn is_conflict(&self, other: &Self) -> bool {
        self.source.is_conflict(&other.source)
            || self.children.is_conflict(&other.children)
            || self.jobs.is_conflict(&other.jobs)
    }

    /// Whether these writes give a job a different version, or remove it.
    pub(crate) fn ends_version(&self, job: usize) -> bool {
        self.jobs.get(job).is_some()
    }

    /// Marks another transaction as older than the jobs that this commit stores.
    pub(crate) fn grow(&self, is_older: &mut [bool; 2], _: &Setup) {
        for (job, is_older) in is_older.iter_mut().enumerate() {
            let stored = self.jobs.get(job).flatten();
            *is_older |= stored.is_some_and(|job| job.is_changed);
        }
    }

    pub(crate) fn apply(&self, database: &mut Database) {
        self.source.apply(from_mut(&mut database.source));
        self.children.apply(&mut database.children);
        self.jobs.apply(&mut database.jobs);
        for job in database.jobs.iter_mut().flatten() {
            job.is_changed = false;
        }
    }
}
