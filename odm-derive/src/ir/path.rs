//! Returns the text, tokens and spans of the field paths and model paths that the user wrote.

use std::fmt;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

use super::{FieldPath, ModelPath, Via};
use crate::hygiene::{plain, text, unedited};

impl ModelPath {
    /// Returns the span of the path's last segment.
    pub(crate) fn last_span(&self) -> Span {
        self.fields
            .last()
            .map_or_else(|| self.model.span(), Ident::span)
    }

    /// Returns the span of the last segment, changed so that errors at this span do not contain the
    /// compiler's suggestions.
    pub(crate) fn asked_span(&self) -> Span {
        let last = self.fields.last();
        last.map_or_else(|| self.model.span(), |last| unedited(last).span())
    }
}

impl ToTokens for ModelPath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { model, fields } = self;
        tokens.extend(quote!(#model #(.#fields)*));
    }
}

impl fmt::Display for ModelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(&self.model))?;
        self.fields
            .iter()
            .try_for_each(|field| write!(f, ".{}", plain(field)))
    }
}

impl FieldPath {
    /// Returns the span of the path's last segment.
    pub(crate) fn last_span(&self) -> Span {
        self.fields.last().map_or_else(Span::call_site, Ident::span)
    }

    /// Returns the span of the last segment, changed so that errors at this span do not contain the
    /// compiler's suggestions.
    pub(crate) fn asked_span(&self) -> Span {
        let last = self.fields.last();
        last.map_or_else(Span::call_site, |last| unedited(last).span())
    }
}

impl ToTokens for FieldPath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let fields = &self.fields;
        tokens.extend(quote!(#(#fields).*));
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.fields.iter().map(plain).collect();
        f.write_str(&names.join("."))
    }
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => f.write_str(&plain(field)),
            Self::Model(path) => path.fmt(f),
        }
    }
}
