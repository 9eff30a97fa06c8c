//! Finds mistakes in the declarations that only all models together show.

pub(super) mod alias;
pub(super) mod cycle;
pub(super) mod kind;
pub(super) mod unreached_struct;

/// A mistake in the declarations that only all models together show.
#[derive(Debug)]
pub(super) struct Problem {
    /// The collections that it concerns; others work on.
    pub(super) collections: Vec<&'static str>,
    pub(super) message: String,
}
