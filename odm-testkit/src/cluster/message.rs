//! Messages: their bytes, commands of clients, and replies.

pub(crate) mod call;
pub(crate) mod reply;
mod text;
pub(crate) mod wire;
