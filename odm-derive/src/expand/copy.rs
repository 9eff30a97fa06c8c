//! Generates the shapes of copies and of delete rules.

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::shape_of;
use crate::ir::{Copy, OnDelete, Record, Rule};

pub(super) fn copy(record: &Record, copy: &Copy) -> TokenStream {
    let source = shape_of(&record.named(&copy.from.model));
    let value = record.handle(&copy.from);
    let via = copy.via.iter().map(ToString::to_string);
    let keys = copy.keys_in_source().map(|keys| record.handle(keys));
    let keys = keys.into_iter();
    let on_delete = on_delete(copy.on_delete.as_ref());
    let snapshot = copy.snapshot.then(|| quote!(.snapshot()));
    quote! {
        __odm::CopyShape::new(|| #source, || #value.path())
            #(.via(#via))*
            #(.keys_in_source(|| #keys.__reference_path(), || #keys.__target_path()))*
            #on_delete
            #snapshot
    }
}

pub(super) fn on_delete(rule: Option<&Rule>) -> Option<TokenStream> {
    let policy = match rule?.policy {
        OnDelete::Keep => quote!(Keep),
        OnDelete::Restrict => quote!(Restrict),
        OnDelete::Cascade => quote!(Cascade),
        OnDelete::Nullify => quote!(Nullify),
        OnDelete::Pull => quote!(Pull),
    };
    Some(quote!(.on_delete(__odm::OnDelete::#policy)))
}
