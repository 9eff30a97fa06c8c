//! Generates `impl From<&Part> for PartLine`, for an embedded struct that consists of a document's key and copies of
//! its fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;

use crate::{
    hygiene::{ends, moved},
    ir::{Field, ModelPath, Record, Reference},
};

/// Generates the impl. If the value of a field is unknown, an error has already been reported, and the body only has to
/// compile.
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

/// The document from which the struct is created. The document is the argument of `from`.
struct Source<'r> {
    record: &'r Record,
    place: Span,
}

impl Source<'_> {
    /// Generates the value of a field that is a copy or the key. Returns `None` for any other field.
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

    /// Generates a call that passes the value at a path to `copy`. Each step into an embedded struct becomes a closure.
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

    /// Returns a variable that has the location of a token that the user wrote. All variables with the same name have
    /// the same hygiene, so the compiler treats them as one variable.
    fn variable(&self, name: &str, place: Span) -> Ident {
        Ident::new(name, place.resolved_at(self.place))
    }
}
