//! Questions on the parameters of a struct.

use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;

use super::Record;

impl Record {
    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }

    /// Whether tokens name a parameter of the struct.
    pub(crate) fn is_of_parameter(&self, tokens: &impl ToTokens) -> bool {
        let types = self.generics.type_params().map(|of| &of.ident);
        let values = self.generics.const_params().map(|of| &of.ident);
        types.chain(values).any(|name| mentions(tokens, name))
    }
}

/// Whether a name is among tokens.
pub(crate) fn mentions(tokens: &impl ToTokens, name: &Ident) -> bool {
    let mut tokens = tokens.to_token_stream().into_iter();
    tokens.any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
