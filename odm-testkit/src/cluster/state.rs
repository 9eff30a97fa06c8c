//! The state that all clients share.

pub(crate) mod counters;
pub(crate) mod event_merge;
pub(crate) mod failpoints;
pub(crate) mod open_cursors;
pub(crate) mod policy;
pub(crate) mod recap;
pub(crate) mod transaction;
