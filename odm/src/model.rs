//! TODO house.

pub(crate) mod bound;
pub(crate) mod described;
pub(crate) mod projection;
pub(crate) mod reference;
pub(crate) mod registry;
pub mod shape;
