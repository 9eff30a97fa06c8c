//! Finds what in the database is not as the models say, and puts it right.
//!
//! Copies, two-way references and bounds hold for every write through the library. What it cannot see
//! is a write that goes past it: a shell, a restored backup, a program that does not declare a copy.
//!
//! | module | what it does |
//! |---|---|
//! | [`builder`] | what a program calls |
//! | [`checks`] | lists what there is to check, from the shapes |
//! | [`copies`] | copies that differ from their source |
//! | [`two_way`] | references that name each other, by their [`pair`] |
//! | [`links`] | links between documents of one collection |
//! | [`references`] | other references: those that lead nowhere, and nulls |
//! | [`unreadable`] | keys that cannot be read |
//! | [`bounds`] | arrays that are longer than their `max` |
//! | [`finding`], [`drift`] | one finding, and all of them |
//! | [`repair`] | what puts them right, planned and done |

mod bounds;
mod builder;
mod checks;
mod copies;
mod drift;
mod events;
mod finding;
mod jobs;
mod links;
mod options;
mod pair;
mod references;
mod repair;
mod two_way;
mod unreadable;

pub use builder::Verify;
pub use drift::Drift;
pub use finding::{DriftKind, Drifted};
pub use repair::{Repair, RepairReport, Repaired};
