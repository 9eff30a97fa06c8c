//! An abstract model of the protocol that deletes a source whose copies a delete rule removes. All states of the model
//! are checked.
//!
//! The delete stores a job for its rule, but no job for the copies (`ExtendedReference::is_removed_by`). A concurrent
//! transaction may store a child with a copy that the delete does not see. The job of the rule finds this child. If the
//! source exists again by then, the rule does not apply, and the runner stores the job for the copies. Every process can
//! pause for any time between two statements. A process can crash, and the commit that it has sent can arrive much later
//! or never. [`goal`] defines the conditions that every reachable state must meet.
//!
//! | in the protocol | here |
//! |---|---|
//! | a transaction: read concern snapshot, write concern majority | [`machine`] |
//! | insert or update of a child, its check after the commit (`inbound_copies`, `expect`, `recheck`) | [`child`] |
//! | delete of the source (`on_delete`), insert of the source (`new_source`) | [`source`] |
//! | run, last look, completion of both jobs (`unlink`, `record_copies`, `job_batch`, `job_run`) | [`runner`] |
//! | `cascade` and `nullify` | [`rules::Removal`] |
//! | `changed_at + grace` | [`machine::Transaction`] |
//! | the rules, and the errors without each necessary rule | [`rules`], [`counterexamples`] |
//! | the check that all rules together are sufficient for [`goal`], and the rules that only save time | [`proofs`] |
//!
//! The model has one source and one relation. All children fit into one batch, and each child has one copy. The model
//! omits the following parts:
//!
//! - updates of the source, which the model `protocol` contains
//! - children that are deleted or stop referring to the source without a delete rule
//! - cursors, so runners can do more here than with a cursor
//! - references that a rule cannot remove, and copies that become null when their source is missing
//! - `restrict`, `exists`, hooks, archives, and documents that depend on the children
//! - programs that do not know the rule or the copies, failovers, and servers without transactions

#![allow(missing_docs, clippy::indexing_slicing, reason = "tests panic to fail")]
#![allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "the databases of other models are larger"
)]

// The code of the check is the same for all abstract models.
#[path = "../machine/check.rs"]
mod check;
mod child;
mod client;
mod counterexamples;
mod database;
#[path = "../machine/difference.rs"]
mod difference;
mod goal;
#[path = "../machine/run.rs"]
#[expect(
    dead_code,
    reason = "no client of this model writes without a transaction"
)]
mod machine;
mod model;
mod proofs;
mod rules;
mod runner;
mod setup;
mod source;
mod state;
#[path = "../machine/uneventful.rs"]
mod uneventful;
