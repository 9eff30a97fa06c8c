//! Generates the checks for the reference that connects a copy with its source.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{
    copy::other_names,
    question::{Checks, assertion},
};
use crate::{
    check::{copied_key, many_sources, no_reference},
    hygiene::{ends, plain, text},
    ir::{Copy, Field, ModelPath, Reference},
};

impl Checks<'_> {
    /// Checks that the reference in `via` refers to the model of the source.
    pub(super) fn leads_to_source(&mut self, copy: &Copy, via: &Ident) {
        let key = self.record.field(via);
        let Some((field, reference)) = key.and_then(|key| Some((key, key.reference.as_ref()?)))
        else {
            return;
        };
        let leads = self.leads((field, reference), copy, via.span());
        let message = format!(
            "`{}` is not a reference to `{}`, the model of the source `{}`; write a reference to `{1}`",
            plain(via),
            text(&copy.from.model),
            copy.from
        );
        self.assert(via.span(), via.span(), &leads, &message);
    }

    /// Checks that the reference in `via` is stored in the source, and that it refers to this
    /// model.
    pub(super) fn led_to_by_source(&mut self, copy: &Copy, via: &ModelPath) {
        let (handle, span) = (self.record.handle(via), via.model.span());
        let source = self.record.named_at(&copy.from.model, span);
        let belongs = quote_spanned!(span=> __belongs_to::<#source>());
        self.calls.push(quote!(#handle.#belongs;));
        self.refers_here(&handle, via.asked_span());
        let (first, last) = ends(via);
        let holds = quote_spanned!(last=> !__odm::source(|| #handle).is_copy());
        self.assert(first, last, &holds, &copied_key(&via.to_string()));
        let holds = quote_spanned!(last=> __odm::source(|| #handle).has_one_name());
        self.assert(first, last, &holds, &other_names(&format!("`{via}`")));
    }

    /// Checks that exactly one reference in the struct refers to the source. This check applies only to copies without
    /// `via`.
    pub(super) fn one_leads_to_source(&mut self, field: &Field, copy: &Copy) {
        let record = self.record;
        let keys: Vec<_> = record.keys_of_copy(field, copy).collect();
        let span = copy.attribute.span();
        let any = keys.iter().map(|key| self.leads(*key, copy, span));
        let any = quote_spanned!(span=> #(#any)||*);
        let mut checks = Vec::new();
        for array in record.references().filter(|(_, of)| of.is_many()) {
            let many = self.leads(array, copy, span);
            let message = many_sources(&[&array.0.name()]);
            checks.push(assertion(span, span, &quote!(#any || !#many), &message));
        }
        // Another check reports a reference of a wrong type.
        let wrong = record.references().map(|(key, reference)| {
            let lead = record.lead(key, reference);
            quote_spanned!(span=> || !__odm::TypeProbe::<#lead>::LEADS_TO_MODEL)
        });
        let any_or_wrong = quote_spanned!(span=> #any #(#wrong)*);
        checks.push(assertion(span, span, &any_or_wrong, &no_reference(copy)));
        for (position, first) in keys.iter().enumerate() {
            for second in keys.iter().skip(position + 1) {
                let both = [first, second].map(|key| self.leads(*key, copy, span));
                let [first, second] = [first, second].map(|(key, _)| key.name());
                let message = format!(
                    "both `{first}` and `{second}` refer to the source of `{}`; write `via = \"{first}\"` or `via = \"{second}\"`",
                    copy.from
                );
                checks.push(assertion(span, span, &quote!(!(#(#both)&&*)), &message));
            }
        }
        // All checks are in one block, so that the compiler shows only the first assertion that
        // fails.
        self.asserts.push(quote!(const _: () = { #(#checks;)* };));
    }

    /// Generates a condition that is true if a reference refers to the source's model.
    pub(super) fn leads(
        &self,
        (key, reference): (&Field, &Reference),
        copy: &Copy,
        span: Span,
    ) -> TokenStream {
        let lead = self.record.lead(key, reference);
        let source = self.record.named_at(&copy.from.model, span);
        quote_spanned!(span=> __odm::TypeProbe::<(#lead, #source)>::LEADS)
    }
}
