//! The impl of `Projection`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

use super::{model::read, shape};
use crate::ir::Record;

/// Expands the impl. If `of` is missing, which has already been reported, there is no trait to implement.
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
