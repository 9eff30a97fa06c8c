//! The documents of one source, and what a transaction writes to them.

/// The most copies that there can be. Their keys are their positions.
pub(crate) const COPIES: usize = 3;

/// A value of the source, and of its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    A,
    B,
    C,
}

/// `_odm_jobs {_id: {source, key}, seq, needs_run, changed_at}`: copies of the source may be stale.
///
/// `changed_at` is no field here. What it is for is
/// [`Transaction::is_old`](crate::transaction::Transaction::is_old).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Job {
    pub(crate) seq: u8,
    /// A rename left copies behind for a run. Without it only the settle sweep is due.
    pub(crate) needs_run: bool,
}

/// `_odm_cursors {_id: {source, key}, seq, lo}`: the copies with keys below `lo` were visited in pass `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cursor {
    pub(crate) seq: u8,
    pub(crate) lo: usize,
}

/// All documents that belong to one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Database {
    pub(crate) source: Value,
    pub(crate) copies: [Option<Value>; COPIES],
    pub(crate) job: Option<Job>,
    pub(crate) cursor: Option<Cursor>,
}

impl Database {
    /// A source with the value `A`, and copies of it.
    pub(crate) fn new(copies: [Option<Value>; COPIES]) -> Self {
        Self {
            source: Value::A,
            copies,
            job: None,
            cursor: None,
        }
    }

    /// Whether every copy there is equals the source.
    pub(crate) fn is_equal(&self) -> bool {
        self.copies
            .iter()
            .flatten()
            .all(|copy| *copy == self.source)
    }

    /// Whether there is a copy with this key that differs from the source.
    pub(crate) fn is_stale(&self, key: usize) -> bool {
        self.copies[key].is_some_and(|copy| copy != self.source)
    }
}

/// What a transaction writes: all of it was decided by its snapshot, when it began.
///
/// Every setter compares with the snapshot, because an update that changes nothing is no write: it
/// takes no lock, and does not conflict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Writes {
    source: Option<Value>,
    copies: [Option<Value>; COPIES],
    job: Option<After<Job>>,
    cursor: Option<After<Cursor>>,
}

/// A document after a write, which may have removed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct After<T>(Option<T>);

impl Writes {
    pub(crate) fn source(&mut self, snapshot: &Database, value: Value) {
        self.source = (snapshot.source != value).then_some(value);
    }

    pub(crate) fn copy(&mut self, snapshot: &Database, key: usize, value: Value) {
        self.copies[key] = (snapshot.copies[key] != Some(value)).then_some(value);
    }

    pub(crate) fn job(&mut self, snapshot: &Database, job: Option<Job>) {
        self.job = (snapshot.job != job).then_some(After(job));
    }

    pub(crate) fn cursor(&mut self, snapshot: &Database, cursor: Option<Cursor>) {
        self.cursor = (snapshot.cursor != cursor).then_some(After(cursor));
    }

    /// Writes the cursor together with a field that changes in any case.
    pub(crate) fn counted_cursor(&mut self, cursor: Cursor) {
        self.cursor = Some(After(Some(cursor)));
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn is_rename(&self) -> bool {
        self.source.is_some()
    }

    /// The number that the write gives to a job.
    pub(crate) fn seq(&self) -> Option<u8> {
        Some(self.job?.0?.seq)
    }

    /// Whether both write one document.
    pub(crate) fn is_conflict(&self, other: &Self) -> bool {
        let copies = || self.copies.iter().zip(&other.copies);
        (self.source.is_some() && other.source.is_some())
            || (self.job.is_some() && other.job.is_some())
            || (self.cursor.is_some() && other.cursor.is_some())
            || copies().any(|(one, other)| one.is_some() && other.is_some())
    }

    pub(crate) fn apply(&self, database: &mut Database) {
        database.source = self.source.unwrap_or(database.source);
        database.job = self.job.map_or(database.job, |job| job.0);
        database.cursor = self.cursor.map_or(database.cursor, |cursor| cursor.0);
        for (copy, write) in database.copies.iter_mut().zip(&self.copies) {
            *copy = write.or(*copy);
        }
    }
}
