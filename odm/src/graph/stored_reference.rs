//! References as documents store them: where the keys stand, what they lead to, and which of them lead nowhere.

mod dangling;
mod slot;
mod walk;

pub(crate) use dangling::dangling_slots;
pub use slot::StoredSlot;
pub(crate) use slot::each_slot;
pub use walk::StoredReference;
