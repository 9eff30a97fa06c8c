//! A model of the protocol for fields that a parent keeps about its children, checked in all its states.
//!
//! One parent with fields that are computed of its children (their count, their largest value, a list of the newest),
//! a few children, and two kinds of documents which say that the fields may not be right: a delta for each child that
//! was not added to the parent yet (`_odm_deltas`), and a job (`_odm_jobs`). Writers insert and remove children, and the
//! parent; folders add deltas to the parent; runners compute the fields anew for the job. Every process may stop for any
//! time between two statements; a process may crash, and the commit that it sent may arrive much later or never.
//! [`goal`] says what must hold in every state that can be reached.
//!
//! | in the protocol | here |
//! |---|---|
//! | a transaction: read concern snapshot, write concern majority | [`machine`] |
//! | an update that changes nothing is no write | [`database::Writes`] |
//! | what commutes (`$inc`, `$max`, `$push` with `$sort` and `$slice`) | [`fields::Summary::add`] |
//! | insert of a child: inline, or with a delta | [`child::insert`] |
//! | delete of a child: it is taken from the count, or waits behind its insert; other fields stay or are computed anew | [`child::remove`] |
//! | a child with another value | [`child::change`] |
//! | a field computed anew, which is taken out of deltas | [`anew`] |
//! | insert of the parent, its second look at the children | [`parent`] |
//! | a child without a parent, its second look for the parent | [`child::look`] |
//! | deltas are folded | [`folder`] |
//! | run, last look, completion of the job | [`runner`] |
//! | `changed_at + grace` | [`Transaction::age`](machine::Transaction::age) |
//! | what a crash loses | [`machine::Action`] |
//! | the rules, and what breaks without those that are needed | [`rules`], [`counterexamples`] |
//! | that all of them together are enough | [`proofs`] |
//!
//! There are two sets of rules that are enough. [`Rules::FULL`](rules::Rules::FULL): who decides by what others do not
//! see leaves a job. [`Rules::LEAN`](rules::Rules::LEAN): who computes anew leaves one, and so does a last look that has
//! changed something.
//!
//! Left out: more than one parent (a job and a delta belong to one), sums and means (they add as counts do), children
//! that change their parents (two jobs), the cursor of runners
//! (they may do more here than with it), failovers, declarations that programs do not know yet and jobs of two versions
//! of a program (as for copies, in the model `protocol`), and time, of which only the order of snapshots and commits is
//! here.

#![allow(missing_docs, clippy::indexing_slicing, reason = "tests panic to fail")]

mod anew;
// What is checked of a model does not depend on what it is of.
#[path = "../machine/check.rs"]
mod check;
mod child;
mod client;
mod counterexamples;
mod database;
#[path = "../machine/difference.rs"]
mod difference;
mod fields;
mod folder;
mod goal;
#[path = "../machine/run.rs"]
mod machine;
mod model;
mod parent;
mod proofs;
mod rules;
mod runner;
mod setup;
mod state;
#[path = "../machine/uneventful.rs"]
mod uneventful;
