//! The commands.

mod admin;
mod catalog;
mod change_stream;
mod commit;
mod count;
mod creation;
mod cursor;
mod find_and_modify;
mod owners;
mod read;
mod through_router;
mod write;
