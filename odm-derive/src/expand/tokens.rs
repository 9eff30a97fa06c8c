//! Generates the parts of the code that refer to the user's items.
//!
//! `written_target` reads the model from the tokens of a type such as `Vec<Id<Part>>`. The result appears in signatures
//! such as `LoadMany<Part>` and in error messages. The generated code works without this result, so the user can also
//! write a type alias.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Path, Type, spanned::Spanned};

use crate::{
    hygiene::{ends, inner_type, moved, placed, plain, unedited, written_id},
    ir::{Field, ModelPath, Record, Reference, Role},
};

/// Wraps items in `const _`, so that their names are not visible in the user's module. Also allows lints that the user
/// may have denied.
pub(crate) fn wrap(library: &Path, items: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, deprecated, unused_imports, unused_qualifications, private_interfaces, private_bounds, non_camel_case_types, non_snake_case, clippy::all, clippy::pedantic)]
        const _: () = {
            use #library::__private as __odm;
            use __odm::TypeProbeFallback as _;
            #items
        };
    }
}

impl Record {
    /// Returns the type that a path in an attribute refers to. The type has the span of the path.
    pub(super) fn named(&self, path: &Path) -> TokenStream {
        if path.is_ident("Self") {
            self.here(path.span())
        } else {
            quote!(#path)
        }
    }

    /// Returns a type alias for a path in an attribute. The tokens of the alias have the span `place`. The compiler
    /// reports an unknown type wherever its path is used. Because of the alias, the compiler reports only the path that
    /// the user wrote.
    pub(super) fn named_at(&self, path: &Path, place: Span) -> TokenStream {
        if path.is_ident("Self") {
            return self.here(place);
        }
        let name = alias(path, place.resolved_at(Span::call_site()));
        quote!(#name)
    }

    /// Generates the type aliases that [`named_at`](Self::named_at) uses.
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

    /// Returns the type of the struct. Its tokens have the given span.
    pub(super) fn here(&self, span: Span) -> TokenStream {
        moved(&self.ty(), span)
    }

    /// Generates an expression for the handle of another model's field.
    pub(super) fn handle(&self, path: &ModelPath) -> TokenStream {
        handle(&self.named(&path.model), &path.fields)
    }

    /// Returns the model that a field refers to, if the model's name occurs in `to` or in the field's type.
    pub(super) fn named_target(&self, field: &Field, reference: &Reference) -> Option<TokenStream> {
        match &reference.to {
            Some(to) => Some(self.named(&to.model)),
            None => written_target(&field.ty).map(|model| quote!(#model)),
        }
    }

    /// Returns the model that a field refers to. If the type is an alias, the compiler finds the model.
    pub(super) fn target(&self, field: &Field, reference: &Reference) -> TokenStream {
        self.named_target(field, reference).unwrap_or_else(|| {
            let lead = held(field, &quote!('static));
            around(&lead, &quote!(<), &quote!(as __odm::Leads>::Target))
        })
    }

    /// Returns a type that implements `Leads` if the field refers to a model. The type compiles even if the field does
    /// not refer to a model.
    pub(super) fn lead(&self, field: &Field, reference: &Reference) -> TokenStream {
        let lifetime = quote!('static);
        match self.named_target(field, reference) {
            Some(model) => of_model(&model, &lifetime),
            None => held(field, &lifetime),
        }
    }

    /// Generates a bound that requires that the field refers to its model.
    pub(super) fn leads(&self, field: &Field, reference: &Reference) -> TokenStream {
        if let Some(model) = self.named_target(field, reference) {
            return leads_to(&model);
        }
        let lead = held(field, &quote!('__odm));
        quote!(for<'__odm> #lead: __odm::Leads)
    }
}

/// Returns a type that implements `Leads` if the field's type is a reference.
fn held(field: &Field, lifetime: &TokenStream) -> TokenStream {
    around(&field.ty, &quote!(__odm::Held<#lifetime,), &quote!(>))
}

/// Generates a bound that requires that a type is a model.
pub(super) fn leads_to(model: &TokenStream) -> TokenStream {
    let lead = of_model(model, &quote!('__odm));
    quote!(for<'__odm> #lead: __odm::Leads<Target = #model>)
}

/// Returns a type that implements `Leads` if `model` is a model.
pub(super) fn of_model(model: &TokenStream, lifetime: &TokenStream) -> TokenStream {
    around(model, &quote!(__odm::Of<#lifetime,), &quote!(>))
}

fn alias(path: &Path, place: Span) -> Ident {
    let segments = path.segments.iter().map(|segment| plain(&segment.ident));
    let segments: Vec<String> = segments.collect();
    // In a `macro_rules`, the path may contain `$crate` as a segment.
    let name = segments.join("_").replace('$', "");
    Ident::new(&format!("__Odm{name}"), place)
}

/// Returns the model whose name occurs in the type of a reference: `Part` for `Vec<Id<Part>>`.
pub(super) fn written_target(ty: &Type) -> Option<&Type> {
    written_id(ty).and_then(inner_type)
}

/// Generates an expression for the handle of a field. The expression uses the trait `FieldSet`, because that trait's
/// compiler message explains that a type does not have fields.
pub(crate) fn handle(model: &TokenStream, fields: &[Ident]) -> TokenStream {
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

/// Generates an expression for the shape of a model.
pub(super) fn shape_of(model: &TokenStream) -> TokenStream {
    around(model, &quote!(<), &quote!(as __odm::Described>::SHAPE))
}

/// Generates an expression for a property of a type, such as `TypeProbe::<Part>::EMBED`. The compiler evaluates the
/// expression.
pub(super) fn probed(ty: &impl ToTokens, question: &str) -> TokenStream {
    let (_, last) = ends(ty);
    let question = Ident::new(question, last);
    around(ty, &quote!(__odm::TypeProbe::<), &quote!(>::#question))
}

/// Puts the user's tokens between two generated parts. The parts get the spans of the first and the last of the user's
/// tokens. An error then marks exactly the tokens that the user wrote, and the compiler shows identical errors at these
/// tokens only once.
pub(super) fn around(
    tokens: &impl ToTokens,
    before: &TokenStream,
    after: &TokenStream,
) -> TokenStream {
    let (first, last) = ends(tokens);
    let (before, after) = (placed(before, first), placed(after, last));
    quote!(#before #tokens #after)
}
