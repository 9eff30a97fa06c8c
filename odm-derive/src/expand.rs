//! What is emitted: data, and calls of one line.

mod assert;
mod copied;
mod derived;
mod docs;
mod embedded;
mod fields;
mod index;
mod model;
mod polymorphic;
mod projection;
mod relation;
mod shape;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Path, spanned::Spanned};

pub(crate) use model::stub_id;
pub(crate) use polymorphic::polymorphic;

use crate::{
    hygiene::{ends, moved, placed},
    ir::{Field, ModelPath, Record, Reference, Role},
};

/// Expands a struct without mistakes.
pub(crate) fn record(record: &Record) -> TokenStream {
    let handles = fields::handles(record);
    let products = products(record);
    let checks = assert::checks(record);
    let registration = model::registration(record);
    let wrapped = wrap(&record.library, &quote!(#products #checks #registration));
    quote!(#handles #wrapped)
}

/// Expands a struct with mistakes: everything that other code names, nothing that checks.
pub(crate) fn without_checks(record: &Record) -> TokenStream {
    let handles = fields::handles(record);
    let wrapped = wrap(&record.library, &products(record));
    quote!(#handles #wrapped)
}

fn products(record: &Record) -> TokenStream {
    let of_role = match &record.role {
        Role::Model(model) => model::model(record, model),
        Role::Embedded => embedded::embedded(record),
        Role::Projection(of) => projection::projection(record, of.as_ref()).unwrap_or_default(),
    };
    let fields = fields::impls(record, &shape::fields(record));
    let relations = relation::relations(record);
    let gives = copied::gives(record);
    let from_source = copied::from_source(record);
    quote!(#fields #of_role #relations #gives #from_source)
}

/// Keeps generated names out of the user's module.
pub(crate) fn wrap(library: &Path, items: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, unused_imports, unused_qualifications, private_interfaces, private_bounds, clippy::all, clippy::pedantic)]
        const _: () = {
            use #library::__private as __odm;
            use __odm::TypeProbeFallback as _;
            #items
        };
    }
}

impl Record {
    /// Returns the type that a path in an attribute names, at the place of the path.
    fn named(&self, path: &Path) -> TokenStream {
        if path.is_ident("Self") {
            self.here(path.span())
        } else {
            quote!(#path)
        }
    }

    /// Returns the name of the struct, as if it were written at another place.
    fn here(&self, span: Span) -> TokenStream {
        moved(&self.ident, span)
    }

    /// Returns the handle of a field in another model.
    fn handle(&self, path: &ModelPath) -> TokenStream {
        handle(&self.named(&path.model), &path.fields)
    }

    /// Returns the model that a field refers to.
    fn target(&self, field: &Field, reference: &Reference) -> TokenStream {
        match &reference.to {
            Some(to) => self.named(&to.model),
            None => as_reference(field, &quote!(Target)),
        }
    }
}

/// Returns the handle of a field: `<Part>::fields().name`.
fn handle(model: &TokenStream, fields: &[Ident]) -> TokenStream {
    let handles = around(model, &quote!(<), &quote!(>::fields()));
    quote!(#handles #(.#fields)*)
}

/// Returns an item of a field's own `Reference` impl.
fn as_reference(field: &Field, item: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    around(ty, &quote!(<), &quote!(as __odm::Reference>::#item))
}

/// Returns the description of a model.
fn shape_of(model: &TokenStream) -> TokenStream {
    around(model, &quote!(<), &quote!(as __odm::Model>::SHAPE))
}

/// Returns tokens between two others that are marked where the tokens begin and end: an error in
/// the whole underlines what the user wrote, and the compiler shows equal errors there only once.
fn around(tokens: &impl ToTokens, before: &TokenStream, after: &TokenStream) -> TokenStream {
    let (first, last) = ends(tokens);
    let (before, after) = (placed(before, first), placed(after, last));
    quote!(#before #tokens #after)
}
