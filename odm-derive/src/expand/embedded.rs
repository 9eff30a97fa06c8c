//! The impl of `Embedded`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::Record;

pub(super) fn embedded(record: &Record) -> TokenStream {
    let ident = &record.ident;
    quote! {
        #[automatically_derived]
        impl __odm::Embedded for #ident {
            const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
        }
    }
}
