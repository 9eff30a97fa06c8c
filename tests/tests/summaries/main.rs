//! An abstract model of the protocol for fields of a parent that are computed from its children. All states of the
//! model are checked.
//!
//! The model has one parent and a few children. The parent has fields that are computed from its children: their count,
//! their largest value, and a list of the newest. Two kinds of documents record that these fields may be stale: a delta
//! for each child that has not been added to the parent yet (`_odm_deltas`), and a job (`_odm_jobs`). Writers insert
//! and delete the children and the parent, folders fold deltas into the parent, and runners recompute the fields for
//! the job. Every process can pause for any time between two statements. A process can crash, and the commit that it
//! has sent can arrive much later or never. [`goal`] defines the conditions that every reachable state must meet.
//!
//! | in the protocol | here |
//! |---|---|
//! | a transaction: read concern snapshot, write concern majority | [`machine`] |
//! | an update that changes nothing is not a write | [`database::Writes`] |
//! | operators that commute (`$inc`, `$max`, `$push` with `$sort` and `$slice`) | [`fields::Summary::add`] |
//! | insert of a child: inline, or with a delta | [`child::insert`] |
//! | delete of a child: subtracted from the count, or pending behind its insert; other fields are unchanged or recomputed | [`child::remove`] |
//! | a child whose value changes | [`child::change`] |
//! | recomputation of a field, which is removed from deltas | [`anew`] |
//! | insert of the parent, its second look at the children | [`parent`] |
//! | a child without a parent, its second look for the parent | [`child::look`] |
//! | deltas are folded | [`folder`] |
//! | run, last look, completion of the job | [`runner`] |
//! | `changed_at + grace` | [`Transaction::age`](machine::Transaction::age) |
//! | the effects of a crash | [`machine::Action`] |
//! | the rules, and the errors without the necessary ones | [`rules`], [`counterexamples`] |
//! | the check that all rules together are sufficient for [`goal`] | [`proofs`] |
//!
//! Each of two sets of rules is sufficient for [`goal`]. With [`Rules::FULL`](rules::Rules::FULL), each transaction
//! stores a job if its decision depends on data that other transactions cannot see. With
//! [`Rules::LEAN`](rules::Rules::LEAN), a recomputation stores a job, and so does a last look that has changed
//! something.
//!
//! The model omits several parents (a job and a delta belong to one parent), sums and averages (they are added like
//! counts), and children that change their parent (two jobs). It omits the cursor of runners, so runners can do more
//! here than with a cursor. It omits failovers, and time: only the order of snapshots and commits is modelled. It also
//! omits declarations that programs do not know yet and jobs of two versions of a program, which the model `protocol`
//! contains for copies.

#![allow(missing_docs, clippy::indexing_slicing, reason = "tests panic to fail")]

mod anew;
// The code of the check is the same for all abstract models.
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
