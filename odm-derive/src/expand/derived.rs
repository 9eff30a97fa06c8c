//! The description of lists and summaries that the library keeps.

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::{handle, shape_of};
use crate::ir::{Recent, Record, Rollup, RollupKind};

pub(super) fn recent(record: &Record, recent: &Recent) -> TokenStream {
    let of = record.named(&recent.of);
    let shape = shape_of(&of);
    let via = handle(&of, &recent.via.fields);
    let sort = handle(&of, &recent.sort.fields);
    let limit = recent.limit.value;
    quote! {
        __odm::RecentShape::new(
            || #shape,
            || #via.__reference_path(),
            || #sort.path(),
            #limit,
        )
    }
}

pub(super) fn rollup(record: &Record, rollup: &Rollup) -> TokenStream {
    let of = record.named(&rollup.of);
    let shape = shape_of(&of);
    let via = handle(&of, &rollup.via.fields);
    let field = rollup.field.iter().map(|field| handle(&of, &field.fields));
    let kind = match rollup.kind {
        RollupKind::Count => quote!(Count),
        RollupKind::Sum => quote!(Sum),
        RollupKind::Average => quote!(Average),
        RollupKind::Min => quote!(Min),
        RollupKind::Max => quote!(Max),
    };
    quote! {
        __odm::RollupShape::new(
            __odm::RollupKind::#kind,
            || #shape,
            || #via.__reference_path(),
        )
        #(.field(|| #field.path()))*
    }
}
