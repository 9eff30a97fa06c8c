//! Generates the parameters of a generic struct, and the bounds on its impls.
//!
//! In a generic struct, `TypeProbe` would examine the parameter instead of the actual type, and would not find
//! anything. So the trait `FieldType` (`query/field/generic_parameter.rs` in the library) describes every field whose
//! type contains a parameter. The derive adds `FieldType` to the bounds on all impls.
//!
//! # Limits
//!
//! The derive emits no assertions about a field whose type contains a parameter. A constant outside a generic item
//! cannot use the item's parameters.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{GenericParam, Type, WherePredicate};

use super::tokens::written_target;
use crate::{
    hygiene::mentions,
    ir::{Field, Record},
};

impl Record {
    /// Returns the type of the struct with its parameters, such as `Page<T>`.
    pub(super) fn ty(&self) -> TokenStream {
        let (ident, arguments) = (&self.ident, self.arguments());
        if self.is_generic() {
            quote!(#ident<#arguments>)
        } else {
            quote!(#ident)
        }
    }

    /// Returns the names of the parameters, each followed by a comma: `T,`.
    pub(super) fn arguments(&self) -> TokenStream {
        let arguments = self.generics.params.iter().map(|param| match param {
            GenericParam::Type(of) => of.ident.to_token_stream(),
            GenericParam::Const(of) => of.ident.to_token_stream(),
            GenericParam::Lifetime(of) => of.lifetime.to_token_stream(),
        });
        quote!(#(#arguments,)*)
    }

    /// Returns the declarations of the parameters without their defaults, each followed by a comma: `T: Embedded,`.
    pub(super) fn parameters(&self) -> TokenStream {
        let parameters = self.generics.params.iter().cloned().map(|mut param| {
            match &mut param {
                GenericParam::Type(of) => {
                    of.attrs.clear();
                    of.default = None;
                }
                GenericParam::Const(of) => {
                    of.attrs.clear();
                    of.default = None;
                }
                GenericParam::Lifetime(of) => of.attrs.clear(),
            }
            param
        });
        quote!(#(#parameters,)*)
    }

    /// Returns the parameters for an impl, such as `<T: Embedded,>`.
    pub(super) fn impl_parameters(&self) -> Option<TokenStream> {
        let parameters = self.parameters();
        self.is_generic().then(|| quote!(<#parameters>))
    }

    /// Returns the bounds for an impl: the struct's own bounds, and the bounds that its fields require.
    pub(super) fn bounds(&self) -> TokenStream {
        let written = self.generics.where_clause.iter();
        let written = written.flat_map(|bounds| &bounds.predicates);
        let types = self.generics.type_params().map(|param| &param.ident);
        let fields = self
            .fields
            .iter()
            .filter(|field| self.is_of_parameter(&field.ty));
        let fields = fields.map(|field| self.bounds_of_field(field));
        quote!(#(#written,)* #(#types: 'static,)* #(#fields)*)
    }

    /// Returns the bounds as a `where` clause, or `None` if the struct is not generic.
    pub(super) fn where_bounds(&self) -> Option<TokenStream> {
        let bounds = self.bounds();
        self.is_generic().then(|| quote!(where #bounds))
    }

    /// Returns the parameters that occur in a type, and their bounds. An impl for a different type must not have
    /// parameters that it does not use.
    pub(super) fn parameters_of(&self, ty: &Type) -> (Option<TokenStream>, Option<TokenStream>) {
        let mut here = self.generics.clone();
        let (named, others): (Vec<_>, Vec<_>) = here
            .params
            .into_iter()
            .partition(|param| name_of(param).is_some_and(|name| mentions(ty, name)));
        let is_of_others = |bound: &WherePredicate| {
            let mut other_names = others.iter().filter_map(name_of);
            other_names.any(|name| mentions(bound, name))
        };
        here.params = named.into_iter().collect();
        if let Some(bounds) = &mut here.where_clause {
            let all = std::mem::take(&mut bounds.predicates).into_iter();
            bounds.predicates = all.filter(|bound| !is_of_others(bound)).collect();
        }
        let (parameters, _, bounds) = here.split_for_impl();
        let of = |tokens: &dyn ToTokens| Some(tokens.to_token_stream()).filter(|it| !it.is_empty());
        (of(&parameters), of(&bounds))
    }

    fn bounds_of_field(&self, field: &Field) -> TokenStream {
        let ty = &field.ty;
        let told = self.is_told_by_type(field);
        let told = told.then(|| quote!(#ty: __odm::FieldType,));
        let skipped = field.skips.as_ref().filter(|_| field.codec.is_none());
        let skipped = skipped.map(|_| quote!(#ty: __odm::Serialized,));
        let reference = field.reference.as_ref().map(|_| {
            let target = written_target(ty).filter(|target| self.is_of_parameter(target));
            let target = target.map(|target| quote!(#target: __odm::Described,));
            quote!(#ty: __odm::Reference, #target)
        });
        quote!(#told #skipped #reference)
    }

    /// Returns whether the bound `FieldType` describes the field. A field that has a codec is described by the codec
    /// instead. A type that contains the struct itself is excluded, because its bound would depend on itself.
    pub(super) fn is_told_by_type(&self, field: &Field) -> bool {
        self.is_of_parameter(&field.ty)
            && field.codec.is_none()
            && !mentions(&field.ty, &self.ident)
    }

    /// Generates an expression for a property of the field's type. The expression uses the bound `FieldType` or
    /// `TypeProbe`.
    pub(super) fn asked(&self, field: &Field, question: &str) -> TokenStream {
        let ty = &field.ty;
        if self.is_told_by_type(field) {
            let question = format_ident!("__ODM_{question}");
            return quote!(<#ty as __odm::FieldType>::#question);
        }
        let question = format_ident!("{question}");
        quote!(__odm::TypeProbe::<#ty>::#question)
    }

    /// Generates an expression for whether a field is stored as an array. Bytes that have a codec do not count as an
    /// array, because a codec can store them as one binary value.
    pub(super) fn is_array(&self, field: &Field) -> TokenStream {
        let (ty, array) = (&field.ty, self.asked(field, "ARRAY"));
        if field.codec.is_some() && !self.is_told_by_type(field) {
            // `&&` would be a branch, and the compiler does not promote a constant that contains a branch.
            quote!((#array & !__odm::TypeProbe::<#ty>::BYTES))
        } else {
            array
        }
    }
}

/// Returns the name of a type or const parameter. A lifetime was already reported as an error.
const fn name_of(param: &GenericParam) -> Option<&Ident> {
    match param {
        GenericParam::Type(of) => Some(&of.ident),
        GenericParam::Const(of) => Some(&of.ident),
        GenericParam::Lifetime(_) => None,
    }
}
