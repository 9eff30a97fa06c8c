//! Denormalized copies: found in the shapes, written with their source, never left behind.
//!
//! An *extended reference* is what one reference copies from one source: its fields are always written
//! together, from one read of the source. For each key, the copies beside it hold what the
//! document with this key holds *now*; nothing remembers what a write intended. So a retry, a
//! crash and a late command have nothing to bring back.

mod addition;
mod computed;
mod correction;
pub(crate) mod deltas;
mod images;
mod read_sources;
mod report;
mod source_values;
mod step;

pub(crate) use addition::{Newcomers, Operators};
pub(crate) use correction::{key_condition, tied, update_of};
pub(crate) use images::{Image, Images, keys_held, keys_of, written_paths};
pub(crate) use read_sources::{by_values, read_sources, resolve, resolve_stored};
pub use report::{CascadeReport, CopyReport, Form, Guarantee};
pub(crate) use source_values::{Expected, Resolved, SourceValues, Values, expected};
pub(crate) use step::{Passage, Step};
