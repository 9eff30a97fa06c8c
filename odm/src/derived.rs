//! TODO house.

pub(crate) mod follow;
pub(crate) mod outbox;
pub(crate) mod programs;
pub(crate) mod runner;
pub(crate) mod values;
