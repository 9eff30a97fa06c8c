//! Generates the impl of `Embedded`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::Record;

pub(super) fn embedded(record: &Record) -> TokenStream {
    let owner = record.ty();
    let (generics, bounds) = (record.impl_parameters(), record.where_bounds());
    quote! {
        #[automatically_derived]
        impl #generics __odm::Embedded for #owner #bounds {
            const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
        }
    }
}
