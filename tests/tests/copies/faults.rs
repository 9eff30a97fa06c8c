//! Faults on purpose: what is held, lost, refused or killed at a certain statement.
//!
//! After each of them the jobs are run, and then no job is left and every copy equals its source. What a
//! dead or slow runner sends late never brings an old value back.

mod additions;
mod before_writes;
mod cursors;
mod deletes;
mod inserts;
pub mod lab;
mod leftovers;
mod process;
mod runners;
mod servers;
mod storms;
mod writers;
