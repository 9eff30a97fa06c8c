//! The shards of a statement.

pub(crate) mod table;
pub(crate) mod targeting;
