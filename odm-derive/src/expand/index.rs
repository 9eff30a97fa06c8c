//! Generates the shapes of declared indexes.

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::handle;
use crate::ir::{Field, Index, IndexKey, IndexKind, Record};

/// Generates the shape of an index on a field. The field is the only key of this index.
pub(super) fn shape(index: &Index) -> TokenStream {
    let kind = Some(index.kind)
        .filter(|kind| *kind != IndexKind::Ascending)
        .map(kind)
        .into_iter();
    let options = options(index);
    quote!(__odm::IndexShape::new(&[]) #options #(.kind(#kind))*)
}

/// Generates the shape of an index that is declared on a struct.
pub(super) fn compound(record: &Record, index: &Index) -> TokenStream {
    let keys = index.keys.iter().map(|key| key_shape(record, key));
    let options = options(index);
    quote!(__odm::IndexShape::new(&[#(#keys),*]) #options)
}

/// Generates the description of the model's shard key, if it has one.
pub(super) fn shard_key(record: &Record, keys: &[IndexKey]) -> Option<TokenStream> {
    let shapes = keys.iter().map(|key| key_shape(record, key));
    (!keys.is_empty()).then(|| quote!(.shard_key(&[#(#shapes),*])))
}

/// Generates the impl of `Movable`, which provides the calls that change the shard key of a document. Returns `None` if
/// the shard key consists only of the `_id` and of maintained fields, because these fields keep their values.
pub(super) fn movable(record: &Record, keys: &[IndexKey]) -> Option<TokenStream> {
    let first = |key: &IndexKey| record.field(key.path.fields.first()?);
    let is_changeable = |field: &Field| !field.is_id() && field.maintained.is_empty();
    keys.iter().filter_map(first).find(|it| is_changeable(it))?;
    let owner = record.ty();
    Some(quote! {
        #[automatically_derived]
        impl __odm::Movable for #owner {}
    })
}

fn key_shape(record: &Record, key: &IndexKey) -> TokenStream {
    let span = key
        .path
        .fields
        .first()
        .map_or_else(|| record.ident.span(), proc_macro2::Ident::span);
    let handle = handle(&record.here(span), &key.path.fields);
    let kind = kind(key.kind);
    quote!(__odm::IndexKey::new(|| #handle.path(), #kind))
}

fn options(index: &Index) -> TokenStream {
    let name = index.name.iter();
    let unique = index.unique.iter().map(|_| quote!(.unique()));
    let all_kinds = index.all_kinds.iter().map(|_| quote!(.all_kinds()));
    let sparse = index.sparse.iter().map(|_| quote!(.sparse()));
    let expire = index.expire_after_secs.iter().map(|seconds| seconds.value);
    let partial = index.partial.iter();
    let locale = index.locale.iter();
    let strength = index.strength.iter().map(|strength| strength.value);
    quote! {
        #(.name(#name))*
        #(#unique)*
        #(#all_kinds)*
        #(#sparse)*
        #(.expire_after_secs(#expire))*
        #(.partial(#partial))*
        #(.locale(#locale))*
        #(.strength(#strength))*
    }
}

fn kind(kind: IndexKind) -> TokenStream {
    match kind {
        IndexKind::Ascending => quote!(__odm::IndexKind::Ascending),
        IndexKind::Descending => quote!(__odm::IndexKind::Descending),
        IndexKind::Text => quote!(__odm::IndexKind::Text),
        IndexKind::Hashed => quote!(__odm::IndexKind::Hashed),
        IndexKind::TwoD => quote!(__odm::IndexKind::TwoD),
        IndexKind::TwoDSphere => quote!(__odm::IndexKind::TwoDSphere),
    }
}
