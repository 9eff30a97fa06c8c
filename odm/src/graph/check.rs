//! Finds mistakes in declarations that show only when all models are compared: aliases on maintained paths, cycles of
//! copies, overlapping kinds, and structs that no model contains.

pub(super) mod alias;
pub(super) mod cycle;
pub(super) mod kind;
pub(super) mod unreached_struct;

/// A mistake in the declarations.
#[derive(Debug)]
pub(super) struct Problem {
    /// The collections that the mistake affects. Empty if it affects all. Writes to other collections work as usual.
    pub(super) collections: Vec<&'static str>,
    pub(super) message: String,
}
