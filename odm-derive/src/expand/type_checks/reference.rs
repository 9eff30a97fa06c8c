//! Generates the checks for references.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::{
    super::tokens::{probed, written_target},
    question::{Checks, assertion},
};
use crate::{
    hygiene::{ends, moved, plain, text},
    ir::{Field, ModelPath, OnDelete, Reference, Role, Rule},
};

impl Checks<'_> {
    pub(super) fn reference(&mut self, field: &Field, reference: &Reference) {
        match &reference.to {
            Some(to) => self.referred(field, to),
            None => self.is_reference(field, reference),
        }
        self.arity(field, reference);
        if let Some(rule) = reference.deletes_by(OnDelete::Nullify) {
            self.nullified(field, rule);
        }
        if let Some(rule) = reference.deletes_by(OnDelete::Pull) {
            self.growing(field, rule, "`pull` removes elements");
        }
        if let Some(inverse) = &reference.inverse {
            let says = "a two-way reference adds elements and removes them";
            self.growing(field, &quote!(#inverse), says);
            self.inverse(field, reference, inverse);
            if let Some(exists) = &reference.exists {
                self.written_itself(field, reference, inverse, exists);
            }
        }
    }

    /// Checks that the type of the field can refer to the target in `to`.
    pub(super) fn referred(&mut self, field: &Field, to: &ModelPath) {
        let span = to.asked_span();
        let model = self.record.named(&to.model);
        let ty = moved(&field.ty, span);
        if to.fields.is_empty() {
            self.calls
                .push(quote_spanned!(span=> __odm::check_plain_reference::<#ty, #model>();));
            return;
        }
        let handle = self.record.handle(to);
        let is_key = quote_spanned!(span=> __is_key_of::<#ty, #model>());
        self.calls.push(quote!(#handle.#is_key;));
    }

    /// Checks that the type contains a single key or an array of keys, as the attribute requires.
    pub(super) fn arity(&mut self, field: &Field, reference: &Reference) {
        let (ty, many) = (&field.ty, reference.is_many());
        let (record, name, title) = (self.record.name(), field.name(), reference.title());
        let message = if many {
            format!(
                "`{title}` needs an array, but `{record}.{name}` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
            )
        } else {
            format!(
                "`{title}` needs one key, but `{record}.{name}` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
            )
        };
        let (first, last) = ends(ty);
        let other = probed(ty, if many { "ONE_KEY" } else { "MANY_KEYS" });
        self.assert(first, last, &quote_spanned!(first=> !#other), &message);
        self.one_array(field);
    }

    /// Checks that the keys are not in nested arrays. A load returns one list, and a filter searches one array.
    fn one_array(&mut self, field: &Field) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let message = format!(
            "`{}.{}` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`",
            self.record.name(),
            field.name()
        );
        let arrays = probed(ty, "KEY_ARRAYS");
        self.assert(first, last, &quote_spanned!(first=> #arrays < 2), &message);
    }

    /// Checks that a variant contains a single key. A list of references must be declared as an array of the enum.
    pub(super) fn one_key(&mut self, field: &Field) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let (record, name) = (self.record.name(), field.name());
        let message = format!(
            "`{record}::{name}` contains an array, but a variant of a polymorphic reference contains one key; write `Vec<{record}>` where it is used"
        );
        let many = probed(ty, "MANY_KEYS");
        self.assert(first, last, &quote_spanned!(first=> !#many), &message);
    }

    /// Checks that a field that has the rule `nullify` can be null.
    pub(super) fn nullified(&mut self, field: &Field, rule: &TokenStream) {
        let (ty, (first, last)) = (&field.ty, ends(rule));
        let elsewhere = match self.record.role {
            Role::Embedded { .. } => {
                "write `#[embed(on_delete = \"nullify\")]` at the `Option` that embeds the struct"
            }
            Role::Model(_) | Role::Projection(_) => "choose another rule",
        };
        let message = format!(
            "`nullify` sets `{}.{}` to null; make it an `Option`, or {elsewhere}",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(last=> __odm::TypeProbe::<#ty>::OPTION);
        self.assert(first, last, &holds, &message);
    }

    /// Checks a delete rule on an embedded struct. The struct must contain exactly one reference. The field must
    /// permit null, or the removal of an element, as the rule requires.
    pub(super) fn rule_of_embed(&mut self, field: &Field, rule: &Rule) {
        self.of_type(field, &quote!(__odm_refers), None);
        match rule.policy {
            OnDelete::Nullify => self.nullified(field, &rule.written),
            OnDelete::Pull if self.record.model().is_some() => {
                self.pulled(field, &rule.written);
                self.growing(field, &rule.written, "`pull` removes elements");
            }
            _ => {}
        }
    }

    /// Checks that the rule `pull` is on an array. In an embedded struct, the array may be in the document that
    /// embeds the struct.
    fn pulled(&mut self, field: &Field, rule: &TokenStream) {
        let (ty, (first, last)) = (&field.ty, ends(rule));
        let message = format!(
            "`pull` removes an element of an array, but `{}.{}` is a single struct; write `nullify` and make it an `Option`, or write `cascade` or `restrict`",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(last=> __odm::TypeProbe::<#ty>::ARRAY);
        self.assert(first, last, &holds, &message);
    }

    /// Rejects a fixed-length array if the library adds or removes elements.
    fn growing(&mut self, field: &Field, written: &TokenStream, says: &str) {
        let (ty, (first, last)) = (&field.ty, ends(written));
        let message = format!(
            "{says}, but `{}.{}` has a fixed length; make it a `Vec`",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(last=>
            !__odm::TypeProbe::<#ty>::ARRAY || __odm::TypeProbe::<#ty>::GROWS
        );
        self.assert(first, last, &holds, &message);
    }

    /// Rejects `exists` on an array that the library computes from the references in the children. The application
    /// writes those references instead.
    fn written_itself(
        &mut self,
        field: &Field,
        reference: &Reference,
        inverse: &Ident,
        exists: &TokenStream,
    ) {
        if !reference.is_many() {
            return;
        }
        let (first, last) = ends(exists);
        let lead = self.record.lead(field, reference);
        let name = plain(inverse);
        let (record, own) = (self.record.name(), field.name());
        let message = format!(
            "`{record}.{own}` only mirrors the references in `{name}`; move `exists` to `{name}`"
        );
        let fields = quote_spanned!(last=> __odm::TypeProbe::<#lead>::TARGET_FIELDS);
        let holds = quote_spanned!(last=> !__odm::is_key(#fields, #name));
        self.assert(first, last, &holds, &message);
    }

    /// Checks that the field in `inverse` is a reference to this struct, and that the reference declares this field as
    /// its own `inverse`.
    fn inverse(&mut self, field: &Field, reference: &Reference, inverse: &Ident) {
        let span = inverse.span();
        let (lead, here) = (self.record.lead(field, reference), self.record.here(span));
        let (record, name, back) = (self.record.name(), plain(inverse), field.name());
        let fields = quote_spanned!(span=> __odm::TypeProbe::<#lead>::TARGET_FIELDS);
        let refers = quote_spanned!(span=>
            __odm::TypeProbe::<__odm::Back<#lead, #here, { __odm::position(#fields, #name) }>>::REFERS_BACK
        );
        let other = match written_target(&field.ty).filter(|_| reference.to.is_none()) {
            Some(model) => format!("`{}`", text(model)),
            None => "the other model".to_owned(),
        };
        let checks = [
            (
                // A target without fields is not a model. Another check reports this mistake.
                quote_spanned!(span=> #fields.is_empty() || __odm::find_field(#fields, #name).is_some()),
                format!("{other} has no field `{name}`; write the field that refers to `{record}`"),
            ),
            (
                quote_spanned!(span=> #fields.is_empty() || #refers),
                format!(
                    "`{name}` of {other} is not a reference to `{record}`; write a field with `#[parent_ref]`, `#[refs(one)]` or `#[refs(many)]` that refers to `{record}`"
                ),
            ),
            (
                quote_spanned!(span=>
                    #fields.is_empty()
                        || __odm::names_back(#fields, #name, <#here as __odm::HasFields>::__ODM_FIELDS, #back)
                ),
                format!(
                    "`{record}.{back}` has the inverse `{name}`, but `{name}` does not have the inverse `{back}`; add `inverse = \"{back}\"` to `{name}`, or remove this `inverse`"
                ),
            ),
        ];
        let single = self.two_singles(field, reference, inverse, &fields);
        let checks = checks.into_iter().chain(single);
        let checks = checks.map(|(holds, message)| assertion(span, span, &holds, &message));
        self.asserts.push(quote!(const _: () = { #(#checks;)* };));
    }

    /// Checks that at least one side of a two-way reference is an array. If two single references are each other's
    /// inverse, only one of them reports the mistake.
    fn two_singles(
        &self,
        field: &Field,
        reference: &Reference,
        inverse: &Ident,
        fields: &TokenStream,
    ) -> Option<(TokenStream, String)> {
        let target = self.record.named_target(field, reference)?.to_string();
        let (name, record, own) = (plain(inverse), self.record.name(), field.name());
        if reference.is_many() || (&target, &name) < (&record, &own) {
            return None;
        }
        let holds =
            quote_spanned!(inverse.span()=> #fields.is_empty() || __odm::is_array(#fields, #name));
        let message = format!(
            "`{record}.{own}` and `{name}` contain one key each, and nothing would keep them equal; remove one of the two, and read \
             the other with `has_one(..)`"
        );
        Some((holds, message))
    }
}
