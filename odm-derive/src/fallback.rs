//! Generates the output for an item that has errors. The output consists of these errors, and of impls that
//! prevent further errors in the program.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Generics, Path, WhereClause, parse_quote};

use crate::{
    attr, expand,
    ir::{Derive, Record, Role},
};

/// Generates the output for a struct that has errors in its attributes.
pub(crate) fn record(record: &Record, errors: &TokenStream) -> TokenStream {
    let impls = expand::without_checks(record);
    quote!(#errors #impls)
}

/// Generates the output for an item that this derive does not support.
pub(crate) fn foreign(
    derive: Derive,
    input: &DeriveInput,
    errors: Option<&TokenStream>,
) -> TokenStream {
    let (library, role) = attr::role_alone(derive, input);
    let ident = &input.ident;
    let (_, arguments, _) = input.generics.split_for_impl();
    let ty = quote!(#ident #arguments);
    let items = match role {
        _ if derive == Derive::SingleCollection => readable(input, &ty),
        Role::Model(_) => model(input, &ty),
        Role::Embedded { .. } => embedded(input, &ty),
        Role::Projection(of) => of.map(|of| projection(input, &ty, &of)).unwrap_or_default(),
    };
    let wrapped = expand::wrap(&library, &items);
    quote!(#errors #wrapped)
}

fn readable(input: &DeriveInput, ty: &TokenStream) -> TokenStream {
    let fields = no_fields(input, ty);
    let (generics, _, _) = input.generics.split_for_impl();
    let read = quote!(__odm::serde::de::DeserializeOwned);
    let bounds = bounds(&input.generics, ty, &read);
    let id = expand::stub_id();
    let read = expand::read_by_serde(&input.ident, "__odm_read_document", "read_projection");
    quote! {
        #fields
        impl #generics __odm::Described for #ty #bounds {
            #id
            const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new("", "", &[]);
            type __OdmModel = Self;
            #read
        }
    }
}

fn model(input: &DeriveInput, ty: &TokenStream) -> TokenStream {
    let readable = readable(input, ty);
    let (generics, _, _) = input.generics.split_for_impl();
    let held_id = expand::stub_held_id(ty, Some(&generics));
    quote!(#readable #held_id)
}

fn embedded(input: &DeriveInput, ty: &TokenStream) -> TokenStream {
    let fields = no_fields(input, ty);
    let (generics, _, _) = input.generics.split_for_impl();
    let bounds = bounds(&input.generics, ty, &quote!(::core::marker::Sized));
    quote! {
        #fields
        impl #generics __odm::Embedded for #ty #bounds {
            const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new("", &[]);
        }
    }
}

fn projection(input: &DeriveInput, ty: &TokenStream, of: &Path) -> TokenStream {
    let read = expand::read_by_serde(&input.ident, "__odm_read_projected", "read_projection");
    let (generics, _, _) = input.generics.split_for_impl();
    let bounds = bounds(
        &input.generics,
        ty,
        &quote!(__odm::serde::de::DeserializeOwned),
    );
    quote! {
        impl #generics __odm::Projection<#of> for #ty #bounds {
            const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new("", &[]);
            const __ODM_STRICT: bool = false;
            #read
        }
    }
}

/// Generates a struct of handles that has no fields.
fn no_fields(input: &DeriveInput, ty: &TokenStream) -> TokenStream {
    let (generics, _, bounds) = input.generics.split_for_impl();
    let vis = &input.vis;
    quote! {
        pub struct __OdmNoFields<D, P>(__odm::Field<D, P, (), (), 0>);
        impl<D: 'static, P: __odm::Path> __odm::FieldSet for __OdmNoFields<D, P> {
            const NEW: Self = Self(__odm::Field::NEW);
            const REF: &'static Self = &Self::NEW;
        }
        impl #generics __odm::HasFields for #ty #bounds {
            type __OdmFields<D: 'static, P: __odm::Path> = __OdmNoFields<D, P>;
            const __ODM_NAME: &'static str = "";
            const __ODM_FIELDS: &'static [__odm::FieldShape] = &[];
        }
        impl #generics #ty #bounds {
            #vis fn fields() -> __OdmNoFields<Self, __odm::Root> {
                __OdmNoFields(__odm::Field::NEW)
            }
        }
    }
}

/// Returns the bounds for an impl of a generic type: the type's own bounds, and those that the trait requires of
/// the type.
fn bounds(generics: &Generics, ty: &TokenStream, asked: &TokenStream) -> Option<WhereClause> {
    if generics.params.is_empty() {
        return None;
    }
    let mut bounds = generics
        .where_clause
        .clone()
        .unwrap_or_else(|| parse_quote!(where));
    bounds.predicates.push(parse_quote! {
        #ty: #asked + ::core::marker::Send + ::core::marker::Sync + ::core::marker::Unpin + 'static
    });
    Some(bounds)
}
