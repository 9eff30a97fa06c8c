//! Drops calls of every kind of write in a transaction, at every point. A source, its copies and its jobs are either
//! committed together or not at all.

mod anywhere;
mod at_a_statement;
mod at_once;
mod band;
