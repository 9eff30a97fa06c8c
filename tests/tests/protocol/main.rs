//! An abstract model of the protocol for denormalized copies. All states of the model are checked.
//!
//! The model has one source document, and a few copies of its value in other documents. For each relation with copies,
//! two documents record that copies may be stale: one in `_odm_jobs` and one in `_odm_cursors`. Renamers change the
//! source, an inserter inserts a new copy, and runners update the copies. Every process can pause for any time between
//! two statements. A process can crash, and the commit that it has sent can arrive much later or never. The primary can
//! fail. [`goal`] defines the conditions that every reachable state must meet.
//!
//! | in the protocol | here |
//! |---|---|
//! | a transaction: read concern snapshot, write concern majority | [`machine`] |
//! | rename: source, job and, in the small form, the copies in one transaction | [`renamer`] |
//! | insert: read and insert in one transaction, one read after the commit | [`inserter`] |
//! | declarations, and renames by programs that do not know them | [`Declaration`](state::Declaration), [`setup::Form`] |
//! | a transaction of the application, which renames and inserts | [`inserter::transact`] |
//! | callers that stop waiting, and continue with other work | [`Client::abandon`](client::Client::abandon) |
//! | two versions of a program, one of which declares fewer copies | [`Setup::versions`](setup::Setup::versions) |
//! | run, last look, completion: batches, each in a transaction | [`runner`] |
//! | `changed_at + G`: the grace period | [`age`] |
//! | the effects of a crash and of a failover | [`machine::Action`], [`model::Event`] |
//! | the rules, and the errors without the necessary ones | [`rules`], [`counterexamples`] |
//! | the check that all rules together are sufficient for [`goal`] | [`proofs`] |
//!
//! The model omits several sources, because their documents are disjoint. It omits that copies which only one version
//! declares share a cursor with the other copies. It omits pauses between the read of the declarations and the
//! transaction of a rename. It also omits two primaries at the same time, sharded clusters, and time: only the order of
//! snapshots and commits is modelled.

#![allow(missing_docs, clippy::indexing_slicing, reason = "tests panic to fail")]

mod age;
#[path = "../machine/check.rs"]
mod check;
mod client;
mod counterexamples;
mod database;
#[path = "../machine/difference.rs"]
mod difference;
mod goal;
mod inserter;
#[path = "../machine/run.rs"]
mod machine;
mod model;
mod proofs;
mod renamer;
mod rules;
mod runner;
mod setup;
mod state;
