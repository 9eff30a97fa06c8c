//! Pieces of generated code that refer to the user's items.
//!
//! `written_target` reads the model from the tokens of a type such as `Vec<Id<Part>>`. The result is used for
//! signatures such as `LoadMany<Part>` and for error messages. Generated code does not depend on this result, so a type
//! alias also works.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Path, Type, spanned::Spanned};

use crate::{
    hygiene::{ends, inner_type, moved, placed, plain, unedited, written_id},
    ir::{Field, ModelPath, Record, Reference, Role},
};

/// Wraps items in `const _`, so that their names do not exist in the user's module. It allows lints
/// that users may deny.
pub(crate) fn wrap(library: &Path, items: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, deprecated, unused_imports, unused_qualifications, private_interfaces, private_bounds, non_camel_case_types, clippy::all, clippy::pedantic)]
        const _: () = {
            use #library::__private as __odm;
            use __odm::TypeProbeFallback as _;
            #items
        };
    }
}

impl Record {
    /// Returns the type of a path in an attribute, with the span of the path.
    pub(super) fn named(&self, path: &Path) -> TokenStream {
        if path.is_ident("Self") {
            self.here(path.span())
        } else {
            quote!(#path)
        }
    }

    /// Returns the type of a path in an attribute through a type alias, with another span. The compiler reports an
    /// unknown type at each use of its path. With the alias it reports only the path that the user wrote.
    pub(super) fn named_at(&self, path: &Path, place: Span) -> TokenStream {
        if path.is_ident("Self") {
            return self.here(place);
        }
        let name = alias(path, place.resolved_at(Span::call_site()));
        quote!(#name)
    }

    /// Expands the type aliases of [`named_at`](Self::named_at).
    pub(super) fn aliases(&self) -> TokenStream {
        let copies = self.fields.iter().filter_map(|field| field.copy.as_ref());
        let sources = copies.map(|copy| &copy.from.model);
        let whole = match &self.role {
            Role::Projection(of) => of.as_ref(),
            Role::Embedded { from } => from.as_ref(),
            Role::Model(_) => None,
        };
        let others = sources.chain(whole).filter(|path| !path.is_ident("Self"));
        let aliases: BTreeMap<Ident, &Path> = others
            .map(|path| (alias(path, Span::call_site()), path))
            .collect();
        let (names, paths): (Vec<_>, Vec<_>) = aliases.into_iter().unzip();
        quote!(#(type #names = #paths;)*)
    }

    /// Returns the name of the struct with the location of other tokens.
    pub(super) fn here(&self, span: Span) -> TokenStream {
        moved(&self.ty(), span)
    }

    /// Returns the handle of a field of another model.
    pub(super) fn handle(&self, path: &ModelPath) -> TokenStream {
        handle(&self.named(&path.model), &path.fields)
    }

    /// Returns the model that a field refers to, if the tokens of `to` or of the type contain it.
    pub(super) fn named_target(&self, field: &Field, reference: &Reference) -> Option<TokenStream> {
        match &reference.to {
            Some(to) => Some(self.named(&to.model)),
            None => written_target(&field.ty).map(|model| quote!(#model)),
        }
    }

    /// Returns the model that a field refers to. A type alias is resolved by the compiler.
    pub(super) fn target(&self, field: &Field, reference: &Reference) -> TokenStream {
        self.named_target(field, reference).unwrap_or_else(|| {
            let lead = held(field, &quote!('static));
            around(&lead, &quote!(<), &quote!(as __odm::Leads>::Target))
        })
    }

    /// Returns a type that implements `Leads` if the field refers to a model. It compiles with any field type.
    pub(super) fn lead(&self, field: &Field, reference: &Reference) -> TokenStream {
        let lifetime = quote!('static);
        match self.named_target(field, reference) {
            Some(model) => of_model(&model, &lifetime),
            None => held(field, &lifetime),
        }
    }

    /// Returns the bound that a field refers to its model.
    pub(super) fn leads(&self, field: &Field, reference: &Reference) -> TokenStream {
        if let Some(model) = self.named_target(field, reference) {
            return leads_to(&model);
        }
        let lead = held(field, &quote!('__odm));
        quote!(for<'__odm> #lead: __odm::Leads)
    }
}

/// Returns the type that implements `Leads` if the type of the field is a reference.
fn held(field: &Field, lifetime: &TokenStream) -> TokenStream {
    around(&field.ty, &quote!(__odm::Held<#lifetime,), &quote!(>))
}

/// Returns the bound that a type is a model.
pub(super) fn leads_to(model: &TokenStream) -> TokenStream {
    let lead = of_model(model, &quote!('__odm));
    quote!(for<'__odm> #lead: __odm::Leads<Target = #model>)
}

/// Returns the type that implements `Leads` if `model` is a model.
pub(super) fn of_model(model: &TokenStream, lifetime: &TokenStream) -> TokenStream {
    around(model, &quote!(__odm::Of<#lifetime,), &quote!(>))
}

fn alias(path: &Path, place: Span) -> Ident {
    let segments = path.segments.iter().map(|segment| plain(&segment.ident));
    let segments: Vec<String> = segments.collect();
    // Paths with `$crate` have it as a segment.
    let name = segments.join("_").replace('$', "");
    Ident::new(&format!("__Odm{name}"), place)
}

/// Returns the model in the tokens of a reference: `Part` for `Vec<Id<Part>>`.
pub(super) fn written_target(ty: &Type) -> Option<&Type> {
    written_id(ty).and_then(inner_type)
}

/// Returns the handle of a field. It uses the trait `FieldSet`, because its compiler message describes types without
/// fields.
pub(super) fn handle(model: &TokenStream, fields: &[Ident]) -> TokenStream {
    let before = quote!(<__odm::Handles<);
    let handles = around(model, &before, &quote!(> as __odm::FieldSet>::NEW));
    let Some((first, inner)) = fields.split_first() else {
        return handles;
    };
    let first = unedited(first);
    let mut span = first.span();
    inner.iter().fold(quote!(#handles.#first), |outer, field| {
        let field = unedited(field);
        let inside = quote_spanned!(span=> __odm::inside(#outer));
        span = field.span();
        quote!(#inside.#field)
    })
}

/// Returns the description of a model.
pub(super) fn shape_of(model: &TokenStream) -> TokenStream {
    around(model, &quote!(<), &quote!(as __odm::Described>::SHAPE))
}

/// Returns an expression that the compiler evaluates for a type, such as `TypeProbe::<Part>::EMBED`.
pub(super) fn probed(ty: &impl ToTokens, question: &str) -> TokenStream {
    let (_, last) = ends(ty);
    let question = Ident::new(question, last);
    around(ty, &quote!(__odm::TypeProbe::<), &quote!(>::#question))
}

/// Returns tokens between two others, which get the spans of the first and the last token. An error then marks exactly
/// what the user wrote, and the compiler shows equal errors there once.
pub(super) fn around(
    tokens: &impl ToTokens,
    before: &TokenStream,
    after: &TokenStream,
) -> TokenStream {
    let (first, last) = ends(tokens);
    let (before, after) = (placed(before, first), placed(after, last));
    quote!(#before #tokens #after)
}
