//! Generates the shapes of fields.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    copy, derived, fields, index, links, maintained,
    tokens::{handle, probed},
};
use crate::{
    containers::hidden_types,
    hygiene::{plain, short},
    ir::{Field, Record, Reference, ReferenceKind, Role},
};

pub(super) fn fields(record: &Record) -> TokenStream {
    let fields = record.fields.iter().map(|field| one(record, field));
    quote!(&[#(#fields),*])
}

pub(super) fn one(record: &Record, field: &Field) -> TokenStream {
    let Field { ty, stored, .. } = field;
    let name = field.name();
    let flatten = field.flatten.then(|| quote!(.flatten()));
    let default = field.default.then(|| quote!(.default()));
    let aliased = field.alias.as_ref().map(|_| quote!(.aliased()));
    let unread = field.unread.as_ref().map(|_| quote!(.unread()));
    let max = field.max().map(|max| max.value).into_iter();
    let codec = field.codec.iter().map(|codec| &codec.text);
    let only_written = (field.codec.is_some() && !field.is_read_by_codec())
        .then(|| quote!(.only_written_by_codec()));
    let reference = field
        .reference
        .iter()
        .map(|of| reference(record, field, of));
    let on_delete = copy::on_delete(field.rule_of_embed());
    let exists = field.any_reference().and_then(|of| of.exists.as_ref());
    let exists = exists.map(|_| quote!(.exists()));
    let polymorphic = field.polymorphic.as_ref().map(|_| quote!(.polymorphic()));
    let index = field.index.iter().map(index::shape);
    let links = field.links.iter();
    let links = links.map(|of| links::shape(record, field, of));
    let copy = field.copy.iter();
    let copy = copy.map(|copy| copy::copy(record, copy));
    let recent = field
        .recent
        .iter()
        .map(|recent| derived::recent(record, field, recent));
    let rollup = field
        .rollup
        .iter()
        .map(|rollup| derived::rollup(record, field, rollup));
    let maintained = field.maintained.iter();
    let maintained = maintained.map(|it| maintained::shape(field, it));
    let embed = embed(record, field);
    let skips = field.skips.iter();
    let skips = skips.map(|function| fields::skips(record, field, function));
    let form = form(record, field);
    let written = short(ty);
    let (array, option) = (record.is_array(field), record.asked(field, "OPTION"));
    let hidden = hidden(record, field);
    quote! {
        __odm::FieldShape::new(#name, #stored)
            .of_type(#array, #option, #embed)
            #hidden
            #form
            #default
            #(.skips(#skips))*
            #aliased
            #unread
            .written(#written)
            #flatten
            #(.max(#max))*
            #(.codec(#codec))*
            #only_written
            #(.reference(#reference))*
            #on_delete
            #polymorphic
            #exists
            #(.index(#index))*
            #(.copy(#copy))*
            #(.recent(#recent))*
            #(.rollup(#rollup))*
            #(.links(#links))*
            #(.maintained(#maintained))*
    }
}

/// Generates the stored form of a field, for validators. Validators do not restrict derived fields, or fields with a
/// type that contains a parameter. A projection does not need a validator.
fn form(record: &Record, field: &Field) -> Option<TokenStream> {
    if field.is_borrowed() {
        // Another check has already reported the field.
        return None;
    }
    let is_derived = field.copy.is_some() || field.recent.is_some() || field.rollup.is_some();
    let is_projection = matches!(record.role, Role::Projection(_));
    if is_projection || is_derived || field.flatten || record.is_told_by_type(field) {
        return None;
    }
    let ty = &field.ty;
    if let Some(codec) = &field.codec {
        let (codec, form) = (&codec.text, probed(ty, "NATIVE_FORM"));
        return Some(
            quote!(.form(__odm::native_form(#codec, #form), ::core::option::Option::None)),
        );
    }
    let (known, traced) = (probed(ty, "FORM"), probed(ty, "TRACED_FORM"));
    Some(quote!(.form(#known, #traced)))
}

/// Generates the shape of an embedded struct. In a projection, the type of an `#[embed]` field is a projection
/// itself.
fn embed(record: &Record, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match &record.role {
        Role::Projection(Some(of)) if field.embed.is_some() => {
            let handle = handle(&record.named(of), std::slice::from_ref(&field.ident));
            quote!(::core::option::Option::Some(|| #handle.__view_shape::<#ty, _>()))
        }
        _ => record.asked(field, "EMBED"),
    }
}

/// Generates the list of the structs that the library does not find because of their container.
fn hidden(record: &Record, field: &Field) -> Option<TokenStream> {
    let types = hidden_types(field);
    if record.is_projection() || types.is_empty() || record.is_of_parameter(&field.ty) {
        return None;
    }
    Some(quote!(.hides(&[#(__odm::TypeProbe::<#types>::EMBED),*])))
}

fn reference(record: &Record, field: &Field, reference: &Reference) -> TokenStream {
    let kind = match reference.kind {
        ReferenceKind::One => quote!(One),
        ReferenceKind::Many => quote!(Many),
        ReferenceKind::Parent => quote!(Parent),
    };
    let ty = &field.ty;
    let inner = probed(ty, "INNER_PATH");
    let target = probed(&record.lead(field, reference), "TARGET");
    let keyed = reference.to.as_ref().filter(|to| !to.fields.is_empty());
    let key = keyed.map(|to| record.handle(to)).into_iter();
    let told = reference.to.is_none();
    let told = told.then(|| probed(ty, "KEY")).into_iter();
    let inverse = reference.inverse.iter().map(plain);
    let on_delete = copy::on_delete(reference.on_delete.as_ref());
    quote! {
        __odm::ReferenceShape::new(
            __odm::ReferenceKind::#kind,
            #target,
            #inner,
        )
        #(.key(__odm::key_of(|| #key)))*
        #(.keyed(#told))*
        #(.inverse(#inverse))*
        #on_delete
    }
}
