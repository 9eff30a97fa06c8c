//! Injected faults: statements that are delayed, lost, rejected or interrupted by a kill.
//!
//! After each fault, the jobs run. Then no job remains, and every copy equals its source. Statements that arrive late
//! from a killed or slow runner never restore an old value.

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
