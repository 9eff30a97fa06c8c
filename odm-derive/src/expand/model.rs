//! The impl of `Model`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::{
    index,
    tokens::{around, shape_of},
};
use crate::{
    hygiene::plain,
    ir::{Kind, Model, Record, Reverse},
};

pub(super) fn model(record: &Record, model: &Model) -> TokenStream {
    let ident = &record.ident;
    let (id, stored_id) = (id(record), stored_id(record));
    let collection = model
        .collection
        .as_ref()
        .map_or_else(|| quote!(""), ToTokens::to_token_stream);
    let indexes = model
        .indexes
        .iter()
        .map(|index| index::compound(record, index));
    let indexes = (!model.indexes.is_empty())
        .then(|| quote!(.indexes(&[#(#indexes),*])))
        .into_iter();
    let reverse = record.reverse.iter();
    let reverse = reverse.map(|relation| reverse_shape(record, relation));
    let has_many = (!record.reverse.is_empty())
        .then(|| quote!(.has_many(&[#(#reverse),*])))
        .into_iter();
    let kind = model.kind.iter().map(kind);
    quote! {
        #[automatically_derived]
        impl __odm::Described for #ident {
            #id
            const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::NAME,
                #collection,
                <Self as __odm::HasFields>::FIELDS,
            )
            #(.kind(#kind))*
            #(#indexes)*
            #(#has_many)*;
        }

        #[automatically_derived]
        impl __odm::Storable for #ident {
            #stored_id
        }

        #[automatically_derived]
        impl __odm::Documents for #ident {}

        #[automatically_derived]
        impl __odm::Model for #ident {}
    }
}

/// Expands the way to the id of a document.
fn stored_id(record: &Record) -> TokenStream {
    let Some(field) = record.id_field() else {
        return stub_stored_id();
    };
    let (id, ty) = (&field.ident, &field.ty);
    quote! {
        fn stored_id(&self) -> &#ty {
            &self.#id
        }
    }
}

fn kind(kind: &Kind) -> TokenStream {
    let Kind { field, value, .. } = kind;
    let default = kind.default.then(|| quote!(.or_missing()));
    quote!(__odm::KindShape::new(#field, #value) #default)
}

/// Expands the id; a model without one gets one that compiles.
fn id(record: &Record) -> TokenStream {
    let Some(field) = record.id_field() else {
        return stub_id();
    };
    let (ident, ty) = (&record.ident, &field.ty);
    let key = around(ty, &quote!(<), &quote!(as __odm::IdOf<#ident>>::Key));
    quote! {
        type Key = #key;
        type Id = #ty;
    }
}

/// Expands the id of a model whose id is missing. It stands beside the error that says so, and only keeps
/// the compiler from reporting more: nothing that contains it is ever built.
pub(crate) fn stub_id() -> TokenStream {
    quote! {
        type Key = <Self::Id as __odm::IdOf<Self>>::Key;
        type Id = __odm::Id<Self>;
    }
}

pub(crate) fn stub_stored_id() -> TokenStream {
    quote! {
        fn stored_id(&self) -> &Self::Id {
            ::core::unreachable!()
        }
    }
}

fn reverse_shape(record: &Record, relation: &Reverse) -> TokenStream {
    let name = plain(&relation.name);
    let target = shape_of(&record.named(&relation.path.model));
    let reference = record.handle(&relation.path);
    let single = relation.single.then(|| quote!(.single()));
    quote! {
        __odm::HasManyShape::new(
            #name,
            || #target,
            || #reference.__reference_path(),
        )
        #single
    }
}

/// Expands the entry in the list of all models of the program.
pub(super) fn registration(record: &Record) -> Option<TokenStream> {
    let ident = &record.ident;
    record.model().map(|_| {
        quote! {
            __odm::inventory::submit! {
                __odm::Registered(<#ident as __odm::Described>::SHAPE)
            }
        }
    })
}
