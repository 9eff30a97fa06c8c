//! The commands.

mod admin;
mod catalog;
pub(crate) mod change_stream;
mod count;
mod read;
mod write;
