//! The commands. Each file adds to `Connection` the commands after which the file is named.
//!
//! A few files contain helpers for the others: `owners` sends a command to all shards of a collection, `creation`
//! prepares databases and collections before a write, `split` divides a pipeline among the shards and the front, and
//! `through_router` sends a statement to the router.

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
mod split;
mod through_router;
mod write;
