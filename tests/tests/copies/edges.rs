//! Edge cases of copies: unusual paths, values and keys, deletes, and concurrent writers.

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
