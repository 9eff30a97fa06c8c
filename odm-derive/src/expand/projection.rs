//! Generates the impl of `Projection`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

use super::{model::read, shape};
use crate::ir::Record;

/// Generates the impl. Returns `None` if `of` is missing, which was already reported as an error.
pub(super) fn projection(record: &Record, of: Option<&Path>) -> Option<TokenStream> {
    let of = record.named(of?);
    let ident = &record.ident;
    let name = record.name();
    let strict = record.strict;
    let read = read(record, "__odm_read_projected", "read_projection");
    let fields = shape::fields(record);
    Some(quote! {
        #[automatically_derived]
        impl __odm::Projection<#of> for #ident {
            const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(#name, #fields);
            const __ODM_STRICT: bool = #strict;
            #read
        }
    })
}
