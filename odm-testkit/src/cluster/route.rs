//! Selects the shards of a statement, by the routing table.

pub(crate) mod table;
pub(crate) mod targeting;
