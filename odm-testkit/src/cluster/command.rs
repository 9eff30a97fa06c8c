//! The commands.

mod admin;
mod catalog;
mod change_stream;
mod commit;
mod count;
mod cursor;
mod read;
mod write;
