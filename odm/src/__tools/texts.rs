//! Formats values as text.

pub use crate::mongosh::{document as mongosh_document, value as mongosh_value};
