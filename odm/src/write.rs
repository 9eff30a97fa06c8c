//! Writes, which consist of statements and their effects on derived data. The same code sends a write, plans it and
//! runs it as a dry run.
//!
//! `Effects` in `derived/follow.rs` describes the effects of a write. Most writes do not have effects and consist of
//! one statement. The builders pass encoded documents, so this code does not depend on the type of the model.
//! `operation` contains the sequence of steps that all writes share. Each write consists of data and a few functions
//! (`Operation`).
//!
//! A write and all of its effects run in one task (`Exec::write`):
//!
//! - Dropping the caller's future does not stop the task. If the task could be stopped, a source could be committed
//!   without its job. Test: `when_a_cancelled_write_is_committed_in_part_a_copy_stays_stale`.
//! - In a transaction that your code has opened, a write starts after the previous write is complete.
//! - If a write fails after its first statement, your transaction cannot be committed.
//!
//! `Odm::finish_writes` waits for the tasks whose callers were dropped.

mod batched_write;
mod bounded_update;
mod bulk;
mod change_links;
mod conflict;
mod delete;
mod exact_id;
mod find_and_update;
mod hooked_update;
mod insert;
mod operation;
mod reassign;
mod report;
mod save;
mod send_update;
mod send_updates;
mod shard_move;
mod take_children;
mod update_many;
mod update_one;
mod upsert;

pub(crate) use bounded_update::{BoundedUpdate, id_in_filter};
pub(crate) use bulk::{BulkOperation, BulkWrite};
pub(crate) use change_links::{LinkChange, LinkWrite};
pub(crate) use conflict::{ExpectedVersion, GivenVersion, unmatched};
pub(crate) use delete::{Archived, DeleteWrite};
pub(crate) use find_and_update::FindAndUpdateWrite;
pub(crate) use insert::{InsertWrite, Inserted, ReadCheck};
pub(crate) use operation::run_counted;
pub(crate) use reassign::{Holder, ReassignWrite};
pub use report::{
    BulkReport, DeleteReport, InsertReport, RestoreReport, UpdateReport, UpsertReport,
};
pub(crate) use save::{SaveHooks, SaveWrite};
pub(crate) use take_children::{TakeWrite, Taker};
pub(crate) use update_many::UpdateManyWrite;
pub(crate) use update_one::UpdateOneWrite;
pub(crate) use upsert::UpsertWrite;
