//! The description of fields whose value the library keeps.

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::{handle, shape_of};
use crate::ir::{Copy, Field, OnDelete, Recent, Record, Rollup, RollupKind, Rule};

pub(super) fn copy(record: &Record, field: &Field, copy: &Copy) -> TokenStream {
    let ty = &field.ty;
    let source = shape_of(&record.named(&copy.from.model));
    let value = record.handle(&copy.from);
    let via = copy.via.iter().map(ToString::to_string);
    let keys = copy.keys_in_source().map(|keys| record.handle(keys));
    let keys = keys.into_iter();
    let on_delete = on_delete(copy.on_delete.as_ref());
    let snapshot = copy.snapshot.then(|| quote!(.snapshot()));
    quote! {
        __odm::CopyShape::new(|| #source, || #value.path())
            .optional(__odm::TypeProbe::<#ty>::OPTION)
            #(.via(#via))*
            #(.keys_in_source(|| #keys.__reference_path(), || #keys.__target_path()))*
            #on_delete
            #snapshot
    }
}

/// Expands the rule for deletes, if there is one.
pub(super) fn on_delete(rule: Option<&Rule>) -> Option<TokenStream> {
    let policy = match rule?.policy {
        OnDelete::Keep => quote!(Keep),
        OnDelete::Restrict => quote!(Restrict),
        OnDelete::Cascade => quote!(Cascade),
        OnDelete::Nullify => quote!(Nullify),
        OnDelete::Pull => quote!(Pull),
    };
    Some(quote!(.on_delete(__odm::OnDelete::#policy)))
}

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
