//! Denormalized copies: found in the shapes, written with their source, never left behind.
//!
//! A *tie* is what one reference copies from one source: the fields of a tie are always written
//! together, from one read of the source. For each key, the copies that are tied to it hold what the
//! document with this key holds *now*; nothing remembers what a write intended. So a retry, a
//! crash and a late command have nothing to bring back.

mod graph;
mod images;
mod report;
mod resolve;
mod statement;
mod stats;
mod tie_index;
mod tuple;

pub use graph::check_models;
pub(crate) use graph::{Copied, Rule, Tie, graph};
pub(crate) use images::{Image, Images, keys_of, written_paths};
pub use report::{CopyReport, Guarantee};
pub(crate) use resolve::{Resolved, by_tuple, projection, resolve, simple};
pub(crate) use statement::{key_condition, tied, update_of};
pub use stats::CopyStats;
pub(crate) use stats::Counters;
pub(crate) use tuple::{Expected, Source, Tuple, expected};
