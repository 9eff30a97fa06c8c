//! Derives `Patch` for a struct that contains only the fields of a model that a request can change.
//!
//! The derive emits one call for each field. The call's arguments are the handle of the model's field and the value in
//! the patch, so the compiler checks that the field exists, that an update may write the field, and that the types
//! match.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Field, FieldsNamed, Path, Type};

use crate::{
    attr::has_serde_default,
    error::Errors,
    expand::wrap,
    hygiene::{ends, inner_type, receiver, short},
    model_part::{Container, Words, field_call, fields},
    recover,
};

const WORDS: Words = Words {
    derive: "Patch",
    attribute: "patch",
    has_validate: true,
    has_set: false,
    example: "struct TaskPatch { title: Presence<String> }",
};

/// Generates the impl of `Patch`, or reports the errors of the struct together with an impl that has no fields.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = recover::input(input, &mut errors) else {
        return errors.finish().unwrap_or_default();
    };
    let container = Container::read(&input, &WORDS, &mut errors);
    let fields = fields(&input, &WORDS, &mut errors);
    if let Some(fields) = fields {
        let is_default = has_serde_default(&input.attrs);
        for field in &fields.named {
            check(&input.ident, field, is_default, &mut errors);
        }
    }
    let errors = errors.finish();
    let fields = fields.filter(|_| errors.is_none());
    let is_generic = !input.generics.params.is_empty();
    let validate = container.validate.as_ref();
    let patch = container
        .of
        .filter(|_| !is_generic)
        .map(|of| wrap(&container.library, &patch(&input, &of, fields, validate)));
    quote!(#errors #patch)
}

/// Reports fields whose type cannot distinguish a missing field from null.
fn check(patch: &Ident, field: &Field, is_default: bool, errors: &mut Errors) {
    if is_named(&field.ty, "Option") {
        let inner = inner_type(&field.ty).map_or_else(|| "..".to_owned(), short);
        let inner = inner
            .strip_prefix("Option<")
            .and_then(|inner| inner.strip_suffix('>'))
            .map_or_else(|| inner.clone(), ToOwned::to_owned);
        let message = format!(
            "an `Option` is `None` both for null and for a missing field; write `Presence<{inner}>`, which distinguishes the two"
        );
        errors.at(&field.ty, message);
        return;
    }
    let inner = inner_type(&field.ty).filter(|_| is_named(&field.ty, "Presence"));
    if let Some(option) = inner.filter(|inner| is_named(inner, "Option")) {
        let inner = inner_type(option).map_or_else(|| "..".to_owned(), short);
        let message = format!(
            "a `Presence` is null or a value, so an `Option` inside it is never `None`; write `Presence<{inner}>`, whose `Null` sets \
             an `Option` of the model to `None`"
        );
        errors.at(&field.ty, message);
        return;
    }
    if !is_default && !has_serde_default(&field.attrs) {
        let message = format!(
            "a request leaves out the fields that it does not change, and serde would reject it; derive `Default`, and write \
             `#[serde(default)]` above `{patch}`"
        );
        errors.at(&field.ident, message);
    }
}

fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// Generates the call that checks the patch against its validation rules. If the patch does not have rules, the
/// compiler's error marks the option `validate`.
fn rules(validate: &TokenStream) -> TokenStream {
    let (first, _) = ends(validate);
    let patch = receiver(first);
    let check = quote_spanned!(first=> __odm::broken_rules::<Self>(#patch));
    quote!({
        let #patch = &self;
        __odm_changes.check(#check);
    })
}

fn patch(
    input: &DeriveInput,
    of: &Path,
    fields: Option<&FieldsNamed>,
    validate: Option<&TokenStream>,
) -> TokenStream {
    let ident = &input.ident;
    let rules = validate.map(rules);
    let calls = fields.into_iter().flat_map(|fields| &fields.named);
    let calls = calls.map(|field| {
        let change = |ident: &Ident| quote!(&mut __odm_changes, self.#ident);
        field_call(field, ["patch_field", "patch_embedded"], change)
    });
    quote! {
        // The calls use this alias, so that the compiler reports an unknown model only once.
        type __OdmOf = #of;
        #[automatically_derived]
        impl __odm::Patch for #ident {
            type Of = #of;
            fn __odm_changes(self) -> __odm::PatchChanges<#of> {
                let mut __odm_changes = <__odm::PatchChanges<#of> as ::core::default::Default>::default();
                #rules
                #(#calls)*
                __odm_changes
            }
        }
    }
}
