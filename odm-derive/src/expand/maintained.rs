//! Generates the parts of a model's description that concern maintained fields, and the impls of `Versioned` and
//! `SoftDelete`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::LitStr;

use crate::{
    hygiene::{ends, placed, receiver},
    ir::{Field, Maintained, MaintainedKind, Model, Record},
};

pub(super) fn shape(field: &Field, maintained: &Maintained) -> TokenStream {
    let actor = || {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let of = placed(&quote!(__odm::ActorType::of), first);
        let arguments = quote_spanned!(last=> ::<#ty>());
        quote!((#of #arguments))
    };
    match maintained.kind {
        MaintainedKind::CreatedAt => quote!(__odm::Maintained::CreatedAt),
        MaintainedKind::UpdatedAt => quote!(__odm::Maintained::UpdatedAt),
        MaintainedKind::CreatedBy => {
            let actor = actor();
            quote!(__odm::Maintained::CreatedBy #actor)
        }
        MaintainedKind::UpdatedBy => {
            let actor = actor();
            quote!(__odm::Maintained::UpdatedBy #actor)
        }
        MaintainedKind::Tenant => {
            let key = actor();
            quote!(__odm::Maintained::Tenant #key)
        }
        MaintainedKind::Version => quote!(__odm::Maintained::Version),
        MaintainedKind::DeletedAt => quote!(__odm::Maintained::DeletedAt),
    }
}

/// Generates the impl of `Versioned`, which returns the version of a loaded document.
pub(super) fn version(record: &Record) -> Option<TokenStream> {
    let field = record.maintained_field(MaintainedKind::Version)?;
    let (owner, name, (first, last)) = (record.ty(), &field.ident, ends(&field.ty));
    let number = placed(&quote!(__odm::version_number), first);
    let document = receiver(last);
    let argument = quote_spanned!(last=> (&#document.#name));
    Some(quote! {
        #[automatically_derived]
        impl __odm::Versioned for #owner {
            fn __odm_version(&self) -> i64 {
                let #document = self;
                #number #argument
            }
        }
    })
}

/// Generates the impls of `KeepsDeleted` and `KeepsDeletedInPlace`. Through these impls, the model also implements
/// `SoftDelete` and `DeletedInPlace`, which provide the calls that read, restore and purge deleted documents.
pub(super) fn soft_delete(record: &Record) -> Option<TokenStream> {
    if !record.keeps_deleted() {
        return None;
    }
    let is_marked = record.maintained_field(MaintainedKind::DeletedAt).is_some();
    let owner = record.ty();
    let in_place = is_marked.then(|| {
        quote! {
            #[automatically_derived]
            impl __odm::KeepsDeletedInPlace for #owner {}
        }
    });
    Some(quote! {
        #[automatically_derived]
        impl __odm::KeepsDeleted for #owner {}
        #in_place
    })
}

/// Generates the name of the collection to which deleted documents are moved.
pub(super) fn archive(model: &Model) -> Option<LitStr> {
    model.archive.as_ref()?;
    let collection = model.collection.as_ref()?;
    let name = format!("{}_archive", collection.value());
    Some(LitStr::new(&name, collection.span()))
}
