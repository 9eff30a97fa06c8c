//! `impl From<&Part> for PartLine`: an embedded struct that contains the key of a document and copies of its fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;

use crate::{
    hygiene::{ends, moved},
    ir::{Field, ModelPath, Record, Reference},
};

/// Expands the impl. A field without a value is reported as an error, and then the body exists only to satisfy the
/// compiler.
pub(super) fn from(record: &Record, source: &Path) -> TokenStream {
    let (owner, model) = (record.ty(), record.named(source));
    let (generics, bounds) = (record.impl_parameters(), record.where_bounds());
    let source = Source {
        record,
        place: ends(&model).0,
    };
    let fields = record.fields.iter();
    let values: Option<Vec<_>> = fields
        .map(|field| {
            let (name, value) = (&field.ident, source.value(field, &model)?);
            Some(quote!(#name: #value,))
        })
        .collect();
    let values = values.filter(|_| record.skipped.is_empty());
    let body = values.map_or_else(
        || quote!(::core::unreachable!()),
        |values| quote!(Self { #(#values)* }),
    );
    let document = source.variable("__odm_document", source.place);
    quote! {
        #[automatically_derived]
        impl #generics ::core::convert::From<&#model> for #owner #bounds {
            fn from(#document: &#model) -> Self {
                #body
            }
        }
    }
}

/// The document, which is the argument of `from`.
struct Source<'r> {
    record: &'r Record,
    place: Span,
}

impl Source<'_> {
    /// Expands the value of a field, which is a copy or the key. Returns none for other fields.
    fn value(&self, field: &Field, model: &TokenStream) -> Option<TokenStream> {
        match (&field.copy, &field.reference) {
            (Some(copy), _) => Some(self.copy(field, &copy.from)),
            (None, Some(Reference { to: Some(to), .. })) if !to.fields.is_empty() => {
                Some(self.copy(field, to))
            }
            (None, Some(reference)) if !reference.is_many() => {
                let (ty, place) = (&field.ty, self.place);
                let document = self.variable("__odm_document", place);
                Some(quote_spanned!(place=> __odm::reference_to::<#model, #ty, _, _>(#document)))
            }
            (None, _) => None,
        }
    }

    fn copy(&self, field: &Field, from: &ModelPath) -> TokenStream {
        let (handle, place) = (self.record.handle(from), from.last_span());
        let ty = moved(&field.ty, place);
        let copy = quote_spanned!(place=> #handle.__copy::<#ty>);
        self.copy_at(&from.fields, "__odm_document", &copy, &ty)
    }

    /// Expands a call to `copy` with the value at a path. Each step into an embedded struct is a closure.
    fn copy_at(
        &self,
        path: &[Ident],
        within: &str,
        copy: &TokenStream,
        ty: &TokenStream,
    ) -> TokenStream {
        let Some((step, below)) = path.split_first() else {
            return TokenStream::new();
        };
        let place = step.span();
        let within = self.variable(within, place);
        if below.is_empty() {
            return quote_spanned!(place=> #copy(&#within.#step));
        }
        let value = self.copy_at(below, "__odm_inner", copy, ty);
        let inner = self.variable("__odm_inner", place);
        quote_spanned!(place=> __odm::OneEmbedded::<#ty>::copy_inner(&#within.#step, |#inner| #value))
    }

    /// Returns a variable with the location of a token that the user wrote. All variables with one name have the same
    /// hygiene, so they are one variable.
    fn variable(&self, name: &str, place: Span) -> Ident {
        Ident::new(name, place.resolved_at(self.place))
    }
}
