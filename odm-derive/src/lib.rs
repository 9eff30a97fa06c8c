//! The derives of `mongo-odm`; they are documented where that crate re-exports them.
//!
//! The files are the pipeline: `attr` is the grammar, `ir` what the user said, `check` the
//! rules that need more than one attribute, `expand` what is emitted, and `fallback` what is
//! emitted when there are errors.

mod attr;
mod check;
mod derive;
mod error;
mod expand;
mod fallback;
mod hygiene;
mod ir;
mod recover;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Derives `Model`; documented in `mongo-odm`.
#[proc_macro_derive(
    Model,
    attributes(
        model, index, embed, refs, parent_ref, denorm, recent, rollup, links, serde
    )
)]
pub fn model(input: TokenStream) -> TokenStream {
    derive::derive(ir::Derive::Model, input.into()).into()
}

/// Derives `Embedded`; documented in `mongo-odm`.
#[proc_macro_derive(
    Embedded,
    attributes(
        embedded, index, embed, refs, parent_ref, denorm, recent, rollup, links, model, serde
    )
)]
pub fn embedded(input: TokenStream) -> TokenStream {
    derive::derive(ir::Derive::Embedded, input.into()).into()
}

/// Derives `SingleCollection`; documented in `mongo-odm`.
#[proc_macro_derive(SingleCollection, attributes(single_collection, serde))]
pub fn single_collection(input: TokenStream) -> TokenStream {
    derive::derive(ir::Derive::SingleCollection, input.into()).into()
}

/// Derives `Projection`; documented in `mongo-odm`.
#[proc_macro_derive(
    Projection,
    attributes(projection, embed, refs, parent_ref, model, serde)
)]
pub fn projection(input: TokenStream) -> TokenStream {
    derive::derive(ir::Derive::Projection, input.into()).into()
}
