//! A model of the protocol that keeps two arrays equal which name each other, checked in all its states.
//!
//! A course names its students, and the students name the course. What a writer does to the one array, it does to the
//! other in its transaction, since neither array could tell later what was added from what was taken away. What is
//! computed afterwards, for a job (`_odm_jobs`), adds what an array lacks and takes nothing away. Writers link and unlink
//! at either end, insert and delete documents, and repair; runners run the jobs. Every process may stop for any time
//! between two statements; a process may crash, and the commit that it sent may arrive much later or never. [`goal`] says
//! what must hold in every state that can be reached.
//!
//! | in the protocol | here |
//! |---|---|
//! | a transaction: read concern snapshot, write concern majority | [`transaction`] |
//! | an update that changes nothing is no write, two that undo each other are one | [`database::Writes`] |
//! | link, unlink, delete: both arrays in one transaction | [`mirror`] |
//! | insert of a document that others name, and its second look | [`arrival`] |
//! | repair: a job for what lacks; or what only one end names is taken away | [`setup::Setup::due`], [`writer`] |
//! | run, last look, completion of a job | [`runner`] |
//! | `changed_at + grace` | [`transaction::Age`] |
//! | what a crash loses | [`model::Action`] |
//! | the rules, and what breaks without those that are needed | [`rules`], [`counterexamples`] |
//! | that all of them together are enough | [`proofs`] |
//!
//! There are two sets of rules. [`Rules::FULL`](rules::Rules::FULL) is what the library does: who ends a link writes the
//! array at its other end, whatever that holds. It is enough where there is an array to write, and three counterexamples
//! (`gap_..`) say where there is none, or nobody writes it. [`Rules::LEAN`](rules::Rules::LEAN) is enough everywhere: who finds nothing to take
//! away leaves a job, as in the library, and a batch of a job writes the job, so that the two have a conflict.
//!
//! Left out: bounded arrays (a document without room refuses the whole transaction), elements with copies beside the key,
//! references from a model to itself, rules for deletes, whose jobs find by the array whom they concern, the cursor
//! of runners (they may do more here than with it), failovers, and declarations that programs do not know yet (as for
//! copies, in the model `protocol`).

#![allow(missing_docs, clippy::indexing_slicing, reason = "tests panic to fail")]

mod arrival;
// What is checked of a model does not depend on what it is of.
#[path = "../protocol/check.rs"]
mod check;
mod client;
mod counterexamples;
mod database;
mod goal;
mod mirror;
mod model;
mod proofs;
mod rules;
mod runner;
mod setup;
mod state;
mod transaction;
mod writer;
