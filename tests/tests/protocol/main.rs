//! A model of the protocol for denormalized copies, checked in all its states.
//!
//! One source document, a few copies of its value in other documents, and for each relation that copies it
//! the two documents that keep track of copies which may be stale: `_odm_jobs` and `_odm_cursors`. Renamers change the source, an
//! inserter makes a new copy, runners bring the copies up to the source. Every process may stop for any
//! time between two statements; a process may crash, and the commit that it sent may arrive much later
//! or never; the primary may fail. [`goal`] says what must hold in every state that can be reached.
//!
//! | in the protocol | here |
//! |---|---|
//! | a transaction: read concern snapshot, write concern majority | [`machine`] |
//! | rename: source, job and, in the small form, the copies in one transaction | [`renamer`] |
//! | insert: read and insert in one transaction, one read after the commit | [`inserter`] |
//! | declarations, and renames by programs that do not know them | [`Declaration`](state::Declaration), [`setup::Form`] |
//! | a transaction of the application, which renames and inserts | [`inserter::transact`] |
//! | callers that stop to wait, and go on with something else | [`Client::abandon`](client::Client::abandon) |
//! | two versions of a program, of which one knows fewer copies | [`Setup::versions`](setup::Setup::versions) |
//! | run, settle sweep, completion: batches, each a transaction | [`runner`] |
//! | `changed_at + G`: the grace period | [`age`] |
//! | what a crash and a failover lose | [`machine::Action`], [`model::Event`] |
//! | the rules, and what breaks without those that are needed | [`rules`], [`counterexamples`] |
//! | that all of them together are enough | [`proofs`] |
//!
//! Left out: more than one source (their documents are disjoint), that the copies which one version alone
//! knows share a cursor with the others, two primaries that serve at the same
//! time, sharded clusters, and time, of which only the order of snapshots and commits is here.

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
