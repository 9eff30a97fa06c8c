//! Runs the jobs of the outbox: batch by batch over all copies, until the source stays the same.

mod background;
mod catch_up;
mod copies_behind;
mod fold;
mod fresh;
mod groups;
mod inherited;
mod job_batch;
mod listing;
mod pace;
mod pending;
mod ready;
mod report;
mod run;
mod single_task;
mod sweep;
mod wait;
mod worker;

pub(crate) use catch_up::TIMEOUT;
pub(crate) use fold::{fold_keys, fold_soon};
pub(crate) use fresh::freshen;
pub(crate) use groups::{in_groups, run_all, run_each, warn_of_left};
pub use listing::{JobCounts, JobState, Jobs, StoredJob};
pub(crate) use pace::Pace;
pub use report::JobsReport;
pub(crate) use report::Ran;
pub(crate) use run::run_to_end;
pub use wait::Wait;
pub use worker::Worker;
