//! Collects the errors of one derive.
//!
//! The crate `darling` also collects errors, but it keeps only one span per error. On a stable compiler, `darling`
//! could mark only the first token of `Option<Id<A>>`. The style of its messages also differs from ours. `syn::Error`
//! keeps the first and the last token of each error.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The errors of one item. All errors are collected, so that one build reports all of them.
///
/// # Panics
///
/// Dropping a value that still contains errors panics, because this is a bug in the derive.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error that marks all tokens from the first to the last.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error that a parser returned.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Adds several errors that a parser returned.
    pub(crate) fn extend(&mut self, errors: impl IntoIterator<Item = syn::Error>) {
        errors.into_iter().for_each(|error| self.push(error));
    }

    /// Returns whether no errors have been added.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the errors as calls to `compile_error!`, or `None` if there are no errors.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        self.0.take().map(syn::Error::into_compile_error)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(
            self.0.is_none() || std::thread::panicking(),
            "errors of a derive were forgotten"
        );
    }
}
