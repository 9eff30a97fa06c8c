//! The outbox: stores jobs, their cursors (the progress of their runs), and deltas.
//!
//! A *job* is a stored note that the copies for one key are stale, or that references to a deleted document remain. A
//! job contains the relation and the key, but neither the new value nor the identity of the writer. A job is stored in
//! the transaction that changes the source, so either the change and the job are committed, or neither is. The runner
//! reads the source and writes its current values to the copies.
//!
//! ```text
//! _odm_jobs     {_id: {relation, key}, version, changed_at, stale_since, grace, not_before, due_at, phase, name,
//!                fields, holds, failed, error}
//! _odm_cursors  {_id, version, token, tie, lo, until}
//! _odm_deltas   {_id, of: {relation, key}, at, steps}
//! ```
//!
//! On a sharded cluster, these collections are not sharded, so they are on the primary shard of the database. A job in
//! the zone of its source would avoid the commit in two phases, but all writers of one key must conflict on the same
//! document. If a chunk moves, the writers might not agree on the zone. `benches/README.md` compares the locations.
//!
//! A job and its cursor are separate documents, because every write to a source also writes the source's job. If the
//! cursor were part of the job, every batch of a long run would conflict with these writes.
//!
//! # Fields
//!
//! - The relation consists of stored paths: for example `products.parts.id <- parts._id`, or `tasks.owner ->
//!   people._id` for a rule. So programs can share a relation even if their struct names differ. `name` is the
//!   relation's name in reports.
//! - `version` is a new `ObjectId` for each change to the source and for each phase. A counter would not be sufficient,
//!   because a new job would reuse the numbers of a removed job. If one source is renamed a thousand times, `version`
//!   changes, but the job does not grow.
//! - `grace` is the longest grace period of all writers. So a runner with a shorter setting does not end the job too
//!   early.
//! - `fields` lists the copies in the relation that the writers of the job declare. A runner stores separate jobs for
//!   those fields in the list that it does not know.
//! - `holds` is set if the job was written only by inserts and updates of references with `exists`. Such a job exists
//!   only to conflict with a concurrent delete of the target. The runner removes the job without applying the delete
//!   rule.
//! - `lo` is the position of a run: the last `_id` that a runner processed. `tie` is the extended reference with the
//!   copies that this runner declares. A runner that declares other copies begins again at the first document.
//! - `failed` contains at most 100 ids and at most 64 KB. `error` contains at most 1,000 characters.
//! - `changed_at` is the time of the latest change, and `stale_since` the time of the first change that the next run
//!   has to process. All times come from the server's clock. For deltas, they are whole seconds.
//!
//! # Removal
//!
//! A cursor is created in a transaction that also reads its job, and is removed together with the job. If a job is
//! removed because no program declared its relation for seven days, a TTL index removes the cursor one day after
//! `until`. The same index removes the saved position of a backfill or a move
//! (`{_id: {backfill, work}, lo, until, ..}`) seven days after the last batch.

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
    CURSORS, JOBS, Retry, cursors, due, hold, jobs, note_error, prepare, put_off, record,
    record_all, record_keys, recording, remove, some_of, to_settle,
};
pub(crate) use lease::{JobCursor, RENEW_EVERY, claim, is_held};
pub(crate) use pending_age::age;
pub(crate) use pending_work::{
    ListedJobs, PendingWork, Waiting, pending_of_relations, pending_work, waiting,
};
pub use progress::Progress;
pub(crate) use progress::ProgressFn;
pub use token::Token;
