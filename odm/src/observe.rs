//! TODO house.

pub(crate) mod slow_statements;
pub(crate) mod stats;
