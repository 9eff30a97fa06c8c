//! The `const` description of models, which the derive emits and everything else interprets.
//!
//! Nothing here sends a statement.

pub(crate) mod bound;
pub(crate) mod described;
pub(crate) mod embedded_calls;
pub(crate) mod projection;
pub(crate) mod reference;
pub(crate) mod registry;
pub mod shape;
