//! Durable fan-out jobs: a source has changed, and its copies have to follow.
//!
//! A job says *which* source changed, never to what. It is written in the transaction that changes the
//! source, so one is never there without the other. Whoever runs it copies what the source holds then.
//!
//! | collection | what a document is |
//! |---|---|
//! | `_odm_jobs` | one source that changed: `{_id: {source, key}, version, changed_at, grace, due_at, phase, ties, keys}` |
//! | `_odm_cursors` | how far the runner of a job has come: `{_id, version, token, tie, lo, until}` |
//!
//! They are two documents because writers of a source write its job: with one, every batch of a long
//! run would conflict with them.

mod background;
mod batch;
mod cursor;
mod pace;
mod pending;
mod progress;
mod run;
mod store;
mod worker;

pub(crate) use background::ensure_running;
pub(crate) use pace::Pace;
pub use pending::JobsReport;
pub(crate) use pending::{run_all, run_followers};
pub use progress::Progress;
pub(crate) use progress::ProgressFn;
pub(crate) use run::{End, run_to_end};
pub(crate) use store::{JOBS, JobEntry, JobId, Phase, cursors, jobs, prepare, record, record_all};
pub use worker::Worker;
