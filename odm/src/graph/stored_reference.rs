//! References in stored documents: their paths, their targets, and a check that finds dangling references.

mod dangling;
mod inverse;
mod slot;
mod walk;

pub(crate) use dangling::dangling_slots;
pub(crate) use inverse::inverse_of;
pub use slot::StoredSlot;
pub(crate) use slot::each_slot;
pub use walk::StoredReference;
