//! References as documents store them: where the keys stand, what they lead to, and which of them lead nowhere.

mod slot;
mod targets;
mod walk;

pub use slot::StoredSlot;
pub(crate) use slot::each_slot;
pub(crate) use targets::nowhere;
pub use walk::StoredReference;
