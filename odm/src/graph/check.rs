//! Finds mistakes in declarations that only all models together show: aliases on maintained paths, cycles of copies,
//! kinds that overlap, structs that no model contains.

pub(super) mod alias;
pub(super) mod cycle;
pub(super) mod kind;
pub(super) mod unreached_struct;

/// A mistake in the declarations.
#[derive(Debug)]
pub(super) struct Problem {
    /// The collections of the mistake; empty for all. Writes to other collections work as usual.
    pub(super) collections: Vec<&'static str>,
    pub(super) message: String,
}
