//! The outbox: jobs, their cursors, and deltas.
//!
//! A *job* is a stored note that the copies of one key are stale, or that references to a deleted document remain. It
//! contains the relation and the key, never a value or a writer. A job is stored in the transaction that changes the
//! source, so neither exists without the other. The runner reads the source, and copies the current values.
//!
//! ```text
//! _odm_jobs     {_id: {relation, key}, version, changed_at, stale_since, grace, not_before, due_at, phase, name,
//!                fields, holds, failed, error}
//! _odm_cursors  {_id, version, token, tie, lo, until}
//! _odm_deltas   {_id, of: {relation, key}, at, steps}
//! ```
//!
//! A job and its cursor are separate documents, because writers of a source write its job. If they were one document,
//! every batch of a long run would conflict with these writers.
//!
//! # Fields
//!
//! - The relation consists of stored paths (`products.parts.id <- parts._id`, for rules `tasks.owner -> people._id`).
//!   So programs that use different struct names share the relation. `name` is the name for reports.
//! - `version` is a new `ObjectId` for each change of the source and for each phase. It is not a counter, because a new
//!   job would repeat the numbers of a removed one. A thousand renames of one source change `version`, and the job does
//!   not grow.
//! - `grace` is the longest grace period of the writers, so that a runner with a shorter one does not end the job
//!   early.
//! - `fields` lists the copies that the writers declare. A runner hands on the fields that it does not know.
//! - `holds` is set if only inserts and updates of references with `exists` wrote the job. Such a job causes a write
//!   conflict with a concurrent delete of the target. The runner removes it without carrying out the delete rule.
//! - `failed` contains at most 100 ids and 64 KB, and `error` at most 1,000 characters.
//! - `changed_at` is the last change, and `stale_since` the first change that the next run has to follow. All times
//!   come from the clock of the server. For deltas they are whole seconds.
//!
//! # Removal
//!
//! A cursor is created in a transaction that reads the job, and removed together with the job. If a job is removed
//! because no program declared its relation for seven days, an index removes the cursor one day after `until`. The same
//! index removes the position of a backfill or a move (`{_id: {backfill}, what, lo, until, ..}`) seven days after its
//! last batch.

mod job;
mod job_store;
mod lease;
mod pending_age;
mod pending_work;
mod progress;
mod token;

pub(crate) use job::{Job, JobEntry, JobId, Phase};
pub(crate) use job_store::KEPT_FAILED;
pub(crate) use job_store::{
    CURSORS, JOBS, cursors, due, hold, jobs, note_error, prepare, put_off, record, record_all,
    recording, remove, some_of, to_settle,
};
pub(crate) use lease::{JobCursor, RENEW_EVERY, claim, is_held};
pub(crate) use pending_age::age;
pub(crate) use pending_work::{PendingWork, Waiting, pending_work, waiting};
pub use progress::Progress;
pub(crate) use progress::ProgressFn;
pub use token::Token;
