//! Generates the checks for copies.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::question::{Checks, assertion, codec_of, may_be_missing};
use crate::{
    hygiene::{ends, moved, plain},
    ir::{Copy, Field, ModelPath, OnDelete, Record, Reference, Role, Via},
};

impl Checks<'_> {
    pub(super) fn copy(&mut self, field: &Field, copy: &Copy) {
        // If the struct has `from`, the type is checked by the generated `From` impl, which copies the value.
        if self.record.from().is_none() {
            let span = copy.from.asked_span();
            let value = self.record.handle(&copy.from);
            let ty = moved(&field.ty, span);
            let copied = quote_spanned!(span=> __copied_as::<#ty>());
            self.calls.push(quote!(#value.#copied;));
        }
        match &copy.via {
            Some(Via::Field(via)) => self.leads_to_source(copy, via),
            Some(Via::Model(via)) => {
                self.led_to_by_source(copy, via);
                self.empties(field, via);
            }
            None => self.one_leads_to_source(field, copy),
        }
        self.source(field, copy);
        if let Some(rule) = copy.deletes_by(OnDelete::Nullify) {
            self.nullified(field, rule);
        }
        self.null_with_key(field, copy);
    }

    /// Checks that the copy can be null. The library sets the copy to null when no source refers to the copy's document
    /// any longer.
    fn empties(&mut self, field: &Field, via: &ModelPath) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let (record, name) = (self.record.name(), field.name());
        let message = format!(
            "`{record}.{name}` would keep its value when no `{via}` refers to the document; make it an `Option`"
        );
        let holds = quote_spanned!(last=> __odm::TypeProbe::<#ty>::OPTION);
        self.assert(first, last, &holds, &message);
    }

    /// Checks that the source is a single value, has the same stored form as the copy, and is not the key itself.
    fn source(&mut self, field: &Field, copy: &Copy) {
        let from = &copy.from;
        let here = format!("`{}.{}`", self.record.name(), field.name());
        let place = ends(from);
        let single = format!(
            "`{from}` is in an array, but {here} is one value; copy the whole array, or a field outside of it"
        );
        let value = format!("serde flattens `{from}`; copy one of its fields");
        let mut checks = vec![
            check(place, &quote!(is_single()), &single),
            check(place, &quote!(is_value()), &value),
            same_codec(field, copy, &here),
        ];
        checks.push(check(
            place,
            &quote!(has_one_name()),
            &other_names(&format!("`{from}`")),
        ));
        checks.extend(required(self.record, field, copy, &here));
        for (key, reference) in self.record.keys_of_copy(field, copy) {
            checks.extend(self.holds_already(key, reference, copy));
        }
        let handle = self.record.handle(from);
        self.asserts.push(quote! {
            const _: () = {
                const __ODM_SOURCE: __odm::Source = __odm::source(|| #handle);
                #(#checks;)*
            };
        });
    }

    /// Rejects a copy of the field with which the key is compared, because the key already contains the same value.
    fn holds_already(
        &self,
        key: &Field,
        reference: &Reference,
        copy: &Copy,
    ) -> Option<TokenStream> {
        let (from, (first, last)) = (&copy.from, ends(&copy.from));
        let same = self.leads((key, reference), copy, last);
        let to = reference.to.as_ref().map_or(&[][..], |to| &to.fields);
        let holds = if to.is_empty() {
            let ty = moved(&key.ty, last);
            quote_spanned!(last=> !(#same && __odm::TypeProbe::<#ty>::EMBED.is_none() && __ODM_SOURCE.is_id()))
        } else if to.iter().map(plain).eq(from.fields.iter().map(plain)) {
            quote_spanned!(last=> !#same)
        } else {
            return None;
        };
        let message = format!(
            "`{}` already contains `{from}`; remove this copy",
            key.name()
        );
        Some(assertion(first, last, &holds, &message))
    }

    /// Checks that the copy can be null if the key beside it can be null.
    fn null_with_key(&mut self, field: &Field, copy: &Copy) {
        if copy.snapshot {
            return;
        }
        for key in self.record.keys_of_copy(field, copy) {
            if key.1.deletes_by(OnDelete::Nullify).is_some() {
                self.nullified_with_key(field, copy, key);
            } else {
                self.emptied_with_key(field, copy, key);
            }
        }
    }

    fn emptied_with_key(&mut self, field: &Field, copy: &Copy, key: (&Field, &Reference)) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let leads = self.leads(key, copy, last);
        let key_ty = moved(&key.0.ty, last);
        let holds = quote_spanned!(last=>
            !#leads || !__odm::TypeProbe::<#key_ty>::OPTION || __odm::TypeProbe::<#ty>::OPTION
        );
        let message = format!(
            "`{}` can be null, and its copy `{}.{}` would then keep its value; make the copy an `Option`",
            key.0.name(),
            self.record.name(),
            field.name(),
        );
        self.assert(first, last, &holds, &message);
    }

    fn nullified_with_key(&mut self, field: &Field, copy: &Copy, key: (&Field, &Reference)) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let leads = self.leads(key, copy, last);
        let holds = quote_spanned!(last=> !#leads || __odm::TypeProbe::<#ty>::OPTION);
        let elsewhere = match self.record.role {
            Role::Embedded { .. } => {
                ", or write `#[embed(on_delete = \"nullify\")]` at the `Option` that embeds the struct"
            }
            Role::Model(_) | Role::Projection(_) => "",
        };
        let message = format!(
            "`{}` becomes null when its target is deleted, and so does its copy `{}.{}`; make the copy an `Option`{elsewhere}",
            key.0.name(),
            self.record.name(),
            field.name(),
        );
        self.assert(first, last, &holds, &message);
    }
}

/// Generates an assertion about the source of a copy.
fn check((first, last): (Span, Span), question: &TokenStream, message: &str) -> TokenStream {
    let holds = quote_spanned!(last=> __ODM_SOURCE.#question);
    assertion(first, last, &holds, message)
}

/// Returns the error message for a source field that has an `alias`. The library would not find values that are
/// stored under the other name.
pub(super) fn other_names(field: &str) -> String {
    format!(
        "{field} has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored \
         documents (`$rename`), and remove `alias`"
    )
}

/// Checks that the copy may be missing if its source may be missing, because the library removes the copy when the
/// source's value is removed.
fn required(record: &Record, field: &Field, copy: &Copy, here: &str) -> Option<TokenStream> {
    if field.default {
        return None;
    }
    let (first, last) = ends(&field.ty);
    let may_be_missing = may_be_missing(field, last);
    let from = &copy.from;
    let message = format!(
        "{here} is required, but `{from}` may be missing from a document, and the copy with it; add `#[serde(default)]` to `{}` or make it an `Option`, \
         or remove `default` and `skip_serializing_if` from the source",
        field.name()
    );
    // If the source is inside an `Option`, the compiler reports a type error in the `From` impl.
    let from = record
        .from()
        .map(|_| quote_spanned!(last=> || __ODM_SOURCE.is_in_option()));
    let holds = quote_spanned!(last=> __ODM_SOURCE.is_required() || #may_be_missing #from);
    Some(assertion(first, last, &holds, &message))
}

/// Checks that the source has the same codec as its copy.
fn same_codec(field: &Field, copy: &Copy, here: &str) -> TokenStream {
    let from = &copy.from;
    let (place, forms) = match &field.codec {
        Some(codec) => (
            ends(&codec.written),
            format!(
                "{here} has the codec `{}`, but its source `{from}` does not",
                codec.text
            ),
        ),
        None => (
            ends(from),
            format!("{here} has no codec, but its source `{from}` does"),
        ),
    };
    let codec = codec_of(field);
    let message = format!("{forms}; write the same `with` at both");
    check(place, &quote!(has_codec(#codec)), &message)
}
