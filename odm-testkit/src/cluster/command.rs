//! The commands. Each file extends `Connection` by the commands that its name says.
//!
//! A few files help others: `owners` sends a command to all shards of a collection, `creation` prepares databases and
//! collections before a write, `split` divides a pipeline among the shards and the front, and `through_router` sends a
//! statement to the router.

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
