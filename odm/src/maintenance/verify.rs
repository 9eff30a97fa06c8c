//! Finds differences between the stored data and the declarations, and repairs them.
//!
//! Every write through the library leaves copies, two-way references and bounds correct. Differences have other
//! causes: writes from a shell, a restored backup, or a program that does not declare a copy.
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
//! A check first compares all documents. It then reads suspicious documents again, in one transaction together with
//! their sources and jobs. In one snapshot, a copy either equals its source, or has a pending job, or has drifted.
//! So concurrent writes never cause findings. If the server cannot read a part of the data, the part is halved
//! until only one key or document is left. That key or document is reported as a finding.

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
