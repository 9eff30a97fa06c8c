//! Pieces of generated code: how it names what the user named.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Path, spanned::Spanned};

use crate::{
    hygiene::{ends, moved, placed, plain},
    ir::{Field, ModelPath, Record, Reference, Role},
};

/// Keeps generated names out of the user's module.
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
    /// Returns the type that a path in an attribute names, at the place of the path.
    pub(super) fn named(&self, path: &Path) -> TokenStream {
        if path.is_ident("Self") {
            self.here(path.span())
        } else {
            quote!(#path)
        }
    }

    /// Returns the type that a path in an attribute names, for an error at another place. By a name of its own: the
    /// compiler speaks of a type that it does not know once, where the user has written it.
    pub(super) fn named_at(&self, path: &Path, place: Span) -> TokenStream {
        if path.is_ident("Self") {
            return self.here(place);
        }
        let name = alias(path, place.resolved_at(Span::call_site()));
        quote!(#name)
    }

    /// Expands the names of [`named_at`](Self::named_at).
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

    /// Returns the name of the struct, as if it were written at another place.
    pub(super) fn here(&self, span: Span) -> TokenStream {
        moved(&self.ident, span)
    }

    /// Returns the handle of a field in another model.
    pub(super) fn handle(&self, path: &ModelPath) -> TokenStream {
        handle(&self.named(&path.model), &path.fields)
    }

    /// Returns the model that a field refers to.
    pub(super) fn target(&self, field: &Field, reference: &Reference) -> TokenStream {
        match &reference.to {
            Some(to) => self.named(&to.model),
            None => as_reference(field, &quote!(Target)),
        }
    }
}

fn alias(path: &Path, place: Span) -> Ident {
    let segments = path.segments.iter().map(|segment| plain(&segment.ident));
    let segments: Vec<String> = segments.collect();
    // `$crate` is a segment, too.
    let name = segments.join("_").replace('$', "");
    Ident::new(&format!("__Odm{name}"), place)
}

/// Returns the handle of a field: `<Part>::fields().name`.
pub(super) fn handle(model: &TokenStream, fields: &[Ident]) -> TokenStream {
    let handles = around(model, &quote!(<), &quote!(>::fields()));
    quote!(#handles #(.#fields)*)
}

/// Returns an item of a field's own `Reference` impl.
pub(super) fn as_reference(field: &Field, item: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    around(ty, &quote!(<), &quote!(as __odm::Reference>::#item))
}

/// Returns the description of a model.
pub(super) fn shape_of(model: &TokenStream) -> TokenStream {
    around(model, &quote!(<), &quote!(as __odm::Described>::SHAPE))
}

/// Returns tokens between two others that are marked where the tokens begin and end: an error in
/// the whole underlines what the user wrote, and the compiler shows equal errors there only once.
pub(super) fn around(
    tokens: &impl ToTokens,
    before: &TokenStream,
    after: &TokenStream,
) -> TokenStream {
    let (first, last) = ends(tokens);
    let (before, after) = (placed(before, first), placed(after, last));
    quote!(#before #tokens #after)
}
