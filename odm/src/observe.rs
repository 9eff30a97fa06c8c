//! Counts the calls that are made through a handle, and warns about slow statements.

pub(crate) mod slow_statements;
pub(crate) mod stats;

pub use stats::{CopyStats, FieldStats, LookupStats, ModelStats, RelationStats, Stats};
