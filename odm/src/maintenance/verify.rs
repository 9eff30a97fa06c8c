//! Finds differences between the stored data and the declarations, and repairs them.
//!
//! Every write through the library leaves copies, two-way references and bounds correct. Differences have other
//! causes: writes from a shell, a restored backup, or a program that does not declare a copy.
//!
//! | module | contents |
//! |---|---|
//! | [`builder`] | the builder that your code awaits |
//! | [`check_list`] | the list of checks to run, derived from the shapes |
//! | [`drift`] | all findings of a verification |
//! | [`repair`] | repairs findings, and shows the plan of a repair |
//!
//! A check first compares all documents. The check then reads suspicious documents again, in one transaction
//! together with their sources and jobs. In one snapshot, a copy either equals its source, or has a pending job, or
//! has drifted. So concurrent writes never cause findings. If the server cannot read a part of the data, the part
//! is halved until only one key or document is left. That key or document is reported as a finding.

mod builder;
mod check_list;
mod drift;
mod repair;

pub use super::invariant::{
    finding::{DriftKind, Drifted},
    repair_report::{RepairReport, Repaired},
};
pub use builder::Verify;
pub use drift::Drift;
pub use repair::Repair;
