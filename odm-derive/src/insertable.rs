//! Derives `Insertable` for a struct that contains only the fields your code sets in a new document.
//!
//! The derive emits one call for each field. The call's arguments are the handle of the model's field and the value.
//! The derive does not see the other fields of the model. So it also emits checks that the compiler evaluates with the
//! model's shape.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{DeriveInput, FieldsNamed, Path};

use crate::{
    error::Errors,
    expand::{handle, wrap},
    hygiene::plain,
    model_part::{Container, Words, field_call, fields},
    recover,
};

const WORDS: Words = Words {
    derive: "Insertable",
    attribute: "insertable",
    has_validate: false,
    has_set: true,
    example: "struct NewTask { title: String }",
};

/// Generates the impl of `GivesFields`, or reports the errors of the struct together with an impl that has no fields.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = recover::input(input, &mut errors) else {
        return errors.finish().unwrap_or_default();
    };
    let container = Container::read(&input, &WORDS, &mut errors);
    let fields = fields(&input, &WORDS, &mut errors);
    check_twice(&container.set, fields, &mut errors);
    let errors = errors.finish();
    let fields = fields.filter(|_| errors.is_none());
    let is_generic = !input.generics.params.is_empty();
    let of = container.of.filter(|_| !is_generic);
    let impls = of.map(|of| {
        let checks = fields.map(|fields| checks(&input, fields, &container.set));
        let set = fields.map_or(&[][..], |_| &container.set);
        let insertable = insertable(&input, &of, fields, set);
        wrap(&container.library, &quote!(#insertable #checks))
    });
    quote!(#errors #impls)
}

/// Reports fields in `set(..)` that the struct also contains.
fn check_twice(set: &[Ident], fields: Option<&FieldsNamed>, errors: &mut Errors) {
    let fields = fields.into_iter().flat_map(|fields| &fields.named);
    let names: Vec<_> = fields.filter_map(|field| field.ident.as_ref()).collect();
    for ident in set.iter().filter(|ident| names.contains(ident)) {
        let message = format!(
            "`{}` is also a field of the struct; remove one of them",
            plain(ident)
        );
        errors.at(ident, message);
    }
}

fn insertable(
    input: &DeriveInput,
    of: &Path,
    fields: Option<&FieldsNamed>,
    set: &[Ident],
) -> TokenStream {
    let ident = &input.ident;
    let names = set.iter().map(plain);
    let set = set.iter().map(|ident| {
        let of = quote_spanned!(ident.span()=> __OdmOf);
        handle(&of, std::slice::from_ref(ident))
    });
    let calls = fields.into_iter().flat_map(|fields| &fields.named);
    let calls = calls.map(|field| {
        let value = |ident: &Ident| quote!(&mut __odm_given, &self.#ident);
        field_call(field, ["give_field", "give_struct"], value)
    });
    quote! {
        // The calls use this alias, so that the compiler reports an unknown model only once.
        type __OdmOf = #of;
        #[automatically_derived]
        impl __odm::GivesFields for #ident {
            type Of = #of;
            const __ODM_NEW_ID: ::core::option::Option<__odm::NewId> = __odm::TypeProbe::<__OdmOf>::NEW_ID;
            const __ODM_SET: &'static [&'static str] = &[#(#names),*];
            fn __odm_given(&self) -> __odm::GivenFields<#of> {
                let mut __odm_given = <__odm::GivenFields<#of> as ::core::default::Default>::default();
                #(#calls)*
                // The compiler checks that the model has these fields.
                #(let _ = #set;)*
                __odm_given
            }
        }
    }
}

/// Generates the checks of the fields. If the struct contains a field that the library sets, the compiler's error marks
/// this field. If the struct lacks a field, the error marks the struct's name.
fn checks(input: &DeriveInput, fields: &FieldsNamed, set: &[Ident]) -> TokenStream {
    let fields = fields.named.iter();
    let idents = fields.filter_map(|field| field.ident.as_ref());
    let idents: Vec<_> = idents.chain(set).collect();
    let each = idents.iter().map(|ident| {
        let name = plain(ident);
        let check = quote_spanned!(ident.span()=> __odm::check_given_field(__ODM_OF, #name));
        quote!(const _: () = #check;)
    });
    let of_model = set.first().map(|ident| {
        let check = quote_spanned!(ident.span()=> __odm::check_set_of_model(__odm::TypeProbe::<__OdmOf>::MODEL));
        quote!(const _: () = #check;)
    });
    let names = idents.iter().map(|ident| plain(ident));
    let all = quote_spanned! {input.ident.span()=>
        __odm::check_given_fields(
            __ODM_OF,
            &[#(#names),*],
            __odm::TypeProbe::<__OdmOf>::KIND,
            __odm::TypeProbe::<__OdmOf>::NEW_ID.is_some(),
        )
    };
    quote! {
        const __ODM_OF: &[__odm::FieldShape] = __odm::TypeProbe::<__OdmOf>::FIELDS;
        #(#each)*
        #of_model
        const _: () = #all;
    }
}
