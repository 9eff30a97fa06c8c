//! Generates the methods of two-way references: `reassign_*` for a single reference, `take_*` for the array that is its
//! inverse, and `link_*` and `unlink_*` for two arrays.
//!
//! The derive does not see the other struct. So the derive generates `take_*`, `link_*` and `unlink_*` for each array
//! that has an `inverse`, with bounds on the other field. The inverse of a single reference must be an array, which an
//! emitted check verifies.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::{docs, tokens::handle};
use crate::{
    hygiene::{moved, plain, prefixed},
    ir::{Field, Record, Reference},
};

pub(super) fn methods(record: &Record) -> Option<TokenStream> {
    record.model()?;
    let mut names = HashSet::new();
    let pairs = record.references().filter_map(|(field, reference)| {
        let inverse = reference.inverse.as_ref()?;
        let is_new = names.insert(plain(reference.name(field)));
        is_new.then(|| Pair::new(record, field, reference, inverse))
    });
    let methods: Vec<_> = pairs.map(|pair| pair.method()).collect();
    let ident = &record.ident;
    (!methods.is_empty()).then(|| {
        quote! {
            #[automatically_derived]
            impl #ident {
                #(#methods)*
            }
        }
    })
}

/// A reference or an array, and the field that refers back to it.
struct Pair<'r> {
    record: &'r Record,
    field: &'r Field,
    reference: &'r Reference,
    inverse: &'r Ident,
    /// The other model. The tokens have the location of `inverse`.
    target: TokenStream,
    /// A type that implements `Leads` if the target is a model.
    lead: TokenStream,
    /// The bound on the methods, which requires that the field refers to a model.
    leads: TokenStream,
    here: TokenStream,
}

impl<'r> Pair<'r> {
    fn new(
        record: &'r Record,
        field: &'r Field,
        reference: &'r Reference,
        inverse: &'r Ident,
    ) -> Self {
        Self {
            target: moved(&record.target(field, reference), inverse.span()),
            lead: record.lead(field, reference),
            leads: moved(
                &record.leads(field, reference),
                reference.name(field).span(),
            ),
            here: handle(&quote!(Self), std::slice::from_ref(&field.ident)),
            record,
            field,
            reference,
            inverse,
        }
    }

    fn method(&self) -> TokenStream {
        if !self.reference.is_many() {
            return self.reassign();
        }
        let take = self.take();
        let link = self.change_links("link", docs::link);
        let unlink = self.change_links("unlink", docs::unlink);
        quote!(#take #link #unlink)
    }

    /// Generates `link_*` or `unlink_*`.
    fn change_links(&self, name: &str, doc: fn(&Record, &Field, &str) -> String) -> TokenStream {
        let Self {
            record,
            field,
            lead,
            here,
            ..
        } = self;
        let (ty, own, inverse) = (&field.ty, field.name(), plain(self.inverse));
        let (vis, method) = (&record.vis, self.named(name));
        let doc = doc(record, field, &inverse);
        let does = Ident::new(name, Span::call_site());
        quote_spanned! {self.place()=>
            #[doc = #doc]
            #[track_caller]
            #vis fn #method(
                &self,
                odm: &(impl __odm::Executor + ?::core::marker::Sized),
                others: impl ::core::iter::IntoIterator<
                    Item: __odm::Operand<<__odm::Held<'static, #ty> as __odm::HoldsItems>::Item>,
                >,
            ) -> __odm::UpdateOne<Self>
            where
                for<'__odm> __odm::Held<'__odm, #ty>: __odm::HoldsItems<Array = #ty>,
                for<'__odm> &'__odm __odm::ArraysAtBothEnds<{
                    __odm::are_arrays(
                        <Self as __odm::HasFields>::__ODM_FIELDS,
                        #own,
                        __odm::TypeProbe::<#lead>::TARGET_FIELDS,
                        #inverse,
                    )
                }>: __odm::AreMirrored
            {
                __odm::#does::<__odm::Held<'static, #ty>, _, _, _>(self, #here, others, odm)
            }
        }
    }

    fn reassign(&self) -> TokenStream {
        let Self {
            record,
            field,
            here,
            ..
        } = self;
        let (name, ty) = (&field.ident, &field.ty);
        let (vis, method) = (&record.vis, self.named("reassign"));
        let doc = docs::reassign(record, field, &plain(self.inverse));
        quote_spanned! {self.place()=>
            #[doc = #doc]
            #[track_caller]
            #vis fn #method(
                &self,
                odm: &(impl __odm::Executor + ?::core::marker::Sized),
                to: impl __odm::Operand<#ty>,
            ) -> __odm::Reassign {
                __odm::Reassign::new(self, #here, &self.#name, to, odm)
            }
        }
    }

    fn take(&self) -> TokenStream {
        let Self {
            record,
            field,
            target,
            lead,
            leads,
            here,
            ..
        } = self;
        let there = plain(self.inverse);
        let (vis, method) = (&record.vis, self.named("take"));
        let doc = docs::take(record, field, &plain(self.inverse));
        let bound = self.is_followed();
        quote_spanned! {self.place()=>
            #[doc = #doc]
            #[track_caller]
            #vis fn #method(
                &self,
                odm: &(impl __odm::Executor + ?::core::marker::Sized),
                ids: impl ::core::iter::IntoIterator<
                    Item: __odm::AsId<#target>,
                >,
            ) -> __odm::Take where #leads, #bound {
                __odm::Take::new::<#lead, _>(self, #here, #there, ids, odm)
            }
        }
    }

    /// Generates a bound that requires that the other side is a single reference. The bound has a lifetime, because the
    /// compiler would check a bound without parameters at the method itself instead of at its callers.
    fn is_followed(&self) -> TokenStream {
        let (lead, name) = (&self.lead, plain(self.inverse));
        quote_spanned! {self.place()=>
            for<'__odm> &'__odm __odm::KeyThere<{
                    __odm::is_key(__odm::TypeProbe::<#lead>::TARGET_FIELDS, #name)
                }>: __odm::IsFollowed,
        }
    }

    fn named(&self, prefix: &str) -> Ident {
        prefixed(prefix, self.reference.name(self.field))
    }

    /// Returns the location of the relation's name, at which the compiler reports a method with a duplicate name.
    fn place(&self) -> Span {
        Span::call_site().located_at(self.reference.name(self.field).span())
    }
}
