//! Collects the checks for one struct in two forms: calls and assertions.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::tokens::handle;
use crate::{
    hygiene::{ends, placed},
    ir::{Field, FieldPath, Record},
};

/// The checks for one struct: calls and assertions.
pub(super) struct Checks<'r> {
    pub(super) record: &'r Record,
    pub(super) calls: Vec<TokenStream>,
    pub(super) asserts: Vec<TokenStream>,
}

impl<'r> Checks<'r> {
    pub(super) const fn new(record: &'r Record) -> Self {
        Self {
            record,
            calls: Vec::new(),
            asserts: Vec::new(),
        }
    }

    /// Adds a call to a check on the handle of one of this struct's own fields.
    pub(super) fn own(&mut self, field: &Field, span: Span, check: &TokenStream) {
        let handle = handle(&self.record.here(span), std::slice::from_ref(&field.ident));
        let check = placed(check, span);
        self.calls.push(quote!(#handle.#check;));
    }

    /// Adds a call to a check on a field's type. The call has the span of the type.
    pub(super) fn of_type(
        &mut self,
        field: &Field,
        check: &TokenStream,
        other: Option<&TokenStream>,
    ) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let check = placed(check, first);
        let other = other.into_iter();
        let arguments = quote_spanned!(last=> ::<#ty #(, #other)*>());
        self.calls.push(quote!(#check #arguments;));
    }

    /// Checks that the field `via` of a child model refers to this struct.
    pub(super) fn leads_here(&mut self, of: &syn::Path, via: &FieldPath) {
        let handle = handle(&self.record.named(of), &via.fields);
        self.refers_here(&handle, via.asked_span());
    }

    pub(super) fn refers_here(&mut self, handle: &TokenStream, span: Span) {
        // References can refer only to models, so embedded structs are not checked.
        if self.record.model().is_some() {
            let here = self.record.here(span);
            let check = quote_spanned!(span=> __refers_to::<#here>());
            self.calls.push(quote!(#handle.#check;));
        }
    }

    pub(super) fn assert(&mut self, first: Span, last: Span, holds: &TokenStream, message: &str) {
        let assertion = assertion(first, last, holds, message);
        self.asserts.push(quote!(const _: () = #assertion;));
    }
}

/// Generates an assertion whose error marks all tokens from one span to another.
pub(super) fn assertion(
    first: Span,
    last: Span,
    holds: &TokenStream,
    message: &str,
) -> TokenStream {
    let start = quote_spanned!(first=> ::core::assert!);
    let condition = quote_spanned!(last=> (#holds, #message));
    quote!(#start #condition)
}

/// Generates a condition that is true if serde can read documents in which the field is missing, even though the field
/// does not have a default. Serde can read such documents if the field is an `Option` that a codec does not read.
pub(super) fn may_be_missing(field: &Field, place: Span) -> TokenStream {
    let (ty, has_codec) = (&field.ty, field.is_read_by_codec());
    quote_spanned!(place=> !#has_codec && __odm::TypeProbe::<#ty>::MAY_BE_MISSING)
}

/// Generates the codec of a field in the form that shapes use.
pub(super) fn codec_of(field: &Field) -> TokenStream {
    let codec = field.codec.as_ref().map(|codec| &codec.text);
    codec.map_or_else(
        || quote!(::core::option::Option::None),
        |text| quote!(::core::option::Option::Some(#text)),
    )
}
