//! Denormalized copies: found in the shapes, written with their source, never left behind.
//!
//! An *extended reference* is what one reference copies from one source: its fields are always written
//! together, from one read of the source. For each key, the copies beside it hold what the
//! document with this key holds *now*; nothing remembers what a write intended. So a retry, a
//! crash and a late command have nothing to bring back.

mod graph;
mod images;
mod reference_index;
mod report;
mod resolve;
mod statement;
mod stats;
mod values;

pub use graph::check_models;
pub(crate) use graph::{Copied, ExtendedReference, Rule, graph};
pub(crate) use images::{Image, Images, keys_of, written_paths};
pub use report::{CascadeReport, CopyReport, Guarantee};
pub(crate) use resolve::{Resolved, by_values, projection, resolve, simple};
pub(crate) use statement::{key_condition, tied, update_of};
pub use stats::CopyStats;
pub(crate) use stats::Counters;
pub(crate) use values::{Expected, SourceValues, Values, expected};
