//! Generates the impl of `Model`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ImplGenerics;

use super::{
    index, maintained,
    tokens::{around, shape_of},
};
use crate::{
    hygiene::{ends, plain, receiver},
    ir::{Field, Kind, Model, Record, Reverse},
};

pub(super) fn model(record: &Record, model: &Model) -> TokenStream {
    let ident = &record.ident;
    let (id, held_id) = (id(record), held_id(record, model));
    let version = maintained::version(record);
    let soft_delete = maintained::soft_delete(record);
    let movable = index::movable(record, &model.shard_key);
    let collection = model
        .collection
        .as_ref()
        .map_or_else(|| quote!(""), ToTokens::to_token_stream);
    let indexes = model
        .indexes
        .iter()
        .map(|index| index::compound(record, index));
    let indexes = (!model.indexes.is_empty())
        .then(|| quote!(.indexes(&[#(#indexes),*])))
        .into_iter();
    let reverse = record.reverse.iter();
    let reverse = reverse.map(|relation| reverse_shape(record, relation));
    let has_many = (!record.reverse.is_empty())
        .then(|| quote!(.has_many(&[#(#reverse),*])))
        .into_iter();
    let shard_key = index::shard_key(record, &model.shard_key).into_iter();
    let kind = model.kind.iter().map(kind);
    let pre_images = model.pre_images.then(|| quote!(.pre_images())).into_iter();
    let archive = maintained::archive(model).into_iter();
    let hooks = model.hooks.iter().map(hooks_table);
    let declares_hooks = model.hooks.is_some().then(|| declares_hooks(record));
    let has_pre_images = model.pre_images.then(|| has_pre_images(record));
    let read = if record.fields.iter().any(Field::is_borrowed) {
        stub_read("__odm_read_document")
    } else if record.keeps_deleted() && record.sees_undeclared_fields() {
        read(record, "__odm_read_document", "read_unmarked_model")
    } else {
        read(record, "__odm_read_document", "read_model")
    };
    quote! {
        #[automatically_derived]
        impl __odm::Described for #ident {
            #id
            const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                #collection,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            #(.kind(#kind))*
            #(#indexes)*
            #(#shard_key)*
            #(#has_many)*
            #(#pre_images)*
            #(.archive(#archive))*
            #(.hooks(#hooks))*;
            type __OdmModel = Self;
            #read
        }

        #held_id
        #version
        #soft_delete
        #movable
        #has_pre_images
        #declares_hooks
    }
}

/// Generates the impl that permits `with_before` in change streams of the model.
fn has_pre_images(record: &Record) -> TokenStream {
    let ident = &record.ident;
    quote! {
        #[automatically_derived]
        impl __odm::PreImages for #ident {}
    }
}

/// Generates the table of the model's hooks. If the model does not implement `Hooks`, the compiler's error marks the
/// option `hooks`.
fn hooks_table(hooks: &TokenStream) -> TokenStream {
    let (first, _) = ends(hooks);
    quote_spanned!(first=> __odm::hooks_table::<Self>())
}

/// Generates the impl of `DeclaresHooks`, which `impl Hooks` requires.
fn declares_hooks(record: &Record) -> TokenStream {
    let ident = &record.ident;
    quote! {
        #[automatically_derived]
        impl __odm::DeclaresHooks for #ident {}
    }
}

/// Generates the function that reads a document. If the struct does not implement `Deserialize`, the compiler reports
/// the error at the struct's name.
///
/// If serde rejects the struct, the function must compile even though `Deserialize` is missing.
pub(super) fn read(record: &Record, method: &str, by: &str) -> TokenStream {
    if record.is_refused_by_serde {
        let method = Ident::new(method, Span::call_site());
        let read = quote!((__odm::TypeProbe::<Self>::READ)(
            __odm_collection,
            __odm_part,
            __odm_whole
        ));
        return reading(&method, &read);
    }
    read_by_serde(&record.ident, method, by)
}

/// Generates a function that reads a document with serde.
pub(crate) fn read_by_serde(ident: &Ident, method: &str, by: &str) -> TokenStream {
    let (method, by) = (
        Ident::new(method, Span::call_site()),
        Ident::new(by, ident.span()),
    );
    let by_serde = quote_spanned!(ident.span()=> __odm::#by::<Self>);
    reading(
        &method,
        &quote!(#by_serde(__odm_collection, __odm_part, __odm_whole)),
    )
}

/// Generates a substitute for the function that reads a document, for a struct that contains borrowed values. Such a
/// struct cannot be decoded by the function from [`read`], which would cause a second error. The borrowed values were
/// already reported, so the substitute only has to compile.
fn stub_read(method: &str) -> TokenStream {
    let method = Ident::new(method, Span::call_site());
    reading(&method, &quote!(::core::unreachable!()))
}

fn reading(method: &Ident, body: &TokenStream) -> TokenStream {
    quote! {
        fn #method(
            __odm_collection: &str,
            __odm_part: &__odm::RawDocument,
            __odm_whole: &__odm::RawDocument,
        ) -> __odm::Result<Self> {
            #body
        }
    }
}

/// Generates the impl that returns the id of a document.
fn held_id(record: &Record, model: &Model) -> TokenStream {
    let ident = &record.ident;
    let Some(field) = record.id_field() else {
        return stub_held_id(&quote!(#ident), None);
    };
    let (id, ty) = (&field.ident, &field.ty);
    let violations = model.validate.as_ref().map(violations);
    quote! {
        #[automatically_derived]
        impl __odm::DeclaresId<#ty> for #ident {
            fn __odm_declared_id(&self) -> &#ty {
                &self.#id
            }
            #violations
        }
    }
}

/// Generates the function that checks a document against its validation rules. If the model does not have rules, the
/// compiler's error marks the option `validate`.
fn violations(validate: &TokenStream) -> TokenStream {
    let (first, _) = ends(validate);
    let document = receiver(first);
    let check = quote_spanned!(first=> __odm::broken_rules::<Self>(#document));
    quote! {
        fn __odm_declared_violations(&self) -> ::std::vec::Vec<__odm::Violation> {
            let #document = self;
            #check
        }
    }
}

fn kind(kind: &Kind) -> TokenStream {
    let Kind { field, value, .. } = kind;
    let default = kind.default.then(|| quote!(.or_missing()));
    quote!(__odm::KindShape::new(#field, #value) #default)
}

/// Generates the types of the id. If the model does not have an id, these types are placeholders that compile.
fn id(record: &Record) -> TokenStream {
    let Some(field) = record.id_field() else {
        return stub_id();
    };
    let (ident, ty) = (&record.ident, &field.ty);
    let key = around(ty, &quote!(<), &quote!(as __odm::IdOf<#ident>>::Key));
    // All tokens have the span of the type, because the compiler reports a wrong id at several of them. The compiler
    // shows identical errors at the same span only once.
    let (first, last) = ends(ty);
    let declared = quote_spanned!(first=> type);
    let (named, end) = (quote_spanned!(last=> Key =), quote_spanned!(last=> ;));
    quote! {
        #declared #named #key #end
        type Id = #ty;
    }
}

/// Generates placeholder types for a model without an id. The missing id was already reported, and the placeholders
/// prevent further errors.
pub(crate) fn stub_id() -> TokenStream {
    quote! {
        type Key = <Self::Id as __odm::IdOf<Self>>::Key;
        type Id = __odm::Id<Self>;
    }
}

/// Generates an impl that pretends to return the missing id. `generics` are the parameters of the impls for the type.
pub(crate) fn stub_held_id(ty: &TokenStream, generics: Option<&ImplGenerics<'_>>) -> TokenStream {
    quote! {
        impl #generics __odm::DeclaresId<__odm::Id<Self>> for #ty {
            fn __odm_declared_id(&self) -> &__odm::Id<Self> {
                ::core::unreachable!()
            }
        }
    }
}

fn reverse_shape(record: &Record, relation: &Reverse) -> TokenStream {
    let name = plain(&relation.name);
    let target = shape_of(&record.named(&relation.path.model));
    let reference = record.handle(&relation.path);
    let single = relation.single.then(|| quote!(.single()));
    quote! {
        __odm::HasManyShape::new(
            #name,
            || #target,
            || #reference.__reference_path(),
        )
        #single
    }
}
