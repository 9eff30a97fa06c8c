//! The commands.

mod admin;
mod catalog;
mod change_stream;
mod count;
mod read;
mod write;
