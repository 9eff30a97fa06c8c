//! The documents of one source, and the changes that a transaction makes to them.

use std::array::{from_mut, from_ref};

use crate::{age::Age, difference::Difference, setup::Setup};

/// Maximum number of copies. The key of a copy is its position.
pub(crate) const COPIES: usize = 3;

/// Maximum number of relations.
pub(crate) const RELATIONS: usize = 2;

/// The position of a relation by which the source is copied, such as `products.parts.id <- parts._id`. Each relation
/// has its own copies, job and cursor.
pub(crate) type Relation = usize;

/// A value of the source, and of its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    A,
    B,
    C,
}

/// `_odm_jobs {_id: {relation, key}, seq, needs_run, changed_at, not_before, fields}`: copies of one relation may be
/// stale.
///
/// `changed_at` is not a field here. The [age](crate::age) of the transactions represents it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Job {
    pub(crate) seq: u8,
    /// Whether a rename has left stale copies to a run. Otherwise, only the last look is due.
    pub(crate) needs_run: bool,
    /// `not_before`: the last look waits until all renames that began without knowing the copies have ended.
    pub(crate) waits: bool,
    /// `fields`: the newer version stored the job, and declares more copies than the older version.
    pub(crate) is_of_newer: bool,
}

/// `_odm_cursors {_id: {relation, key}, seq, lo}`: `lo` copies of the relation were visited in pass `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cursor {
    pub(crate) seq: u8,
    pub(crate) lo: usize,
    /// `tie`: whether the older version of the program has visited them. The stored cursor contains the copies that the
    /// runner declares.
    pub(crate) is_older: bool,
    /// Whether a transaction also writes a field of the cursor that changes in any case.
    pub(crate) is_counted: bool,
}

/// All documents that belong to one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Database {
    pub(crate) source: Value,
    pub(crate) copies: [Option<Value>; COPIES],
    pub(crate) jobs: [Option<Job>; RELATIONS],
    pub(crate) cursors: [Option<Cursor>; RELATIONS],
}

impl Database {
    /// A source with the value `A`, and copies of it.
    pub(crate) fn new(copies: [Option<Value>; COPIES]) -> Self {
        Self {
            source: Value::A,
            copies,
            jobs: [None; RELATIONS],
            cursors: [None; RELATIONS],
        }
    }

    /// Whether all existing copies with these keys equal the source.
    pub(crate) fn is_equal(&self, mut keys: impl Iterator<Item = usize>) -> bool {
        keys.all(|key| !self.is_stale(key))
    }

    /// Whether there is a copy with this key that differs from the source.
    pub(crate) fn is_stale(&self, key: usize) -> bool {
        self.copies[key].is_some_and(|copy| copy != self.source)
    }
}

/// The writes of a transaction. Its snapshot determined all of them when the transaction began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Writes {
    source: Difference<Value, 1>,
    copies: Difference<Option<Value>, COPIES>,
    jobs: Difference<Option<Job>, RELATIONS>,
    cursors: Difference<Option<Cursor>, RELATIONS>,
}

impl Writes {
    /// The writes that change `snapshot` to `after`.
    pub(crate) fn between(snapshot: &Database, after: &Database) -> Self {
        Self {
            source: Difference::between(from_ref(&snapshot.source), from_ref(&after.source)),
            copies: Difference::between(&snapshot.copies, &after.copies),
            jobs: Difference::between(&snapshot.jobs, &after.jobs),
            cursors: Difference::between(&snapshot.cursors, &after.cursors),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.source.is_empty()
            && self.copies.is_empty()
            && self.jobs.is_empty()
            && self.cursors.is_empty()
    }

    /// Updates the age of another transaction if these writes are a rename that commits.
    pub(crate) fn grow(&self, age: &mut Age, setup: &Setup) {
        if self.is_rename() {
            age.on_rename(setup.rules.grace);
        }
    }

    pub(crate) fn is_rename(&self) -> bool {
        !self.source.is_empty()
    }

    /// The largest `seq` that these writes give to a job.
    pub(crate) fn seq(&self) -> Option<u8> {
        let jobs = (0..RELATIONS).filter_map(|of| self.jobs.get(of)?);
        jobs.map(|job| job.seq).max()
    }

    /// Whether both write the same document.
    pub(crate) fn is_conflict(&self, other: &Self) -> bool {
        self.source.is_conflict(&other.source)
            || self.jobs.is_conflict(&other.jobs)
            || self.cursors.is_conflict(&other.cursors)
            || self.copies.is_conflict(&other.copies)
    }

    pub(crate) fn apply(&self, database: &mut Database) {
        self.source.apply(from_mut(&mut database.source));
        self.copies.apply(&mut database.copies);
        self.jobs.apply(&mut database.jobs);
        self.cursors.apply(&mut database.cursors);
        for cursor in database.cursors.iter_mut().flatten() {
            cursor.is_counted = false;
        }
    }
}
