//! The options of a write for the copies that depend on its documents.

use super::Follow;
use crate::derived::outbox::{Progress, ProgressFn};

/// The options of one write.
#[derive(Clone, Debug, Default)]
pub struct FanOut {
    pub(crate) how: Follow,
    pub(crate) force: bool,
    pub(crate) progress: Option<ProgressFn>,
    /// Whether the snapshots in new structs keep the values that the caller passed.
    pub(crate) snapshots_are_given: bool,
}

impl FanOut {
    /// Writes all copies in the transaction of their source.
    pub(crate) const fn follow_at_once(&mut self) {
        self.how = Follow::Atomic;
    }
}

/// Options for the copies that depend on written documents. Every builder that writes has them.
///
/// By default, up to [`Settings::inline_copies`](crate::Settings) copies are written in the transaction of their
/// source. Larger numbers of copies are written by a stored job, which runs to completion before the write returns. The
/// options have no effect on models without derived data.
pub trait CopyOptions: Sized {
    #[doc(hidden)]
    fn fan_out_mut(&mut self) -> &mut FanOut;

    /// Writes all copies in the transaction of their source, however many there are. If a copy cannot be written, the
    /// write fails and changes nothing.
    ///
    /// If an updated or deleted child has a parent with deltas, the same transaction folds them. The summaries of a
    /// parent that has more than 1,000 deltas or a job are computed again.
    ///
    /// # Sends
    ///
    /// One more `find` and one more `delete` if deltas are folded.
    ///
    /// # Limits
    ///
    /// The server ends a transaction after 60 seconds. Writing 100,000 copies takes about two seconds.
    fn atomic(mut self) -> Self {
        self.fan_out_mut().how = Follow::Atomic;
        self
    }

    /// Postpones the update of derived data, and returns when the write itself is committed.
    ///
    /// - Copies are written by a job.
    /// - Additions to summaries, recent lists and two-way arrays are stored as deltas.
    /// - Summaries and lists that have to be computed again are computed by a job.
    /// - Delete rules are carried out by a job. If the document is stored again before the job runs, references to the
    ///   document stay.
    /// - Exception: an array is always written in the transaction if it has a `max`, or if both ends of its two-way
    ///   reference are arrays.
    ///
    /// With [`Settle::Background`](crate::Settle), the background task of the handle folds the deltas about 20 ms
    /// later, and searches for jobs about every five seconds. Workers and
    /// [`Odm::run_pending_jobs`](crate::Odm::run_pending_jobs) do the same. [`Odm::wait`](crate::Odm::wait) with the
    /// token of the report folds the deltas and runs the jobs immediately.
    ///
    /// A later update or delete of the same child also becomes a delta, or computes the field again. So no reader sees
    /// that write without the insert. With [`atomic`](Self::atomic), the later write folds the deltas.
    ///
    /// # Sends
    ///
    /// One `insert` for the deltas of a relation and one `update` for the jobs, in the transaction of the write.
    fn deferred(mut self) -> Self {
        self.fan_out_mut().how = Follow::Deferred;
        self
    }

    /// Writes copies even if no index finds them. Then every batch reads the whole collection.
    fn force(mut self) -> Self {
        self.fan_out_mut().force = true;
        self
    }

    /// Keeps the values that you set for the snapshots (`#[denorm(.., snapshot)]`) in new structs, for example an
    /// agreed price.
    ///
    /// By default, snapshots in new structs get the current values of their sources. New structs are inserted documents
    /// (`insert`, `insert_many`, and an `upsert` or `save` of a new document), and elements that an update adds to an
    /// array (`push`, `add_to_set`). A `save` of a stored document, a `set` and a pipeline always store your values.
    ///
    /// With this option, an `upsert` has to set every snapshot that is not an `Option` and has no `#[serde(default)]`.
    fn keep_snapshots(mut self) -> Self {
        self.fan_out_mut().snapshots_are_given = true;
        self
    }

    /// Calls a function after each batch of a job that this write runs to completion.
    fn on_progress(mut self, call: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.fan_out_mut().progress = Some(ProgressFn::new(call));
        self
    }
}
