//! Calls in a transaction that are dropped, of every kind of write and at every point: a source, its copies
//! and its jobs are committed together or not at all.

mod anywhere;
mod at_a_statement;
mod at_once;
mod band;
