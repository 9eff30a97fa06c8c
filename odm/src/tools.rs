//! Tools over the library: surveys of a database, advice, generated models, and the operator's command.
//!
//! No other house uses them.

pub(crate) mod advise;
mod calls;
#[cfg(feature = "cli")]
pub(crate) mod cli;
mod keys;
mod listed_collection;
mod numbers;
mod paths;
mod progress;
#[cfg(feature = "cli")]
pub(crate) mod pull;
mod statements;
pub(crate) mod survey;
