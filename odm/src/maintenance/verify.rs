//! Finds differences between the stored data and the declarations, and repairs them.
//!
//! Every write through the library keeps copies, two-way references and bounds correct. Differences have other causes,
//! such as writes from a shell, a restored backup, or a program that does not declare a copy.
//!
//! | module | contents |
//! |---|---|
//! | [`builder`] | the builder that your code awaits |
//! | [`check_list`] | the invariants of the selected models and relation |
//! | [`drift`] | all findings of a verification |
//! | [`repair`] | repairs findings, and returns the plan of a repair |
//!
//! The checks and their repairs are in [`invariant`](super::invariant).

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
