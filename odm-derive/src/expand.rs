//! Generates the impls, which consist of shapes (constant data) and one-line methods.

mod copy;
mod derived;
mod docs;
mod embedded;
mod fields;
mod from;
mod generics;
mod grouped;
mod index;
mod links;
mod maintained;
mod model;
mod polymorphic;
mod projection;
mod reference;
mod relation;
mod shape;
mod single_collection;
mod test_function;
mod tokens;
mod two_way;
mod type_checks;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

pub(crate) use model::{read_by_serde, stub_held_id, stub_id};
pub(crate) use polymorphic::polymorphic;
pub(crate) use single_collection::single_collection;
pub(crate) use test_function::{test_function, without_test};
pub(crate) use tokens::{handle, wrap};

use crate::ir::{Record, Role};

/// Generates the impls for a struct that has no errors.
pub(crate) fn record(record: &Record) -> TokenStream {
    let products = products(record);
    let checks = type_checks::checks(record);
    let registration = registration(record);
    wrap(&record.library, &quote!(#products #checks #registration))
}

/// Generates the entry in the registry of models or of embedded structs.
///
/// The entry has the span of the struct's name, because the compiler reports missing serde impls at this name.
fn registration(record: &Record) -> Option<TokenStream> {
    // A generic struct is not registered, because the models that contain the struct also describe its fields.
    if record.is_generic() {
        return None;
    }
    let ident = &record.ident;
    let entry = match &record.role {
        Role::Model(_) => quote!(__odm::registered::<#ident>()),
        Role::Embedded { .. } if record.is_refused_by_serde => {
            quote!(__odm::RegisteredEmbedded(<#ident as __odm::Embedded>::SHAPE))
        }
        Role::Embedded { .. } => {
            quote_spanned!(ident.span()=> __odm::registered_embedded::<#ident>())
        }
        Role::Projection(_) => return None,
    };
    Some(quote!(__odm::inventory::submit! { #entry }))
}

/// Generates the impls for a struct that has errors. The result includes all items that other code
/// uses, but no checks.
pub(crate) fn without_checks(record: &Record) -> TokenStream {
    wrap(&record.library, &products(record))
}

fn products(record: &Record) -> TokenStream {
    let of_role = match &record.role {
        Role::Model(model) => model::model(record, model),
        Role::Embedded { .. } => embedded::embedded(record),
        Role::Projection(of) => projection::projection(record, of.as_ref()).unwrap_or_default(),
    };
    let fields = fields::impls(record, &shape::fields(record));
    let references = reference::references(record);
    let relations = relation::relations(record);
    let two_way = two_way::methods(record);
    let links = links::impls(record);
    let from = record.from().map(|source| from::from(record, source));
    quote!(#fields #of_role #references #relations #two_way #links #from)
}
