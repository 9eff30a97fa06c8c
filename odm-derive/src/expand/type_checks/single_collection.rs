//! Generates the checks for enums that derive `SingleCollection`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use super::{
    super::tokens::{handle, shape_of},
    question::{Checks, assertion, codec_of},
};
use crate::{
    hygiene::ends,
    ir::{Field, KindVariant, SingleCollection},
};

/// Generates all checks for an enum.
pub(in crate::expand) fn kinds(of: &SingleCollection) -> TokenStream {
    let mut checks = Checks::new(&of.record);
    checks.tag(of);
    checks.names(of);
    for kind in &of.kinds {
        checks.of_one_collection(of, kind);
        for field in of.shared() {
            checks.shared(field, &kind.ty);
        }
    }
    let Checks { calls, asserts, .. } = checks;
    quote!(#(#asserts)* fn __odm_checks() { #(#calls)* })
}

impl Checks<'_> {
    /// Checks that a model has a kind, and that it has the same collection and key type as the other models.
    fn of_one_collection(&mut self, of: &SingleCollection, kind: &KindVariant) {
        let ty = &kind.ty;
        let (model, shape) = (shown(ty), shape_of(&quote!(#ty)));
        let (first, last) = ends(ty);
        let message = format!(
            "`{model}` has no kind; write `kind({} = \"{}\")` in its `#[model(..)]`",
            of.tag
                .as_ref()
                .map_or_else(|| "..".to_owned(), syn::LitStr::value),
            kind.stored
        );
        let holds = quote_spanned!(last=> __odm::has_kind(#shape));
        self.assert(first, last, &holds, &message);
        let Some(one) = of.kinds.first().filter(|one| one.ident != kind.ident) else {
            return;
        };
        let one = &one.ty;
        let message = format!(
            "`{model}` and `{}` are in different collections, but all kinds are in one; for references to several collections, derive `Embedded` on the enum",
            shown(one)
        );
        let other = shape_of(&quote!(#one));
        let holds = quote_spanned!(last=> __odm::same_collection(#shape, #other));
        self.assert(first, last, &holds, &message);
        let check = quote_spanned!(first=> __odm::check_one_key);
        let arguments = quote_spanned!(last=> ::<#ty, #one>());
        self.calls.push(quote!(#check #arguments;));
    }

    /// Checks that the enum's tag is the field in which each model stores its kind.
    fn tag(&mut self, of: &SingleCollection) {
        let Some(tag) = &of.tag else {
            return;
        };
        let (first, last) = ends(tag);
        let kinds = of.kinds.iter().map(|KindVariant { ty, .. }| {
            let message = format!(
                "`{}` is not the field with the kind of `{}`; write the field in its `kind(..)`",
                tag.value(),
                shown(ty),
            );
            let shape = shape_of(&ty.to_token_stream());
            // A model that does not have a kind is reported by another error.
            let holds =
                quote_spanned!(last=> !__odm::has_kind(#shape) || __odm::kind_is_in(#shape, #tag));
            assertion(first, last, &holds, &message)
        });
        // All checks are in one block, so that the compiler shows only the first assertion that fails.
        self.asserts.push(quote!(const _: () = { #(#kinds;)* };));
    }

    /// Checks that the stored name of each variant is the kind of its model.
    fn names(&mut self, of: &SingleCollection) {
        let all = if of.has_case {
            ""
        } else {
            ", or `#[serde(rename_all = \"..\")]` at the enum if all are in another case"
        };
        let kinds = of.kinds.iter().map(|kind| {
            let (model, shape) = (shown(&kind.ty), shape_of(&kind.ty.to_token_stream()));
            let stored = &kind.stored;
            let (first, last) = ends(&kind.named_by);
            let message = format!(
                "the variant has the kind \"{stored}\", but `{model}` has another one; write `#[serde(rename = \"..\")]` at the variant with the value in its `kind(..)`{all}"
            );
            let holds = quote_spanned!(last=> __odm::kind_is(#shape, #stored));
            assertion(first, last, &holds, &message)
        });
        // All checks are in one block, because names with the wrong capitalization usually have a single cause.
        self.asserts.push(quote!(const _: () = { #(#kinds;)* };));
    }

    /// Checks that the model has the shared field, and that both are stored in the same form and under the
    /// same name.
    fn shared(&mut self, field: &Field, model: &Type) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let handle = handle(&quote!(#model), std::slice::from_ref(&field.ident));
        let check = Ident::new("__shared_as", first);
        let argument = quote_spanned!(last=> ::<#ty>());
        self.calls.push(quote!(#handle.#check #argument;));
        let (name, stored, codec) = (field.name(), &field.stored, codec_of(field));
        let message = format!(
            "`{name}` is read from `{stored}`, and `{}` stores it under another name or with another codec; give both the same `rename` and `with`",
            shown(model),
        );
        let (first, last) = ends(&field.named_by);
        let fields = quote_spanned!(last=> <#model as __odm::HasFields>::__ODM_FIELDS);
        let holds = quote_spanned!(last=>
            __odm::find_field(#fields, #name).is_none()
                || __odm::same_stored_name(#fields, #name, #stored, #codec)
        );
        self.assert(first, last, &holds, &message);
    }
}

/// Returns the text of a type as the user wrote it, but without spaces.
fn shown(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}
