//! Tools over the library: surveys of a database, advice, generated models, and the operator's command.
//!
//! No other house uses them.

pub(crate) mod advise;
#[cfg(feature = "cli")]
pub(crate) mod cli;
#[cfg(feature = "cli")]
pub(crate) mod pull;
pub(crate) mod survey;
