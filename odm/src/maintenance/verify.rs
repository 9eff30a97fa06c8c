//! Finds differences between the stored data and the declarations, and repairs them.
//!
//! Copies, two-way references and bounds are correct after every write through the library. Differences result from
//! other causes: writes from a shell, a restored backup, or a program that does not declare a copy.
//!
//! | module | contents |
//! |---|---|
//! | [`builder`] | the call in your code |
//! | [`check_list`] | the list of checks, from the shapes |
//! | [`copies`] | copies that differ from their source |
//! | [`two_way`] | references that refer to each other, in pairs ([`two_way_pair`]) |
//! | [`links`] | links between documents of one collection |
//! | [`dangling_reference`] | other references: dangling ones, and nulls |
//! | [`unreadable_key`] | keys that cannot be read |
//! | [`bounds`] | arrays that are longer than their `max` |
//! | [`pending_job`] | findings that a job will correct, and jobs that no program runs |
//! | [`finding`], [`drift`] | one finding, and all findings |
//! | [`repair`] | the repair: its plan and its execution |
//!
//! A check first compares all documents. It then reads suspicious documents again, in one transaction with their
//! sources and jobs. In one snapshot, a copy either equals its source, has a job, or has drifted. So concurrent
//! writes never cause findings. If the server cannot read a part of the data, the part is halved until one key or
//! document is left. That one is a finding.

mod bounds;
mod builder;
mod check_list;
mod copies;
mod dangling_reference;
mod drift;
mod finding;
mod finding_stream;
mod links;
mod options;
mod pending_job;
mod repair;
mod two_way;
mod two_way_pair;
mod unreadable_key;

pub use builder::Verify;
pub use drift::Drift;
pub use finding::{DriftKind, Drifted};
pub use repair::{Repair, RepairReport, Repaired};
