//! Generates the typed field handles.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;

use super::docs;
use crate::{
    hygiene::ends,
    ir::{Codec, Field, Record},
};

/// Generates the struct of handles. The struct is inside `const _`, so that the user can define another struct named
/// `PartFields`.
fn handles(record: &Record) -> TokenStream {
    let Record { vis, handles, .. } = record;
    let owner = record.ty();
    let (parameters, bounds) = (record.parameters(), record.where_bounds());
    let doc = docs::handles(record);
    let fields = record.fields.iter().enumerate().map(|(position, field)| {
        let Field {
            ident: name, ty, ..
        } = field;
        let doc = docs::handle(field);
        let codec = form(record, position, field);
        let position = Literal::usize_unsuffixed(position);
        quote! {
            #[doc = #doc]
            #vis #name: __odm::Field<__OdmDocument, __OdmPath, #owner, #ty, #position #codec>
        }
    });
    let marker = empty_marker(record);
    let codecs = record.fields.iter().enumerate();
    let codecs = codecs.filter_map(|(position, field)| {
        Some(codec(record, position, field, field.codec.as_ref()?))
    });
    quote! {
        #[doc = #doc]
        #[allow(dead_code, deprecated, private_interfaces, missing_debug_implementations, unreachable_pub, non_camel_case_types)]
        #vis struct #handles<__OdmDocument, __OdmPath, #parameters> #bounds {
            #(#fields,)*
            #marker
        }
        #(#codecs)*
    }
}

/// Generates the type arguments for a field's codec and role. A plain field does not have these arguments.
fn form(record: &Record, position: usize, field: &Field) -> TokenStream {
    let role = role(field);
    let codec = field
        .codec
        .as_ref()
        .map(|_| codec_ident(&record.ident, position).into_token_stream())
        .or_else(|| role.as_ref().map(|_| quote!(__odm::AsSerde)))
        .into_iter();
    let role = role.into_iter();
    quote!(#(, #codec)* #(, #role)*)
}

/// Returns the role of a field. A role is a type that determines the permitted updates. Returns `None` if all updates
/// are permitted.
fn role(field: &Field) -> Option<TokenStream> {
    if field.is_id() {
        Some(quote!(__odm::Identity))
    } else if field.flatten {
        Some(quote!(__odm::Flattened))
    } else if field.copy.as_ref().is_some_and(|copy| !copy.snapshot) {
        Some(quote!(__odm::FollowsSource))
    } else if field.recent.is_some() || field.rollup.is_some() {
        Some(quote!(__odm::FollowsChildren))
    } else if !field.maintained.is_empty() {
        Some(quote!(__odm::SetByLibrary))
    } else if field.default {
        Some(quote!(__odm::Defaulted))
    } else if field.codec.is_some() && !field.is_read_by_codec() {
        Some(quote!(__odm::WrittenByCodec))
    } else {
        None
    }
}

/// Generates a field for a struct of handles that would otherwise have no fields, so that its type parameters are used.
/// A user's struct without fields has already been reported as an error, and must not cause a second error.
fn empty_marker(record: &Record) -> Option<TokenStream> {
    record.fields.is_empty().then(|| {
        quote! {
            #[doc(hidden)]
            __odm_marker: __odm::Field<__OdmDocument, __OdmPath, (), (), 0>,
        }
    })
}

/// Generates the struct of handles, its impls, and the function `fields`.
pub(super) fn impls(record: &Record, shapes: &TokenStream) -> TokenStream {
    if record.is_projection() {
        return TokenStream::new();
    }
    let declared = handles(record);
    let Record { vis, handles, .. } = record;
    let (owner, arguments, parameters) = (record.ty(), record.arguments(), record.parameters());
    let (generics, bounds) = (record.impl_parameters(), record.where_bounds());
    let names = record.fields.iter().map(|field| &field.ident);
    let marker = record
        .fields
        .is_empty()
        .then(|| quote!(__odm_marker: __odm::Field::NEW,));
    let name = record.name();
    let doc = docs::fields(record);
    quote! {
        #declared
        #[automatically_derived]
        impl<__OdmDocument, __OdmPath, #parameters> ::core::clone::Clone for #handles<__OdmDocument, __OdmPath, #arguments> #bounds {
            fn clone(&self) -> Self {
                *self
            }
        }
        #[automatically_derived]
        impl<__OdmDocument, __OdmPath, #parameters> ::core::marker::Copy for #handles<__OdmDocument, __OdmPath, #arguments> #bounds {}
        #[automatically_derived]
        impl<__OdmDocument: 'static, __OdmPath: __odm::Path, #parameters> __odm::FieldSet
            for #handles<__OdmDocument, __OdmPath, #arguments>
        #bounds
        {
            const NEW: Self = Self { #(#names: __odm::Field::NEW,)* #marker };
            const REF: &'static Self = &Self::NEW;
        }
        #[automatically_derived]
        impl #generics __odm::HasFields for #owner #bounds {
            type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> =
                #handles<__OdmDocument, __OdmPath, #arguments>;
            const __ODM_NAME: &'static str = #name;
            const __ODM_FIELDS: &'static [__odm::FieldShape] = #shapes;
        }
        #[automatically_derived]
        impl #generics #owner #bounds {
            #[doc = #doc]
            #vis fn fields() -> #handles<Self, __odm::Root, #arguments> {
                __odm::FieldSet::NEW
            }
        }
    }
}

/// Generates the codec type for a field that has `serde(with)`.
fn codec(record: &Record, position: usize, field: &Field, codec: &Codec) -> TokenStream {
    let (vis, ty) = (&record.vis, &field.ty);
    let (generics, bounds) = record.parameters_of(ty);
    let name = codec_ident(&record.ident, position);
    let (doc, path) = (docs::codec(record, field), &codec.text);
    let serialize = codec
        .serialize
        .clone()
        .unwrap_or_else(|| quote!(__odm::serde::Serialize::serialize));
    let deserialize = codec
        .deserialize
        .clone()
        .unwrap_or_else(|| quote!(__odm::serde::Deserialize::deserialize));
    let write = called(&serialize, quote!(value, serializer));
    let read = called(&deserialize, quote!(deserializer));
    quote! {
        #[doc = #doc]
        #[doc(hidden)]
        #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
        #vis struct #name;
        #[automatically_derived]
        impl #generics __odm::Codec<#ty> for #name #bounds {
            type Form = __odm::CodecPath<{ __odm::relation_name(#path) }>;

            fn serialize<__OdmS: __odm::serde::Serializer>(
                value: &#ty,
                serializer: __OdmS,
            ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
                #write
            }
            fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
                deserializer: __OdmD,
            ) -> ::core::result::Result<#ty, __OdmD::Error> {
                #read
            }
        }
    }
}

/// Generates a function that returns whether serde leaves out a value of the field.
pub(super) fn skips(record: &Record, field: &Field, function: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let position = record.fields.iter().position(|it| it.ident == field.ident);
    let codec = position.filter(|_| field.codec.is_some());
    let codec = codec.map(|position| codec_ident(&record.ident, position));
    let codec = codec.map_or_else(|| quote!(__odm::AsSerde), |codec| quote!(#codec));
    let skips = called(function, quote!(value));
    quote!(|value| __odm::skips::<#ty, #codec>(value, |value: &#ty| #skips))
}

/// Generates a call that has the span of the function's last token. Serde reports its own error at the same span, and
/// the compiler shows identical errors only once.
fn called(function: &TokenStream, arguments: TokenStream) -> TokenStream {
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(ends(function).1);
    quote!(#function #arguments)
}

/// Returns the name of a field's codec type, which also occurs in the type of the field's handle.
fn codec_ident(record: &Ident, position: usize) -> Ident {
    format_ident!("__Odm{}Codec{position}", record.unraw())
}
