//! An abstract model of the protocol that keeps the two arrays of a two-way reference consistent. All states of the
//! model are checked.
//!
//! A course contains the ids of its students, and each student contains the ids of its courses. A writer changes both
//! arrays in one transaction, because a later comparison of the arrays could not distinguish added ids from removed
//! ones. A job (`_odm_jobs`), which runs later, only adds missing ids to an array and removes none. Writers create and
//! remove links at either end, insert and delete documents, and repair them. Runners run the jobs. Every process can
//! pause for any time between two statements. A process can crash, and the commit that it has sent can arrive much
//! later or never. [`goal`] defines the conditions that every reachable state must meet.
//!
//! | in the protocol | here |
//! |---|---|
//! | a transaction: read concern snapshot, write concern majority | [`machine`] |
//! | an update that changes nothing is not a write; two updates that undo each other are one write | [`database::Writes`] |
//! | link, unlink, delete: change both arrays in one transaction | [`mirror`] |
//! | insert of a document to which others already refer, and its second look | [`arrival`] |
//! | repair: a job adds missing ids, or ids that only one end contains are removed | [`setup::Setup::due`], [`writer`] |
//! | run, last look, completion of a job | [`runner`] |
//! | `changed_at + grace` | [`machine::Transaction`] |
//! | the effects of a crash | [`machine::Action`] |
//! | the rules, and the errors without each of them | [`rules`], [`counterexamples`] |
//! | the check that all rules together are sufficient for [`goal`], and the rules that only save time | [`proofs`] |
//!
//! If the other array does not contain a link or does not exist, a writer that removes the link finds nothing to remove
//! there, and stores a job. A batch that adds this link for a job also writes this job. So the two transactions
//! conflict, and the second one sees the changes of the first.
//!
//! The model omits bounded arrays (a full array makes the whole transaction fail), elements with copies next to the
//! key, references from a model to itself, and failovers. It omits delete rules, whose jobs find the affected documents
//! by the array. It omits the cursor of runners, so runners can do more here than with a cursor. It also omits
//! declarations that programs do not know yet, which the model `protocol` contains for copies.

#![allow(missing_docs, clippy::indexing_slicing, reason = "tests panic to fail")]

mod arrival;
// The code of the check is the same for all abstract models.
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
