//! Copies at the edges: odd places, odd values, odd keys, deletes, and writers at the same moment.

pub mod chains;
mod collation;
mod copied_structs;
mod cycles;
pub mod deletes;
mod failures;
pub mod keys;
mod places;
mod races;
mod shared_collection;
mod standalone;
mod unset;
mod values;
