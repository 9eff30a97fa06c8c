//! The documents of one parent, and the changes that a transaction makes to them.

use std::array::{from_mut, from_ref};

use crate::{
    difference::Difference,
    fields::{CHILDREN, Child, Field, Fields, Summary},
    rules::Mark,
    setup::Setup,
    state::Age,
};

/// All documents that belong to one parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Database {
    /// The parent, if it exists.
    pub(crate) parent: Option<Summary>,
    /// Which children exist. The value of each child never changes.
    pub(crate) children: [bool; CHILDREN],
    /// `_odm_deltas {_id, parent, count: 1, max: v}`: the values of a child that the parent does not contain yet. A
    /// field that was computed with this child is no longer in the delta.
    pub(crate) deltas: [Option<Fields>; CHILDREN],
    /// `_odm_deltas {_id, parent, count: -1}`: subtracts a child that was removed while a delta or a job was pending.
    pub(crate) leaves: [Option<Fields>; CHILDREN],
    pub(crate) job: Option<Job>,
}

/// A version of a job. Versions are compared only for equality, and a version that no process knows any longer is used
/// again.
pub(crate) type Version = usize;

/// The placeholder for the version of a written job, which gets its version when the write commits.
pub(crate) const NEW: Version = 0;

/// `_odm_jobs {_id, version, phase, changed_at}`: the fields of the parent may be wrong.
///
/// `changed_at` is not a field here. [`Transaction::age`](crate::machine::Transaction::age) replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Job {
    pub(crate) version: Version,
    pub(crate) phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Phase {
    /// The job is due.
    Run,
    /// The job is due after the grace period.
    Settle,
}

impl Database {
    /// Whether there are no deltas.
    pub(crate) fn is_folded(&self) -> bool {
        let mut deltas = self.deltas.iter().chain(&self.leaves);
        deltas.all(Option::is_none)
    }

    /// Whether a field is in a delta.
    pub(crate) fn is_pending(&self, field: Field) -> bool {
        let mut deltas = self.deltas.iter().chain(&self.leaves).flatten();
        deltas.any(|delta| delta.has(field))
    }

    /// Whether the job exists and its run is due.
    pub(crate) fn is_running(&self) -> bool {
        self.job.is_some_and(|job| job.phase == Phase::Run)
    }

    /// Writes the job: `{$set: {version, changed_at: now}}`, and the phase, unless a run is already due.
    pub(crate) fn record(&mut self, phase: Phase) {
        let phase = self.job.map_or(phase, |job| job.phase.min(phase));
        let version = NEW;
        self.job = Some(Job { version, phase });
    }

    /// Writes the job if the rule requires it. The job is due after the grace period.
    pub(crate) fn mark(&mut self, rule: Mark) {
        let is_marked = match rule {
            Mark::Job => true,
            Mark::IfThere => self.job.is_some(),
            Mark::Never => false,
        };
        if is_marked {
            self.record(Phase::Settle);
        }
    }

    /// Adds the value of a child to a field of the parent.
    pub(crate) fn add(&mut self, setup: &Setup, field: Field, child: Child) {
        if let Some(parent) = &mut self.parent {
            parent.add(field, setup.value(field, child));
        }
    }

    /// Adds all deltas to the parent.
    pub(crate) fn add_deltas(&mut self, setup: &Setup) {
        for (child, delta) in self.deltas.into_iter().enumerate() {
            for field in delta.unwrap_or_default().iter() {
                self.add(setup, field, child);
            }
        }
        for delta in self.leaves.into_iter().flatten() {
            if delta.has(Field::Count) {
                self.take_one();
            }
        }
    }

    /// Subtracts one from the count.
    pub(crate) fn take_one(&mut self) {
        if let Some(parent) = &mut self.parent {
            parent.add(Field::Count, -1);
        }
    }

    /// Whether the count of the parent is negative.
    pub(crate) fn is_below_none(&self) -> bool {
        let is_negative = |parent: Summary| parent.get(Field::Count) < 0;
        self.parent.is_some_and(is_negative)
    }
}

/// The writes of a transaction. Its snapshot determined all of them when the transaction began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Writes {
    parent: Difference<Option<Summary>, 1>,
    children: Difference<bool, CHILDREN>,
    deltas: Difference<Option<Fields>, CHILDREN>,
    leaves: Difference<Option<Fields>, CHILDREN>,
    job: Difference<Option<Job>, 1>,
}

impl Writes {
    /// The writes that change `snapshot` to `after`.
    pub(crate) fn between(snapshot: &Database, after: &Database) -> Self {
        Self {
            parent: Difference::between(from_ref(&snapshot.parent), from_ref(&after.parent)),
            children: Difference::between(&snapshot.children, &after.children),
            deltas: Difference::between(&snapshot.deltas, &after.deltas),
            leaves: Difference::between(&snapshot.leaves, &after.leaves),
            job: Difference::between(from_ref(&snapshot.job), from_ref(&after.job)),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parent.is_empty()
            && self.children.is_empty()
            && self.deltas.is_empty()
            && self.leaves.is_empty()
            && self.job.is_empty()
    }

    /// Marks another transaction as old if this commit changes the job and does not remove it.
    pub(crate) fn grow(&self, is_old: &mut Age, _: &Setup) {
        *is_old |= self.job.get(0).is_some_and(|job| job.is_some());
    }

    /// Whether both write the same document.
    pub(crate) fn is_conflict(&self, other: &Self) -> bool {
        self.parent.is_conflict(&other.parent)
            || self.job.is_conflict(&other.job)
            || self.children.is_conflict(&other.children)
            || self.deltas.is_conflict(&other.deltas)
            || self.leaves.is_conflict(&other.leaves)
    }

    pub(crate) fn apply(&self, database: &mut Database) {
        self.parent.apply(from_mut(&mut database.parent));
        self.children.apply(&mut database.children);
        self.deltas.apply(&mut database.deltas);
        self.leaves.apply(&mut database.leaves);
        self.job.apply(from_mut(&mut database.job));
    }
}
