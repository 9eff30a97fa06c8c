//! References as documents store them: where the keys stand, what they lead to, and which of them lead nowhere.

mod slot;
mod targets;
mod walk;

pub(crate) use slot::{StoredSlot, each_slot};
pub(crate) use targets::nowhere;
pub(crate) use walk::StoredReference;
