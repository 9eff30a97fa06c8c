//! Generates the parts of a model's description that concern maintained fields, and the impl of `Versioned`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::{
    hygiene::{ends, placed},
    ir::{Field, Maintained, MaintainedKind, Record},
};

pub(super) fn shape(maintained: &Maintained) -> TokenStream {
    match maintained.kind {
        MaintainedKind::CreatedAt => quote!(__odm::Maintained::CreatedAt),
        MaintainedKind::UpdatedAt => quote!(__odm::Maintained::UpdatedAt),
        MaintainedKind::Version => quote!(__odm::Maintained::Version),
    }
}

/// Generates the impl of `Versioned`, which returns the version of a loaded document.
pub(super) fn version(record: &Record) -> Option<TokenStream> {
    let is_version = |field: &&Field| {
        let mut maintained = field.maintained.iter();
        maintained.any(|it| it.kind == MaintainedKind::Version)
    };
    let field = record.fields.iter().find(is_version)?;
    let (owner, name, (first, last)) = (record.ty(), &field.ident, ends(&field.ty));
    let number = placed(&quote!(__odm::version_number), first);
    let argument = quote_spanned!(last=> (&self.#name));
    Some(quote! {
        #[automatically_derived]
        impl __odm::Versioned for #owner {
            fn __odm_version(&self) -> i64 {
                #number #argument
            }
        }
    })
}
