//! The settings of a handle, and their default values.

use std::time::Duration;

use mongodb::bson::DateTime;

use super::{Clock, TraceLinks};

/// The settings of a handle. The settings limit joins, copies and jobs, and enable statistics and warnings.
///
/// Settings belong to a handle and its clones. [`Odm::with_settings`](crate::Odm::with_settings) returns a handle with
/// different settings. The defaults come from measurements on a server with two cores; `benches/README.md` explains how
/// to repeat the measurements.
///
/// # Examples
///
/// A service whose jobs run in separate workers:
///
/// ```
/// use std::time::Duration;
///
/// use mongo_odm::{Settings, Settle};
///
/// let settings = Settings::default()
///     // A load or join fails if it would decode more documents.
///     .max_documents(50_000)
///     // If a source has more copies, a job writes them.
///     .inline_copies(200)
///     // Only workers run jobs.
///     .settle(Settle::Manual)
///     // Jobs pause for half of the duration of a batch.
///     .nice(0.5)
///     // Writes read the declarations of other programs again after 30 seconds.
///     .schema_refresh(Duration::from_secs(30))
///     // The service's name in its declaration.
///     .program("orders");
/// assert_eq!(settings.inline_copies, 200);
/// ```
///
/// A batch program that is the only caller of a large server:
///
/// ```
/// use std::time::Duration;
///
/// use mongo_odm::Settings;
///
/// let settings = Settings::default()
///     // Loads of 500 keys or more are split into ranges of 250 to 5,000 keys, and four ranges are sent concurrently.
///     .split_from(500)
///     .range(250, 5_000)
///     .in_flight(4)
///     // If the server aborts transactions after 120 seconds, two of them last for up to 300 seconds.
///     .grace(Duration::from_secs(330))
///     .nice(0.0)
///     // Neither statistics nor warnings.
///     .counters(false)
///     .warn_of_slow_statements(false);
/// assert_eq!(settings.range, (250, 5_000));
/// ```
///
/// A test that checks for warnings with few documents:
///
/// ```
/// # use mongo_odm::Settings;
/// let settings = Settings::default().warn_of_slow_statements(true).watch_from(10);
/// assert_eq!(settings.watch_from, 10);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Smallest number of distinct keys for which a load or a join is split into ranges. Default: 2,000.
    ///
    /// The ranges are sent concurrently. On a server with idle cores, reading the documents for 200 keys in two halves
    /// takes 75 % of the time of a single `find`. On a busy server, two halves take 10 % longer than a single `find`.
    /// For 2,000 keys or more, two halves are faster even on a busy server. Set a lower number if few callers use the
    /// database at the same time.
    pub split_from: usize,
    /// Smallest and largest number of keys in a range. Default: 1,000 and 10,000.
    ///
    /// The keys are divided evenly into [`in_flight`](Self::in_flight) ranges, and into more ranges only if a range
    /// would otherwise exceed the largest number. The smallest number has no effect if it is greater than half of
    /// [`split_from`](Self::split_from).
    pub range: (usize, usize),
    /// Number of ranges that are sent concurrently, outside of transactions. Default: 2. More ranges help only if the
    /// server has idle cores.
    pub in_flight: usize,
    /// Largest size of the keys in one statement, in bytes. Default: 8 MiB. The server's limit is 16 MiB for the whole
    /// statement, so a larger size than 12 MiB counts as 12 MiB.
    pub range_bytes: usize,
    /// Largest number of documents that one load or join decodes. A call that would decode more fails with
    /// [`Error::TooManyDocuments`](crate::Error::TooManyDocuments). Default: no limit.
    pub max_documents: Option<usize>,
    /// Largest number of copies that are written in the transaction of their source. Default: 1,000. If there are more,
    /// a job writes the copies.
    ///
    /// An `update_many` changes up to 500 sources in a transaction. Such a transaction may write this number of copies
    /// for every 100 sources: by default, up to 5,000 copies for 500 sources.
    ///
    /// For a delete, the limit applies to the sum over all levels of cascades. The sum includes documents that a
    /// cascade deletes, documents that lose a reference, and documents that contain copies.
    pub inline_copies: u64,
    /// The grace period: the time between a change to a source and the job's recheck of all copies. Default: 3 minutes.
    ///
    /// The period must be longer than the lifetime of two transactions. By default, the server aborts transactions that
    /// are older than 60 seconds. The server looks for such transactions only every 30 seconds, so a transaction can
    /// live for up to 90 seconds. A longer period than 365 days counts as 365 days.
    pub grace: Duration,
    /// The pause of a job after each batch, as a multiple of the batch's duration. Default: 0.2. If the source changes
    /// repeatedly, the pause becomes longer by up to three times the duration of the batch. A negative number and NaN
    /// mean 0, and a larger number than 1,000 means 1,000.
    pub nice: f64,
    /// When this handle runs jobs and applies deltas. Default: [`Settle::Background`].
    pub settle: Settle,
    /// Time after which a write rereads the declarations of other programs (`_odm_schema`). Default and maximum: 1
    /// minute.
    ///
    /// `None` means that no other program writes to the database. With this setting, the program neither reads nor
    /// writes declarations.
    ///
    /// For a few minutes after a copy is first declared, other programs might not have read the declaration, and might
    /// change the source without updating the copy. So a program that stores such copies also stores a job for each
    /// key. The job rechecks the copies after three minutes plus twice the [`grace`](Self::grace) period. An import
    /// into a new database does not require these jobs, so use `None` for such an import.
    pub schema_refresh: Option<Duration>,
    /// Whether calls fail if a sharded cluster would send one of their statements to all shards. Default: false. Only
    /// models with a [shard key](derive@crate::Model#sharded-collections) are checked. Change streams, the statements of
    /// jobs, and reads of the result of a write are not checked.
    pub reject_broadcasts: bool,
    /// The name of this program in its declaration. Default: the name of the executable.
    pub program: Option<String>,
    /// Whether calls are counted for [`Odm::stats`](crate::Odm::stats) and for advice. Default: true. Each counted call
    /// briefly takes a few in-memory locks.
    pub counters: bool,
    /// Whether the handle emits a `tracing` event at the level `WARN` for calls that become slower as the data grows.
    /// Default: true in debug builds. Each warning appears once for each line of the application, and contains the
    /// relevant number and the remedy.
    ///
    /// - "N+1": one task loads the same relation ten or more times from one source line, each time within a second of
    ///   the previous load. The warning contains the method `join_*` to use instead. This warning requires
    ///   [`counters`](Self::counters).
    /// - A filter without an index in any statement of a call: reads, counts, aggregations, updates, deletes, loads,
    ///   joins, and updates of dependent documents. The warning contains the `#[index]` to write. The paragraphs after
    ///   this list explain how filters are checked.
    /// - A `find` without a limit that returns [`watch_from`](Self::watch_from) or more documents.
    /// - An array that has reached 80 % of its `max`, if `max` is 10 or more. The documents that a `find`, a `get`, a
    ///   page or a stream returns are checked, but not the documents of loads and joins.
    /// - A call that uses a handle to the same database instead of `&tx`, inside the closure of a transaction.
    ///
    /// # Sends
    ///
    /// Filters are checked in the background if the collection has at least [`watch_from`](Self::watch_from) documents.
    /// A check sends two statements, which have the comment `mongo-odm slow statements`:
    ///
    /// - a `count` of the collection without a filter, at most once a minute
    /// - an `explain` of a `find` with the filter, once for each combination of source line and fields. The server
    ///   plans the `find` but does not run it.
    ///
    /// Filters that contain an `_id` and statements that have a hint are not checked. If the statement has a limit, an
    /// index that provides the sort order is sufficient, even if the filter cannot use it.
    pub warn_of_slow_statements: bool,
    /// Minimum number of documents that a collection, or the result of a `find`, must have before the handle warns
    /// about it. Default: 1,000. [`warn_of_slow_statements`](Self::warn_of_slow_statements) lists the warnings.
    pub watch_from: usize,
    /// The clock for `#[created_at]`, `#[updated_at]` and `#[deleted_at]`. Default: the system clock.
    pub clock: Clock,
    /// The functions that link the spans of jobs to the writes that stored the jobs. Default: none.
    pub trace_links: TraceLinks,
}

/// When a handle runs jobs and applies deltas.
///
/// Regardless of this setting, [`Odm::wait`](crate::Odm::wait) and `fresh` run the jobs that they wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Settle {
    /// After a handle has written to a source or a child, background tasks run jobs and apply deltas. One task applies
    /// the deltas of the program, about 20 ms after the first delta was stored. Another task checks every five seconds
    /// for jobs and deltas of all programs, and for copies that were stored while a write of the program changed their
    /// source. The handles that [`with_settings`](crate::Odm::with_settings) returns share these tasks with the
    /// original handle. The tasks end when the last handle that has written is dropped.
    #[default]
    Background,
    /// Only [`Odm::worker`](crate::Odm::worker) and [`Odm::run_pending_jobs`](crate::Odm::run_pending_jobs) run jobs
    /// and apply deltas. Until one of the two is called, deferred copies stay stale, and so do the summaries of parents
    /// that many writers change at the same time.
    Manual,
    /// Each write applies its own deltas and runs its own jobs before it returns, including the jobs of
    /// [`deferred`](crate::CopyOptions::deferred) writes. For a write in a transaction, this happens before
    /// `transaction` returns. There are no background tasks. This value is intended for tests, because a test can then
    /// read the final values directly after each write.
    ///
    /// The jobs stay stored for their last look, which follows after the [`grace`](Settings::grace) period. The last
    /// look corrects only copies that other transactions wrote at the same time. A job that fails stays pending, as
    /// with the other settings.
    Immediate,
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
            reject_broadcasts: false,
            program: None,
            counters: true,
            warn_of_slow_statements: cfg!(debug_assertions),
            watch_from: 1_000,
            clock: Clock::default(),
            trace_links: TraceLinks::default(),
        }
    }
}

/// Generates a setter with an example for each listed setting, written as `name(argument: Type), "example";`. The
/// setting and its setter have the same name.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($value:ident: $type:ty), $example:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Examples
            ///
            /// ```no_run
            /// # use mongo_odm::{Settings, Settle};
            /// # use std::time::Duration;
            #[doc = concat!("let settings = Settings::default().", stringify!($name), "(", $example, ");")]
            /// ```
            #[must_use]
            pub const fn $name(mut self, $value: $type) -> Self {
                self.$name = $value;
                self
            }
        )*
    };
}

impl Settings {
    /// Returns the grace period. Its length is limited, because the server adds the period to a date, and rejects a date
    /// that it cannot represent.
    pub(crate) fn grace_period(&self) -> Duration {
        const LONGEST: Duration = Duration::from_secs(365 * 86_400);
        self.grace.min(LONGEST)
    }

    /// Returns the largest size of the keys in one statement. The rest of the statement must fit, too.
    pub(crate) fn key_bytes(&self) -> usize {
        const MOST: usize = 12 << 20;
        self.range_bytes.min(MOST)
    }

    setters! {
        /// Sets the smallest number of distinct keys for which a load or a join is split.
        split_from(keys: usize), "10_000";

        /// Sets the number of ranges that are sent concurrently, outside of transactions.
        in_flight(ranges: usize), "4";
    }

    /// Sets the smallest and the largest number of keys in a range.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::Settings;
    /// let settings = Settings::default().range(100, 5_000);
    /// ```
    #[must_use]
    pub const fn range(mut self, least: usize, most: usize) -> Self {
        self.range = (least, most);
        self
    }

    /// Sets the largest number of documents that one load or join decodes.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::Settings;
    /// let settings = Settings::default().max_documents(50_000);
    /// ```
    #[must_use]
    pub const fn max_documents(mut self, documents: usize) -> Self {
        self.max_documents = Some(documents);
        self
    }

    setters! {
        /// Sets the largest number of copies that are written in the transaction of their source.
        inline_copies(copies: u64), "200";

        /// Sets the grace period: the time between a change to a source and the job's recheck of all copies.
        ///
        /// If the period is shorter than the lifetime of two transactions (180 seconds with the server's defaults), a
        /// job can miss a copy that a transaction wrote from the old source. If programs have different grace periods,
        /// a job waits for the longest one among the programs that changed its source.
        grace(grace: Duration), "Duration::from_secs(300)";

        /// Sets how long a job pauses after each batch, as a multiple of the batch's duration. See
        /// [`nice`](Self::nice).
        nice(ratio: f64), "2.0";

        /// Sets whether this handle runs due jobs and applies deltas in the background.
        settle(settle: Settle), "Settle::Manual";
    }

    /// Sets the time after which a write rereads the declarations of other programs. Use `None` if no other program
    /// writes to the database.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::Settings;
    /// let settings = Settings::default().schema_refresh(None);
    /// ```
    #[must_use]
    pub fn schema_refresh(mut self, every: impl Into<Option<Duration>>) -> Self {
        self.schema_refresh = every.into();
        self
    }

    setters! {
        /// Sets [`reject_broadcasts`](Self::reject_broadcasts).
        reject_broadcasts(rejects: bool), "true";

        /// Sets whether calls are counted.
        counters(are_counted: bool), "false";

        /// Sets whether the handle warns about calls that become slower as the data grows.
        warn_of_slow_statements(warns: bool), "false";

        /// Sets the minimum number of documents that a collection, or the result of a `find`, must have before the
        /// handle warns about it.
        watch_from(documents: usize), "10_000";
    }

    /// Sets the clock for `#[created_at]`, `#[updated_at]` and `#[deleted_at]`. Each write reads the clock once. All
    /// writes in a transaction store the same time, even if the transaction is retried.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::{
    ///     Arc,
    ///     atomic::{AtomicI64, Ordering},
    /// };
    ///
    /// use mongo_odm::{Settings, bson::DateTime};
    ///
    /// let time = Arc::new(AtomicI64::new(0));
    /// let read = Arc::clone(&time);
    /// let settings = Settings::default()
    ///     .clock(move || DateTime::from_millis(read.load(Ordering::Relaxed)));
    /// time.store(1_000, Ordering::Relaxed);
    /// assert_eq!(settings.clock.now(), DateTime::from_millis(1_000));
    /// ```
    #[must_use]
    pub fn clock(mut self, now: impl Fn() -> DateTime + Send + Sync + 'static) -> Self {
        self.clock = Clock::new(now);
        self
    }

    /// Links the span of each job to the writes that stored the job. `current` returns the trace context of the current
    /// span, usually as a W3C `traceparent`. Each write stores this context in its jobs. Before a program runs a job,
    /// it calls `link` with the context that the latest write stored, inside the span of the job.
    ///
    /// # Examples
    ///
    /// With the crates `opentelemetry` and `tracing-opentelemetry`, `current` injects the context of
    /// `Span::current().context()` with a `TraceContextPropagator`, and `link` extracts the context and calls
    /// `Span::current().add_link(..)`.
    ///
    /// ```
    /// # fn traceparent() -> Option<String> { None }
    /// # fn add_link(_: &str) {}
    /// use mongo_odm::Settings;
    ///
    /// let settings = Settings::default().trace_links(traceparent, add_link);
    /// ```
    #[must_use]
    pub fn trace_links(
        mut self,
        current: impl Fn() -> Option<String> + Send + Sync + 'static,
        link: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        self.trace_links = TraceLinks::new(current, link);
        self
    }

    /// Sets the name of this program in its declaration.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::Settings;
    /// let settings = Settings::default().program("billing");
    /// ```
    #[must_use]
    pub fn program(mut self, name: impl Into<String>) -> Self {
        self.program = Some(name.into());
        self
    }
}
