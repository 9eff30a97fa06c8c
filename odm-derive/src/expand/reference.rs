//! Generates impls of the traits that describe references.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::tokens::probed;
use crate::ir::{Field, Record, Reference};

/// Generates the impls for all references of the struct. A struct that contains exactly one reference counts as a
/// reference itself.
pub(super) fn references(record: &Record) -> TokenStream {
    let refers = refers(record);
    if !record.owns_relations() {
        return refers;
    }
    let inner = record.inner_reference();
    let inner = inner.map(|(field, reference)| inner_reference(record, field, reference));
    let polymorphic = record.inner_polymorphic();
    let polymorphic = polymorphic.map(|field| inner_polymorphic(record, field));
    quote!(#refers #inner #polymorphic)
}

/// Generates a function that returns the path of the target's field with which the keys are compared.
pub(super) fn target_path(record: &Record, field: &Field, reference: &Reference) -> TokenStream {
    match &reference.to {
        None => probed(&field.ty, "TARGET_PATH"),
        Some(to) if to.fields.is_empty() => quote!(|| ::core::convert::From::from("_id")),
        Some(to) => {
            let key = record.handle(to);
            quote!(|| #key.path())
        }
    }
}

/// Generates the impls that declare the references. The checks of other structs use these impls.
fn refers(record: &Record) -> TokenStream {
    if record.is_projection() {
        return TokenStream::new();
    }
    let (owner, parameters, bounds) = (record.ty(), record.parameters(), record.bounds());
    let (generics, where_bounds) = (record.impl_parameters(), record.where_bounds());
    let fields = record.fields.iter().enumerate();
    fields
        .filter_map(|(position, field)| Some((position, field, field.reference.as_ref()?)))
        .map(|(position, field, reference)| {
            let position = Literal::usize_unsuffixed(position);
            if let Some(target) = record.named_target(field, reference) {
                return quote! {
                    #[automatically_derived]
                    impl #generics __odm::DeclaresReference<#target, #position> for #owner #where_bounds {}
                };
            }
            let ty = &field.ty;
            quote! {
                #[automatically_derived]
                impl<__OdmTarget, #parameters> __odm::DeclaresReference<__OdmTarget, #position> for #owner
                where
                    #bounds
                    __odm::Held<'static, #ty>: __odm::LeadsOnlyTo<__OdmTarget>,
                {
                }
            }
        })
        .collect()
}

/// Generates an impl that returns the keys of a struct that contains one reference.
fn inner_keys(record: &Record, field: &Field) -> TokenStream {
    let (owner, generics, bounds) = (record.ty(), record.impl_parameters(), record.bounds());
    let Field {
        ident: name, ty, ..
    } = field;
    let path = push_path(field);
    quote! {
        #[automatically_derived]
        impl #generics __odm::Keys for #owner
        where
            #bounds
            for<'__odm> __odm::Held<'__odm, #ty>: __odm::HoldsKeys,
        {
            type Key = <__odm::Held<'static, #ty> as __odm::HoldsKeys>::Key;
            type Knows = <__odm::Held<'static, #ty> as __odm::HoldsKeys>::Knows;
            const __ODM_MANY: bool = __odm::TypeProbe::<#ty>::MANY_KEYS;
            fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
                __odm::TypeProbe::<#ty>::EACH_KEY(&self.#name, __odm_found);
            }
            fn push_inner_path(__odm_path: &mut ::std::string::String) {
                #path
                __odm::TypeProbe::<#ty>::PUSH_INNER_PATH(__odm_path);
            }
        }
    }
}

/// Generates statements that append the stored name of the field to a path. Returns `None` for a flattened
/// field.
pub(super) fn push_path(field: &Field) -> Option<TokenStream> {
    let stored = &field.stored;
    (!field.flatten).then(|| {
        quote! {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str(#stored);
        }
    })
}

/// Generates the impls that turn a struct that contains exactly one reference into a reference.
fn inner_reference(record: &Record, field: &Field, reference: &Reference) -> TokenStream {
    let (owner, ty) = (record.ty(), &field.ty);
    let (generics, bounds) = (record.impl_parameters(), record.bounds());
    let target = record.target(field, reference);
    let key = inner_key(record, field, reference);
    let keys = inner_keys(record, field);
    // With `to`, the field is a plain key, which does not implement `Leads`.
    let leads = reference.to.is_none().then(|| quote!(+ __odm::Leads));
    quote! {
        #keys
        #[automatically_derived]
        impl #generics __odm::Reference for #owner
        where
            #bounds
            for<'__odm> __odm::Held<'__odm, #ty>: __odm::HoldsKeys #leads,
        {
            type Target = #target;
            #key
        }
    }
}

/// Generates the expression for the target's field with which the keys are compared. Returns `None` if this field is
/// `_id`.
fn inner_key(record: &Record, field: &Field, reference: &Reference) -> Option<TokenStream> {
    let key = match &reference.to {
        Some(to) if to.fields.is_empty() => return None,
        Some(to) => {
            let key = record.handle(to);
            quote!(::core::option::Option::Some(__odm::key_of(|| #key)))
        }
        None => probed(&field.ty, "KEY"),
    };
    Some(quote! {
        const __ODM_KEY: ::core::option::Option<__odm::KeyShape> = #key;
    })
}

/// Generates the impls that turn a struct that contains exactly one polymorphic reference into a polymorphic reference.
fn inner_polymorphic(record: &Record, field: &Field) -> TokenStream {
    let Field {
        ident: name, ty, ..
    } = field;
    let parameters = record.parameters();
    let (owner, generics, bounds) = (record.ty(), record.impl_parameters(), record.bounds());
    let keys = inner_keys(record, field);
    quote! {
        #keys
        #[automatically_derived]
        impl #generics __odm::Polymorphic for #owner
        where
            #bounds
            #ty: __odm::Polymorphic,
            for<'__odm> __odm::Held<'__odm, #ty>: __odm::HoldsKeys,
        {
        }
        #[automatically_derived]
        impl<__OdmTarget, #parameters> __odm::PolymorphicTo<__OdmTarget> for #owner
        where
            #bounds
            #ty: __odm::PolymorphicTo<__OdmTarget>,
            for<'__odm> __odm::Held<'__odm, #ty>: __odm::HoldsKeys,
        {
            fn each_key_to(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
                __odm::PolymorphicTo::<__OdmTarget>::each_key_to(&self.#name, __odm_found);
            }
            fn target_path() -> ::std::string::String {
                <#ty as __odm::PolymorphicTo<__OdmTarget>>::target_path()
            }
        }
    }
}
