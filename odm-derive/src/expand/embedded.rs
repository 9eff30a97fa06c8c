//! The impl of `Embedded`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Field, Record};

pub(super) fn embedded(record: &Record) -> TokenStream {
    let ident = &record.ident;
    let registered = registered(record);
    quote! {
        #[automatically_derived]
        impl __odm::Embedded for #ident {
            const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::NAME,
                <Self as __odm::HasFields>::FIELDS,
            )
            .of::<Self>();
        }
        #registered
    }
}

/// Lets the program know of what is declared, so that it says if no model has it.
fn registered(record: &Record) -> Option<TokenStream> {
    let ident = &record.ident;
    record.fields.iter().any(Field::declares).then(|| {
        quote! {
            __odm::inventory::submit! {
                __odm::RegisteredEmbedded(<#ident as __odm::Embedded>::SHAPE)
            }
        }
    })
}
