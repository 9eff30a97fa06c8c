//! What a caller can say about the copies of what it writes.

use super::Follow;
use crate::derived::outbox::{Progress, ProgressFn};

/// How the copies follow a write.
#[derive(Clone, Debug, Default)]
pub struct FanOut {
    pub(crate) how: Follow,
    pub(crate) force: bool,
    pub(crate) progress: Option<ProgressFn>,
    /// Whether new structs keep the snapshots that they were given.
    pub(crate) snapshots_are_given: bool,
}

impl FanOut {
    /// Writes all copies in the transaction of their source.
    pub(crate) const fn follow_at_once(&mut self) {
        self.how = Follow::Atomic;
    }
}

/// What can be said about the copies of what is written; for every builder that writes.
///
/// Without any of these, up to [`Settings::inline_copies`](crate::Settings) copies are written in the
/// transaction of their source; more are written by a durable job, which is run to its end before the
/// write returns. They have no effect on models that nobody copies.
pub trait CopyOptions: Sized {
    #[doc(hidden)]
    fn fan_out_mut(&mut self) -> &mut FanOut;

    /// Writes all copies in the transaction of their source, however many there are, or nothing.
    ///
    /// The server ends a transaction after 60 seconds; 100,000 copies take about two.
    ///
    /// If an updated or deleted child has a parent with deltas, they are folded in the same transaction: a `find` and a
    /// `delete` more. A parent with more than 1,000 deltas, or with a job, is computed again.
    fn atomic(mut self) -> Self {
        self.fan_out_mut().how = Follow::Atomic;
        self
    }

    /// Leaves what follows for later, and returns when the write itself is committed: copies to a job, what is added to
    /// lists, counts and arrays of two-way references to a delta each, and what has to be computed anew to a job.
    ///
    /// One `insert` stores the deltas of a relation and one `update` the jobs, in the transaction of the write. With
    /// [`Settle::Background`](crate::Settle), the task of this handle folds the deltas some 20 ms later and looks for jobs
    /// about every five seconds, as workers and [`Odm::run_pending_jobs`](crate::Odm::run_pending_jobs) do.
    /// [`Odm::wait`](crate::Odm::wait) with the token of the report does both at once.
    ///
    /// A deferred delete leaves its delete rules to a job as well. If the document is stored again before the job runs,
    /// references to it stay.
    ///
    /// A later update or delete of the same child waits behind its delta, unless it is [`atomic`](Self::atomic): no
    /// reader sees it without the insert.
    fn deferred(mut self) -> Self {
        self.fan_out_mut().how = Follow::Deferred;
        self
    }

    /// Writes copies also where no index finds them: every batch reads the whole collection.
    fn force(mut self) -> Self {
        self.fan_out_mut().force = true;
        self
    }

    /// Stores the snapshots (`#[denorm(.., snapshot)]`) of new structs as they are given, a price that was agreed
    /// on for instance.
    ///
    /// Without it, they hold what their sources hold now: in documents that are inserted (`insert`,
    /// `insert_many`, an `upsert` or a `save` of a new document), and in elements that an update adds to an array
    /// (`push`, `add_to_set`). A `save` over a stored document, a `set` and a pipeline write what they are given
    /// anyway. An `upsert` with it has to give every snapshot that is no `Option` and has no `#[serde(default)]`.
    fn keep_snapshots(mut self) -> Self {
        self.fan_out_mut().snapshots_are_given = true;
        self
    }

    /// Calls a function after each batch of a job that is run to its end.
    fn on_progress(mut self, call: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.fan_out_mut().progress = Some(ProgressFn::new(call));
        self
    }
}
