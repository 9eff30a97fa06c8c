//! `From<&Part> for PartLine`, and what it needs of a `Part`.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::{
    hygiene::plain,
    ir::{Field, Record, Reference},
};

/// Expands copies of the values of the struct, at any depth, for whoever sees the struct.
pub(super) fn gives(record: &Record) -> Option<TokenStream> {
    if record.is_projection() {
        return None;
    }
    let owner = &record.ident;
    let fields = record.fields.iter().map(|field| {
        let Field { ident, ty, .. } = field;
        let name = number(ident);
        quote!(#ident #name #ty,)
    });
    Some(quote!(__odm::gives!(#owner { #(#fields)* });))
}

/// Expands the copy of a whole document, if every field is one or the key.
///
/// The bounds make it no error that the impl does not fit; see `field/give.rs` in the library.
pub(super) fn from_source(record: &Record) -> Option<TokenStream> {
    let copied = record.copied_from()?;
    let source = &copied.from.model;
    let values: Vec<_> = record
        .fields
        .iter()
        .map(|field| value(field, source))
        .collect();
    let bounds = values.iter().map(|value| &value.bound);
    let calls = values.iter().map(|value| &value.call);
    let (ident, names) = (
        &record.ident,
        record.fields.iter().map(|field| &field.ident),
    );
    Some(quote! {
        #[automatically_derived]
        impl ::core::convert::From<&#source> for #ident
        where
            #(#bounds,)*
        {
            fn from(__odm_source: &#source) -> Self {
                Self { #(#names: #calls,)* }
            }
        }
    })
}

/// One field of the copy.
struct Value {
    bound: TokenStream,
    call: TokenStream,
}

fn value(field: &Field, source: &syn::Path) -> Value {
    let ty = &field.ty;
    let path = match (&field.copy, &field.reference) {
        (Some(copy), _) => &copy.from.fields[..],
        (None, Some(Reference { to: Some(to), .. })) => &to.fields[..],
        (None, _) => &[],
    };
    if path.is_empty() {
        return Value {
            bound: quote!(for<'__odm_x> #source: __odm::GivesKey<'__odm_x, #ty>),
            call: quote!(<#source as __odm::GivesKey<'_, #ty>>::give_key(__odm_source)),
        };
    }
    let place = path.iter().rev().fold(quote!(__odm::Here), |below, name| {
        let name = number(name);
        quote!(__odm::Step<#name, #below>)
    });
    Value {
        bound: quote!(for<'__odm_x> #source: __odm::Gives<'__odm_x, #ty, #place>),
        call: quote!(<#source as __odm::Gives<'_, #ty, #place>>::give(__odm_source)),
    }
}

/// Returns a number for the name of a field, the same in every struct (FNV-1a): a type can hold a
/// number, and no text.
fn number(name: &Ident) -> Literal {
    let hash = plain(name)
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    Literal::u64_unsuffixed(hash)
}
