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
//! | a transaction: read concern snapshot, write concern majority | [`machine`] |
//! | an update that changes nothing is no write, two that undo each other are one | [`database::Writes`] |
//! | link, unlink, delete: both arrays in one transaction | [`mirror`] |
//! | insert of a document that others name, and its second look | [`arrival`] |
//! | repair: a job for what lacks; or what only one end names is taken away | [`setup::Setup::due`], [`writer`] |
//! | run, last look, completion of a job | [`runner`] |
//! | `changed_at + grace` | [`machine::Transaction`] |
//! | what a crash loses | [`machine::Action`] |
//! | the rules, and what breaks without each | [`rules`], [`counterexamples`] |
//! | that all of them together are enough, and which only save time | [`proofs`] |
//!
//! Who ends a link that the other array does not have, or where there is no other array, has nothing to take away there and
//! leaves a job. So a batch that adds this link for the job writes the job too: both have a conflict, and whichever comes
//! second sees what the first one did.
//!
//! Left out: bounded arrays (a document without room refuses the whole transaction), elements with copies beside the key,
//! references from a model to itself, rules for deletes, whose jobs find by the array whom they concern, the cursor
//! of runners (they may do more here than with it), failovers, and declarations that programs do not know yet (as for
//! copies, in the model `protocol`).

#![allow(missing_docs, clippy::indexing_slicing, reason = "tests panic to fail")]

mod arrival;
// What is checked of a model does not depend on what it is of.
#[path = "../machine/check.rs"]
mod check;
mod client;
mod counterexamples;
mod database;
#[path = "../machine/difference.rs"]
mod difference;
mod goal;
#[path = "../machine/run.rs"]
mod machine;
mod mirror;
mod model;
mod proofs;
mod rules;
mod runner;
mod setup;
mod state;
#[path = "../machine/uneventful.rs"]
mod uneventful;
mod writer;
