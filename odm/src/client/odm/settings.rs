//! Settings of a handle.

use std::time::Duration;

/// How joins are split, and how much one call may load.
///
/// The defaults come from measurements on a server with two cores; the README says how to repeat
/// them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// From how many distinct keys on a load or a join is split into ranges; 2,000 by default.
    ///
    /// A server with idle cores answers two halves of 200 keys in three quarters of the time that it
    /// takes for the whole; one that is busy takes a tenth more. From 2,000 keys on halves gain under
    /// any load. A program whose callers are few may set less.
    pub split_from: usize,
    /// The least and the most keys of one range; 1,000 and 10,000 by default. The keys are cut evenly
    /// into as many ranges as may be in flight, and further only where one would have more than the
    /// most. The least counts where it is not more than half of [`split_from`](Self::split_from).
    pub range: (usize, usize),
    /// How many ranges are in flight at once, outside transactions; 2 by default. Splitting gains
    /// nothing on a server without idle cores.
    pub in_flight: usize,
    /// The largest number of bytes of keys in one statement; 8 MiB by default, the server's limit
    /// is 16.
    pub range_bytes: usize,
    /// How many documents one load or join may decode before it fails; no limit by default.
    pub max_documents: Option<usize>,
    /// Up to how many copies are written in the transaction of their source; 1,000 by default. More
    /// are written by a job. For a delete it is how many documents go with the deleted ones, lose a
    /// reference to them or hold copies, on all levels together.
    pub inline_copies: u64,
    /// How long after a change a job looks at all copies once more: longer than two transactions that
    /// began before it can live; 3 minutes by default, for the server's own limit of 60 seconds (a
    /// transaction may outlive it by half).
    pub grace: Duration,
    /// How long a job pauses after each batch, as a part of the time that the batch took; 0.2 by
    /// default. While its source is changed again and again, it pauses three times that time besides.
    pub nice: f64,
    /// Who runs jobs whose time has come, and folds deltas; this handle, too, by default.
    pub settle: Settle,
    /// How often the declarations of other programs are read (`_odm_schema`), by the first write after
    /// that time; every minute by default, and at the longest. None says that this program is the only one: it
    /// neither reads nor writes declarations.
    ///
    /// For some minutes after a copy was declared for the first time, programs may change its source that do not
    /// know of it yet. So whoever stores such copies then leaves a job for each key (three minutes and
    /// [`grace`](Self::grace) long), which takes a last look when everybody knows. An import that makes a database anew
    /// is spared that by None.
    pub schema_refresh: Option<Duration>,
    /// The name with which this program declares its copies; that of its file by default.
    pub program: Option<String>,
    /// Whether calls are counted for [`Odm::stats`](crate::Odm::stats) and for the advice that is drawn from it; they are by
    /// default. A call costs some short locks in memory for it.
    pub counters: bool,
    /// Whether a `tracing` event of level warn says, once for each line of the application, what will be slow when there is
    /// more data, with the figure and the remedy; in debug builds by default.
    ///
    /// - Ten or more loads of one relation by one task from one line, each within a second after the one before ("N+1"): it
    ///   names the `join_*` to use, also for documents that others are linked with. It needs [`counters`](Self::counters).
    /// - A filter whose plan has no index, of whatever statement a call sends: reads, counts and aggregations, updates and
    ///   deletes, loads and joins, and what follows a write; it names the `#[index]` to write. It is asked where the collection has
    ///   [`watch_from`](Self::watch_from) documents: a `count` of the collection without a filter (once a minute at most) and
    ///   an `explain` of a `find` with the filter (once for each line and set of fields) are sent in the background, with the
    ///   comment `mongo-odm slow statements`. The `explain` plans and runs nothing, so that the figure is how many documents there are
    ///   to go through, and where some are enough, how many. It is not asked about filters with an `_id`, nor where the
    ///   statement has a hint. Where a limit stops an index of the application in the order of the sort, that is as it should be.
    /// - A `find` without a limit that brings [`watch_from`](Self::watch_from) documents.
    /// - An array that holds four fifths of its `max`, where that is 10 or more, in a document that a `find`, a `get`, a page or
    ///   a stream brings; not in those of loads and joins.
    /// - A handle of the same database that is used inside the closure of a transaction in the place of `&tx`.
    pub warn_of_slow_statements: bool,
    /// From how many documents on a collection, or the answer of a `find`, is large for [`warn_of_slow_statements`](Self::warn_of_slow_statements);
    /// 1,000 by default.
    pub watch_from: usize,
}

/// Who runs jobs whose time has come, and folds deltas.
///
/// Whatever it says, [`Odm::wait`](crate::Odm::wait) and `fresh` do what they wait for themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Settle {
    /// Every handle that has written to a source or to a child, in tasks of its own: one folds the deltas that the handle
    /// has left, some 20 ms after the first of them, and one looks about every five seconds for the jobs and the deltas of
    /// all programs. They end with the handle.
    #[default]
    Background,
    /// Only [`Odm::worker`](crate::Odm::worker) and [`Odm::run_pending_jobs`](crate::Odm::run_pending_jobs): until one of
    /// them comes by, deferred copies stay old, and so do the fields of parents that many write to at once.
    Manual,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            split_from: 2_000,
            range: (1_000, 10_000),
            in_flight: 2,
            range_bytes: 8 << 20,
            max_documents: None,
            inline_copies: 1_000,
            grace: Duration::from_secs(180),
            nice: 0.2,
            settle: Settle::Background,
            schema_refresh: Some(Duration::from_secs(60)),
            program: None,
            counters: true,
            warn_of_slow_statements: cfg!(debug_assertions),
            watch_from: 1_000,
        }
    }
}

impl Settings {
    /// Sets from how many distinct keys on a load or a join is split.
    #[must_use]
    pub const fn split_from(mut self, keys: usize) -> Self {
        self.split_from = keys;
        self
    }

    /// Sets how many ranges of a join are in flight at once, outside transactions.
    #[must_use]
    pub const fn in_flight(mut self, ranges: usize) -> Self {
        self.in_flight = ranges;
        self
    }

    /// Sets the least and the most keys of one range.
    #[must_use]
    pub const fn range(mut self, least: usize, most: usize) -> Self {
        self.range = (least, most);
        self
    }

    /// Sets how many documents one load or join may decode before it fails.
    #[must_use]
    pub const fn max_documents(mut self, documents: usize) -> Self {
        self.max_documents = Some(documents);
        self
    }

    /// Sets up to how many copies are written in the transaction of their source.
    #[must_use]
    pub const fn inline_copies(mut self, copies: u64) -> Self {
        self.inline_copies = copies;
        self
    }

    /// Sets how long after a change its job looks at all copies once more.
    ///
    /// Shorter than twice the life of a transaction (90 seconds by default), a writer of a new copy
    /// that began before the change may come too late to be seen. Where programs differ, a job waits for
    /// the longest time of those that changed its source, whoever runs it.
    #[must_use]
    pub const fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Sets how long a job pauses after each batch, as a part of the time that the batch took.
    #[must_use]
    pub const fn nice(mut self, ratio: f64) -> Self {
        self.nice = ratio;
        self
    }

    /// Sets who runs jobs whose time has come, and folds deltas.
    #[must_use]
    pub const fn settle(mut self, settle: Settle) -> Self {
        self.settle = settle;
        self
    }

    /// Sets how often the declarations of other programs are read; `None` for a program that is the
    /// only one.
    #[must_use]
    pub fn schema_refresh(mut self, every: impl Into<Option<Duration>>) -> Self {
        self.schema_refresh = every.into();
        self
    }

    /// Sets whether calls are counted.
    #[must_use]
    pub const fn counters(mut self, are_counted: bool) -> Self {
        self.counters = are_counted;
        self
    }

    /// Sets whether lines of the application are warned of that will be slow.
    #[must_use]
    pub const fn warn_of_slow_statements(mut self, warns: bool) -> Self {
        self.warn_of_slow_statements = warns;
        self
    }

    /// Sets from how many documents on a collection, or the answer of a `find`, is large enough for a warning.
    #[must_use]
    pub const fn watch_from(mut self, documents: usize) -> Self {
        self.watch_from = documents;
        self
    }

    /// Sets the name with which this program declares its copies.
    #[must_use]
    pub fn program(mut self, name: impl Into<String>) -> Self {
        self.program = Some(name.into());
        self
    }
}
