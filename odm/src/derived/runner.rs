//! Runs the jobs in the outbox.
//!
//! # The run of a job
//!
//! 1. The runner takes a lease by writing the cursor, in a transaction that also reads the job. Because of this read,
//!    the runner does not create a cursor for a job that has already been removed. Test:
//!    `without_job_read_a_batch_leaves_a_cursor_behind`.
//! 2. The runner walks over the copies in the order of `_id`. Each batch is one transaction: an update of the cursor,
//!    one read of the source, and one `updateMany` that corrects stale copies.
//! 3. After all copies have been processed, the job waits until the grace period has ended. The runner then checks all
//!    copies again, starting with the first copy. The second pass is called the last look. If a write has updated the
//!    copies in its own transaction, the job only waits for its last look. The handle of that write searches for missed
//!    copies earlier (`first_look`), and so does a fresh read (`fresh_read`). A last look of many sources reads their
//!    copies, and updates only the stale ones.
//! 4. Finally, one transaction removes the job and its cursor, unless the version of the job has changed.
//!
//! # Why each rule is needed
//!
//! The tests in `tests/tests/protocol` check these rules. Each entry describes the failure that occurs without the
//! rule, and lists the tests that then fail.
//!
//! - A job is written in the transaction of its source. Otherwise, a crash after the commit leaves the copies stale:
//!   `without_job_write_a_new_copy_stays_stale`.
//! - Each relation has its own job. Otherwise, finishing the job for one relation also removes the job for another
//!   relation: `with_one_job_for_a_source_the_copies_of_another_relation_stay_stale`,
//!   `when_one_relation_completes_the_source_the_copies_of_the_other_stay_stale`.
//! - A batch reads the source in its own snapshot. Otherwise, the batch could write a value that was read long ago.
//! - A batch writes the cursors for its keys. Otherwise, a late batch from a dead runner could overwrite the current
//!   value with an older value: `without_cursor_write_a_run_leaves_what_a_delayed_batch_wrote`,
//!   `without_cursor_write_a_batch_that_outlives_the_grace_period_leaves_a_stale_copy`.
//! - The version is new for every change and phase. Otherwise, a paused runner could end the job that a later change
//!   has stored: `completion_without_seq_check_leaves_a_stale_copy`,
//!   `with_numbers_from_one_the_completion_of_an_old_job_removes_a_new_one`,
//!   `with_one_number_for_run_and_settle_the_sweep_passes_over_a_late_copy`.
//! - A job ends with a last look after the grace period. Otherwise, the writer of a new copy and a concurrent rename
//!   could both commit without seeing each other: `without_settle_a_new_copy_stays_stale`,
//!   `without_settle_sweep_a_new_copy_stays_stale`.
//! - The grace period (three minutes) is twice as long as a transaction can last. `changed_at` is earlier than the
//!   commit of the change, and another transaction may still use a snapshot from the time in between:
//!   `with_a_grace_period_of_one_lifetime_a_late_copy_stays_stale`.
//! - The last look begins at the first copy. Otherwise, a newer program could continue an older program's last look and
//!   then end the job, although the older program skipped some copies:
//!   `when_a_version_goes_on_with_the_settle_sweep_of_another_a_copy_stays_stale`.
//! - A runner stores separate jobs for copies that it does not know. Otherwise, an older program could end a newer
//!   program's job without writing these copies:
//!   `when_nothing_is_handed_on_the_copies_stay_stale_that_only_the_newer_version_knows`.
//! - All writes wait for a majority. Otherwise, a failover can revert a copy after its job has ended:
//!   `w1_with_failover_leaves_a_stale_copy`.
//!
//! `follow/new_declaration.rs` describes how jobs cover new declarations. `write.rs` describes the task in which each
//! write runs.

mod background_task;
mod batch_pace;
mod catch_up;
mod delta_runner;
mod drive;
mod due_job;
mod first_look;
mod fresh_read;
mod held_cursor;
mod job_batch;
mod job_group;
mod job_list;
mod job_run;
mod next_level;
mod run_report;
mod stale_copy_count;
mod stored_job;
mod sweep;
mod wait;
mod worker;
mod write_prerequisite;

pub(crate) use batch_pace::Pace;
pub(crate) use catch_up::TIMEOUT;
pub(crate) use delta_runner::{apply_deltas_of_keys, apply_deltas_soon};
pub(crate) use drive::{Step, Work, drive};
pub(crate) use first_look::look_soon;
pub(crate) use fresh_read::freshen;
pub(crate) use job_group::{in_groups, in_turns, run_all, run_each, warn_of_left};
pub use job_list::Jobs;
pub(crate) use job_run::{parts_of, run_to_end};
pub use run_report::JobsReport;
pub(crate) use run_report::RunResult;
pub(crate) use stored_job::seconds;
pub use stored_job::{JobCounts, JobState, StoredJob};
pub use wait::Wait;
pub use worker::Worker;
