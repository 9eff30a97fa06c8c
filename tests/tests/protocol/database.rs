//! The documents of one source, and what a transaction writes to them.

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
/// `changed_at` is no field here. What it is for is
/// [`Transaction::is_old`](crate::transaction::Transaction::is_old).
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
///
/// Every setter compares with the snapshot, because an update that changes nothing is no write: it
/// takes no lock, and does not conflict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Writes {
    source: Option<Value>,
    copies: [Option<Value>; COPIES],
    jobs: [Option<After<Job>>; RELATIONS],
    cursors: [Option<After<Cursor>>; RELATIONS],
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

    pub(crate) fn job(&mut self, snapshot: &Database, of: Relation, job: Option<Job>) {
        self.jobs[of] = (snapshot.jobs[of] != job).then_some(After(job));
    }

    pub(crate) fn cursor(&mut self, snapshot: &Database, of: Relation, cursor: Option<Cursor>) {
        self.cursors[of] = (snapshot.cursors[of] != cursor).then_some(After(cursor));
    }

    /// Writes the cursor together with a field that changes in any case.
    pub(crate) fn counted_cursor(&mut self, of: Relation, cursor: Cursor) {
        self.cursors[of] = Some(After(Some(cursor)));
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn is_rename(&self) -> bool {
        self.source.is_some()
    }

    /// The largest number that the write gives to a job.
    pub(crate) fn seq(&self) -> Option<u8> {
        let jobs = self.jobs.iter().flatten();
        jobs.filter_map(|after| Some(after.0?.seq)).max()
    }

    /// Whether both write one document.
    pub(crate) fn is_conflict(&self, other: &Self) -> bool {
        (self.source.is_some() && other.source.is_some())
            || is_both(&self.jobs, &other.jobs)
            || is_both(&self.cursors, &other.cursors)
            || is_both(&self.copies, &other.copies)
    }

    pub(crate) fn apply(&self, database: &mut Database) {
        database.source = self.source.unwrap_or(database.source);
        apply(&mut database.jobs, &self.jobs);
        apply(&mut database.cursors, &self.cursors);
        for (copy, write) in database.copies.iter_mut().zip(&self.copies) {
            *copy = write.or(*copy);
        }
    }
}

fn is_both<T>(one: &[Option<T>], other: &[Option<T>]) -> bool {
    let mut both = one.iter().zip(other);
    both.any(|(one, other)| one.is_some() && other.is_some())
}

fn apply<T: Copy>(documents: &mut [Option<T>], writes: &[Option<After<T>>]) {
    for (document, write) in documents.iter_mut().zip(writes) {
        *document = write.map_or(*document, |after| after.0);
    }
}
