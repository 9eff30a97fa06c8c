//! Generates the shapes of recent lists and summaries.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::tokens::{handle, shape_of};
use crate::{
    hygiene::{ends, placed},
    ir::{Field, Recent, Record, Rollup, RollupKind},
};

pub(super) fn recent(record: &Record, field: &Field, recent: &Recent) -> TokenStream {
    let of = record.named(&recent.of);
    let shape = shape_of(&of);
    let via = handle(&of, &recent.via.fields);
    let sort = handle(&of, &recent.sort.fields);
    let limit = recent.limit.value;
    let (ty, (first, last)) = (&field.ty, ends(&field.ty));
    let line = placed(&quote!(__odm::line_shape), first);
    let kept = quote_spanned!(last=> ::<#ty, #of>);
    let line = quote!(#line #kept);
    let descending = recent.descending.then(|| quote!(.descending()));
    let filter = filter(&of, recent.filter.as_ref());
    quote! {
        __odm::RecentShape::new(
            || #shape,
            || #via.__reference_path(),
            || #sort.path(),
            #limit,
            #line,
        )
        .key(|| #via.__target_path())
        #descending
        #filter
    }
}

pub(super) fn rollup(record: &Record, kept: &Field, rollup: &Rollup) -> TokenStream {
    let of = record.named(&rollup.of);
    let shape = shape_of(&of);
    let via = handle(&of, &rollup.via.fields);
    let field = rollup.field.iter();
    let field: Vec<_> = field.map(|field| handle(&of, &field.fields)).collect();
    let filter = filter(&of, rollup.filter.as_ref());
    let zero = field.iter().filter(|_| rollup.kind == RollupKind::Sum);
    let zero = zero.map(|field| rolled_up(kept, rollup, field));
    // The library's enum has the same variants.
    let kind = format_ident!("{}", format!("{:?}", rollup.kind));
    quote! {
        __odm::RollupShape::new(
            __odm::RollupKind::#kind,
            || #shape,
            || #via.__reference_path(),
        )
        .key(|| #via.__target_path())
        #(.field(|| #field.path()))*
        #(.zero(|| #zero))*
        #filter
    }
}

/// Generates a check that a field can store a summary of the children's field.
pub(super) fn rolled_up(kept: &Field, rollup: &Rollup, field: &TokenStream) -> TokenStream {
    let ty = &kept.ty;
    let kind = match rollup.kind {
        RollupKind::Count => quote!(Count),
        RollupKind::Sum => quote!(Sum),
        RollupKind::Average => quote!(Mean),
        RollupKind::Min | RollupKind::Max => quote!(Extreme),
    };
    quote!(#field.__rolled_up::<__odm::#kind, #ty>())
}

/// Generates the filter that selects the children. `function` is the user's function.
fn filter(of: &TokenStream, function: Option<&syn::Path>) -> Option<TokenStream> {
    let function = function?;
    let returned = quote_spanned!(function.span()=> __odm::child_filter::<#of>(#function));
    Some(quote!(.filter(|| #returned)))
}
