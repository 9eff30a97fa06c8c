//! The outbox: what has changed, and whose copies have to follow.
//!
//! A job says *what is stale*, a relation and a key, never who changed it, nor to what. It is written in the
//! transaction that changes the source, so one is never there without the other. Whoever runs it copies
//! what the source holds then.
//!
//! | collection | what a document is |
//! |---|---|
//! | `_odm_jobs` | the copies of one key, or the references to it: `{_id: {relation, key}, version, changed_at, stale_since, grace, not_before, due_at, phase, name, fields, holds, failed, error}` |
//! | `_odm_cursors` | how far the runner of a job has come: `{_id, version, token, tie, lo, until}` |
//! | `_odm_deltas` | what was added to fields of a document and is not in them yet: `{_id, of: {relation, key}, at, steps}` ([`copy::deltas`](crate::derived::values::deltas)) |
//!
//! All times are those of the server, of a delta in whole seconds. A job was `changed_at` last, and is `stale_since` the first change that its next
//! run has to follow.
//!
//! A cursor comes and goes with its job: it is made in a transaction that reads the job, and removed in the one that
//! ends it. Where a job goes by another way, because nobody has declared its relation for seven days, an index removes
//! the cursor a day after `until`. So it does with the position of a backfill or a move
//! (`{_id: {backfill}, what, lo, until, ..}`), which is seven days after its last batch.
//!
//! A job that `holds` was written by inserts and updates of references with `exists` only. It causes a write conflict with
//! a concurrent delete of the target, and the runner removes it without carrying out the delete rule.
//!
//! A job does not grow with the changes of its source, which leave a new `version` each and nothing else. `fields` are
//! what programs declare; of `failed` a hundred ids and 64 KB are kept, of `error` a thousand letters.
//!
//! They are two documents because writers of a source write its job: with one, every batch of a long
//! run would conflict with them.

mod lease;
mod owed;
mod progress;
mod store;
mod token;

pub(crate) use lease::{JobCursor, claim, is_held};
pub(crate) use owed::{Owed, Waiting, age, owed, waiting};
pub use progress::Progress;
pub(crate) use progress::ProgressFn;
#[cfg(feature = "cli")]
pub(crate) use store::KEPT_FAILED;
pub(crate) use store::{
    CURSORS, Due, JOBS, Job, JobEntry, JobId, Phase, cursors, due, hold, jobs, note_error, prepare,
    put_off, record, record_all, recording, remove, some_of, to_settle,
};
pub use token::Token;
