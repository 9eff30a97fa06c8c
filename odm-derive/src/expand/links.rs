//! Generates the shapes of links, and the impls for a model that has links.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::LitStr;

use super::tokens::around;
use crate::{
    hygiene::plain,
    ir::{Field, Links, LinksForm, Record},
};

pub(super) fn shape(record: &Record, field: &Field, links: &Links) -> TokenStream {
    let one_sided = links.one_sided.iter().map(|_| quote!(.one_sided()));
    let shape = match links.form {
        LinksForm::Structs => {
            let (target, kind) = names(record, links);
            let fields = elements(field);
            quote!(__odm::links_of(#fields, #target, #kind))
        }
        LinksForm::Ids => quote!(__odm::LinksShape::ids()),
        LinksForm::Prefix => {
            let separator = links.separator.as_ref().map(LitStr::value);
            let separator = separator.unwrap_or_else(|| "/".to_owned());
            quote!(__odm::LinksShape::prefix(#separator))
        }
    };
    // The function `reads` is unnecessary if the user's codec reads the links. The function is also unnecessary for a
    // prefix, which is a string and thus always readable.
    let ty = &field.ty;
    let is_read = field.codec.is_none() && !matches!(links.form, LinksForm::Prefix);
    let reads = is_read.then(|| quote!(.reads(__odm::reads_link::<#ty>)));
    quote!(#shape #(#one_sided)* #reads)
}

/// Generates the shapes of the fields of a link.
pub(super) fn elements(field: &Field) -> TokenStream {
    let before = quote!(<);
    around(
        &field.ty,
        &before,
        &quote!(as __odm::ArrayOfLinks>::__ODM_FIELDS),
    )
}

/// Returns the names of a link's two fields, which contain the id and the kind of the target.
pub(super) fn names(record: &Record, links: &Links) -> (String, String) {
    let target = links.target.as_ref();
    let target = target.map_or_else(|| "target".to_owned(), plain);
    let of_model = || record.kind().map(|kind| kind.field.clone());
    let kind = links.kind.as_ref().map(plain).or_else(of_model);
    (target, kind.unwrap_or_default())
}

/// Generates a type that represents the name of the collection, so that the type checker can compare collections.
///
/// Const parameters cannot be strings. So the type is a list of numbers, each of which encodes 16 bytes of the name.
fn collection(record: &Record) -> TokenStream {
    let name = record.model().and_then(|model| model.collection.as_ref());
    let name = name.map(LitStr::value).unwrap_or_default();
    name.as_bytes().rchunks(16).fold(quote!(()), |rest, bytes| {
        let bytes = bytes
            .iter()
            .fold(0, |all, byte| all << 8 | u128::from(*byte));
        let bytes = Literal::u128_unsuffixed(bytes);
        quote!(__odm::CollectionName<#bytes, #rest>)
    })
}

pub(super) fn impls(record: &Record) -> Option<TokenStream> {
    record.model()?;
    let (field, _) = record.links()?;
    let (ident, links) = (&record.ident, &field.ident);
    let collection = collection(record);
    let relation = format!("{}.linked", record.name());
    let held = quote!(
        ::core::result::Result<::std::vec::Vec<__odm::mongodb::bson::Bson>, __odm::EncodeError>
    );
    Some(quote! {
        #[automatically_derived]
        impl __odm::Linked for #ident {
            const __ODM_LINKED: &'static str = #relation;
            type __OdmCollection = #collection;
            fn held_links(&self) -> #held {
                __odm::encoded_links(&self.#links)
            }
        }
        #[automatically_derived]
        impl __odm::LinkTarget for &#ident {
            type Model = #ident;
            fn target(&self) -> ::core::result::Result<__odm::Target, __odm::Error> {
                __odm::target_of(*self)
            }
            fn held_links(&self) -> ::core::option::Option<#held> {
                ::core::option::Option::Some(__odm::Linked::held_links(*self))
            }
        }
        #[automatically_derived]
        impl __odm::LinkTargets for &#ident {
            type Model = #ident;
            fn into_targets(self)
                -> ::core::result::Result<::std::vec::Vec<__odm::Target>, __odm::Error>
            {
                ::core::result::Result::Ok(::std::vec![__odm::target_of(self)?])
            }
        }
    })
}
