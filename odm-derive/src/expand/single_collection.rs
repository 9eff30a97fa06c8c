//! Generates the impls for `#[derive(SingleCollection)]`, an enum that has a variant for each kind
//! in a collection.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    fields, grouped, shape,
    tokens::{around, shape_of, wrap},
    type_checks,
};
use crate::ir::{KindVariant, OtherVariant, SingleCollection};

/// Generates the impls for an enum. If there are errors, no checks are generated.
pub(crate) fn single_collection(of: &SingleCollection, has_mistakes: bool) -> TokenStream {
    let record = &of.record;
    let fields = fields::impls(record, &shape::fields(record));
    let described = described(of);
    let kinds = kinds(of);
    let ident = &record.ident;
    let models: Vec<_> = distinct(of).map(model).collect();
    let soft_delete = soft_delete(of);
    let checks = (!has_mistakes).then(|| type_checks::kinds(of));
    let grouped = grouped::impls(of, has_mistakes);
    let items = quote! {
        #fields
        #described
        #kinds
        #(#[automatically_derived] impl __odm::Holds<#models> for #ident {})*
        #soft_delete
        #grouped
        #checks
    };
    let wrapped = wrap(&record.library, &items);
    let linked = grouped::linked(of);
    quote!(#linked #wrapped)
}

/// Returns only the first variant for each model.
fn distinct(of: &SingleCollection) -> impl Iterator<Item = &KindVariant> {
    let kinds = of.kinds.iter().enumerate();
    let is_first = |(at, kind): &(usize, &KindVariant)| {
        let mut before = of.kinds.iter().take(*at);
        before.all(|other| other.ty != kind.ty)
    };
    kinds.filter(is_first).map(|(_, kind)| kind)
}

/// Returns the model of a kind. The model is the variant's type, unless this type is a projection.
fn model(kind: &KindVariant) -> TokenStream {
    around(
        &kind.ty,
        &quote!(<),
        &quote!(as __odm::Described>::__OdmModel),
    )
}

/// Generates the impls that allow reads of the enum to include deleted documents. The impls apply only if all kinds
/// keep deleted documents in the collection.
fn soft_delete(of: &SingleCollection) -> TokenStream {
    let ident = &of.record.ident;
    let kinds = distinct(of).map(|kind| &kind.ty);
    // The compiler rejects an impl whose condition on a concrete type is not satisfied, unless the condition has a
    // lifetime of its own.
    let condition = quote!(where #(for<'__odm> #kinds: __odm::KindKeepsDeleted,)*);
    quote! {
        #[automatically_derived]
        impl __odm::KeepsDeleted for #ident #condition {}
        #[automatically_derived]
        impl __odm::KeepsDeletedInPlace for #ident #condition {}
    }
}

/// Generates the shapes of the fields that all kinds have.
fn described(of: &SingleCollection) -> Option<TokenStream> {
    let ident = &of.record.ident;
    let first = &of.kinds.first()?.ty;
    let variants = distinct(of).map(|kind| {
        let ty = &kind.ty;
        shape_of(&quote!(#ty))
    });
    let (key, shape) = (
        around(first, &quote!(<), &quote!(as __odm::Described>::Key)),
        shape_of(&quote!(#first)),
    );
    let others = of.other.is_some().then(|| quote!(.and_others()));
    Some(quote! {
        #[automatically_derived]
        impl __odm::Described for #ident {
            type Key = #key;
            type Id = __odm::Id<Self, #key>;
            const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                #shape.collection,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .variants(&[#(#variants),*])
            #others;
            type __OdmModel = Self;
            fn __odm_read_document(
                __odm_collection: &str,
                __odm_part: &__odm::RawDocument,
                __odm_whole: &__odm::RawDocument,
            ) -> __odm::Result<Self> {
                __odm::read_kind(__odm_collection, __odm_part, __odm_whole)
            }
        }
    })
}

/// Generates the list of kinds. Each kind has a function that reads its documents.
fn kinds(of: &SingleCollection) -> TokenStream {
    let ident = &of.record.ident;
    let kinds = of.kinds.iter().map(|KindVariant { ident, ty, .. }| {
        let shape = shape_of(&quote!(#ty));
        let read = around(
            ty,
            &quote!(<),
            &quote!(as __odm::Described>::__odm_read_document),
        );
        quote!(__odm::Variant::new(#shape, |__odm_collection, __odm_part, __odm_whole| {
            #read(__odm_collection, __odm_part, __odm_whole).map(Self::#ident)
        }))
    });
    let other = of.other.as_ref().map_or_else(
        || quote!(::core::option::Option::None),
        |OtherVariant { ident, ty }| {
            let take = around(ty, &quote!(<), &quote!(as __odm::WholeDocument>::take));
            quote!(::core::option::Option::Some(|__odm_collection, __odm_part, __odm_whole| {
                #take(__odm_collection, __odm_part, __odm_whole).map(Self::#ident)
            }))
        },
    );
    quote! {
        #[automatically_derived]
        impl __odm::SingleCollection for #ident {
            const __ODM_KINDS: &'static [__odm::Variant<Self>] = &[#(#kinds),*];
            const __ODM_OTHER: ::core::option::Option<__odm::ReadAs<Self>> = #other;
        }

        // The server keeps pre-images for a whole collection, so each of the kinds can declare them.
        #[automatically_derived]
        impl __odm::PreImages for #ident {}
    }
}
