//! The documents of one source, and the changes that a transaction makes to them.

use std::array::{from_mut, from_ref};

use crate::{age::Age, difference::Difference, setup::Setup};

/// The most copies that there can be. Their keys are their positions.
pub(crate) const COPIES: usize = 3;

/// The most relations that there can be.
pub(crate) const RELATIONS: usize = 2;

/// What a source is copied by: `products.parts.id <- parts._id`. Each has copies, a job and a cursor of its
/// own.
pub(crate) type Relation = usize;

/// A value of the source, and of its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    A,
    B,
    C,
}

/// `_odm_jobs {_id: {relation, key}, seq, needs_run, changed_at, not_before, fields}`: copies of one relation may be stale.
///
/// `changed_at` is not a field here: the [age](crate::age) of the transactions stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Job {
    pub(crate) seq: u8,
    /// A rename left copies behind for a run. Without it only the settle sweep is due.
    pub(crate) needs_run: bool,
    /// `not_before`: the settle sweep waits until nobody renames any longer without knowing the copies.
    pub(crate) waits: bool,
    /// `fields`: a writer of the newer version left it, who declares more copies than the older one.
    pub(crate) is_of_newer: bool,
}

/// `_odm_cursors {_id: {relation, key}, seq, lo}`: that many copies of the relation were visited in pass
/// `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cursor {
    pub(crate) seq: u8,
    pub(crate) lo: usize,
    /// The older version of the program has visited them. Who a cursor is from is no field: a settle sweep
    /// begins anew whoever has begun one.
    pub(crate) is_older: bool,
    /// A transaction writes it together with a field that changes in any case.
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

    /// Whether every copy there is with one of these keys equals the source.
    pub(crate) fn is_equal(&self, mut keys: impl Iterator<Item = usize>) -> bool {
        keys.all(|key| !self.is_stale(key))
    }

    /// Whether there is a copy with this key that differs from the source.
    pub(crate) fn is_stale(&self, key: usize) -> bool {
        self.copies[key].is_some_and(|copy| copy != self.source)
    }
}

/// What a transaction writes: all of it was decided by its snapshot, when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Writes {
    source: Difference<Value, 1>,
    copies: Difference<Option<Value>, COPIES>,
    jobs: Difference<Option<Job>, RELATIONS>,
    cursors: Difference<Option<Cursor>, RELATIONS>,
}

impl Writes {
    /// What makes `after` of `snapshot`.
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

    /// The commit of a rename makes other transactions older.
    pub(crate) fn grow(&self, age: &mut Age, setup: &Setup) {
        if self.is_rename() {
            age.on_rename(setup.rules.grace);
        }
    }

    pub(crate) fn is_rename(&self) -> bool {
        !self.source.is_empty()
    }

    /// The largest number that the write gives to a job.
    pub(crate) fn seq(&self) -> Option<u8> {
        let jobs = (0..RELATIONS).filter_map(|of| self.jobs.get(of)?);
        jobs.map(|job| job.seq).max()
    }

    /// Whether both write one document.
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
