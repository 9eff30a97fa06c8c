//! Values in the form in which the server compares and hashes them.

pub(crate) mod hash;
pub(crate) mod order;
