//! Durable fan-out jobs: a source has changed, and its copies have to follow.
//!
//! A job says *what is stale*, a relation and a key, never who changed it, nor to what. It is written in the
//! transaction that changes the source, so one is never there without the other. Whoever runs it copies
//! what the source holds then.
//!
//! | collection | what a document is |
//! |---|---|
//! | `_odm_jobs` | the copies of one key, or the references to it: `{_id: {relation, key}, version, changed_at, grace, due_at, phase, name, failed}` |
//! | `_odm_cursors` | how far the runner of a job has come: `{_id, version, token, tie, lo, until}` |
//!
//! They are two documents because writers of a source write its job: with one, every batch of a long
//! run would conflict with them.

mod background;
mod batch;
mod cursor;
mod inherited;
mod pace;
mod pending;
mod progress;
mod run;
mod store;
mod worker;

pub(crate) use background::ensure_running;
pub(crate) use pace::Pace;
pub use pending::JobsReport;
pub(crate) use pending::{in_groups, run_all, run_followers, warn_of_left};
pub use progress::Progress;
pub(crate) use progress::ProgressFn;
pub(crate) use run::run_to_end;
pub(crate) use store::{JOBS, JobEntry, JobId, Phase, cursors, jobs, prepare, record, record_all};
pub use worker::Worker;
