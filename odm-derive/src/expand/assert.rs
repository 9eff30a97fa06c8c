//! What is asked of the compiler, at the tokens that the user wrote.
//!
//! A check of types is a call of a method that does nothing, in a function that is never called; a
//! check of names is a `const` assertion.

mod copy;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{around, handle};
use crate::{
    hygiene::{ends, moved, placed, plain},
    ir::{Field, HasMany, ModelPath, OnDelete, Polymorphic, Record, Reference, Role, Variant},
};

/// Expands all checks of a struct.
pub(super) fn checks(record: &Record) -> TokenStream {
    let mut checks = Checks {
        record,
        calls: Vec::new(),
        asserts: Vec::new(),
    };
    for field in &record.fields {
        checks.field(field);
    }
    match &record.role {
        Role::Model(model) => {
            checks.id();
            for relation in &model.has_many {
                checks.has_many(relation);
            }
        }
        Role::Projection(Some(of)) => {
            let of = record.named(of);
            record
                .fields
                .iter()
                .for_each(|field| checks.projected(field, &of));
        }
        Role::Embedded | Role::Projection(None) => {}
    }
    let Checks { calls, asserts, .. } = checks;
    let helpers = helpers(record);
    let calls = (!calls.is_empty()).then(|| quote!(fn __odm_checks() { #helpers #(#calls)* }));
    quote!(#(#asserts)* #calls)
}

/// Expands the checks that are functions of one's own types, for structs that have a use for them.
fn helpers(record: &Record) -> TokenStream {
    let field = {
        let library = &record.library;
        quote!(#library::field)
    };
    let embeds = record.fields.iter().any(|field| field.embed.is_some());
    let embeds = (embeds && !record.is_projection())
        .then(|| quote!(fn __odm_embeds<T: #field::EmbedType>() {}));
    let lists = record.fields.iter().any(|field| field.recent.is_some());
    let lists = lists
        .then(|| quote!(fn __odm_lists<T: #field::ArrayType<Item: __odm::Projection<C>>, C>() {}));
    quote!(#embeds #lists)
}

struct Checks<'r> {
    record: &'r Record,
    calls: Vec<TokenStream>,
    asserts: Vec<TokenStream>,
}

impl Checks<'_> {
    fn field(&mut self, field: &Field) {
        if let Some(reference) = &field.reference {
            self.reference(field, reference);
        }
        if let Some(reference) = &field.polymorphic {
            self.of_type(field, &quote!(__odm::check_polymorphic), None);
            self.arity(field, reference);
        }
        if let Some(max) = field.max() {
            self.own(field, max.written.span(), &quote!(__is_array()));
        }
        // An array of plain values may be bounded too.
        let bounded = field.max().is_some();
        if field.embed.is_some() && !bounded && !self.record.is_projection() {
            self.of_type(field, &quote!(__odm_embeds), None);
        }
        if let Some(copy) = &field.copy {
            self.copy(field, copy);
        }
        if let Some(recent) = &field.recent {
            let of = self.record.named(&recent.of);
            self.of_type(field, &quote!(__odm_lists), Some(&of));
            self.leads_here(&recent.of, &recent.via);
            let sort = handle(&of, &recent.sort.fields);
            self.calls.push(quote!(#sort.path();));
        }
        if let Some(rollup) = &field.rollup {
            self.leads_here(&rollup.of, &rollup.via);
            let value = rollup.field.iter();
            let value = value.map(|value| handle(&self.record.named(&rollup.of), &value.fields));
            self.calls.extend(value.map(|value| quote!(#value.path();)));
        }
    }

    /// Calls a check of a field of the struct itself.
    fn own(&mut self, field: &Field, span: Span, check: &TokenStream) {
        let handle = handle(&self.record.here(span), std::slice::from_ref(&field.ident));
        let check = placed(check, span);
        self.calls.push(quote!(#handle.#check;));
    }

    /// Calls a check of a field's type, at the type.
    fn of_type(&mut self, field: &Field, check: &TokenStream, other: Option<&TokenStream>) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let check = placed(check, first);
        let other = other.into_iter();
        let arguments = quote_spanned!(last=> ::<#ty #(, #other)*>());
        self.calls.push(quote!(#check #arguments;));
    }

    /// The field of a child refers to the struct.
    fn leads_here(&mut self, of: &syn::Path, via: &crate::ir::FieldPath) {
        let handle = handle(&self.record.named(of), &via.fields);
        self.refers_here(&handle, via.last_span());
    }

    fn refers_here(&mut self, handle: &TokenStream, span: Span) {
        // What refers to a document refers to its model, never to a struct inside it.
        if self.record.model().is_some() {
            let here = self.record.here(span);
            let check = quote_spanned!(span=> __refers_to::<#here>());
            self.calls.push(quote!(#handle.#check;));
        }
    }

    fn has_many(&mut self, relation: &HasMany) {
        let handle = self.record.handle(&relation.path);
        self.refers_here(&handle, relation.path.last_span());
    }

    /// Asks once more what the impl of `Model` asks: only of a call the compiler says what an id is.
    fn id(&mut self) {
        if let Some(id) = self.record.id_field() {
            let here = self.record.here(id.ty.span());
            self.of_type(id, &quote!(__odm::check_id), Some(&here));
        }
    }

    fn reference(&mut self, field: &Field, reference: &Reference) {
        // Without `to`, the relation itself asks what the type refers to.
        if let Some(to) = &reference.to {
            self.referred(field, to);
        }
        self.arity(field, reference);
        if let Some(rule) = reference.deletes_by(OnDelete::Nullify) {
            self.nullified_inside(field, rule);
            self.nullified(field, rule);
        }
        if let Some(inverse) = &reference.inverse {
            self.inverse(field, reference, inverse);
        }
    }

    /// The field may be declared as a reference to what `to` names.
    fn referred(&mut self, field: &Field, to: &ModelPath) {
        let span = to.last_span();
        let model = self.record.named(&to.model);
        let ty = moved(&field.ty, span);
        if to.fields.is_empty() {
            self.calls
                .push(quote_spanned!(span=> __odm::check_plain_reference::<#ty, #model>();));
            return;
        }
        let handle = self.record.handle(to);
        let is_key = quote_spanned!(span=> __is_key_of::<#ty>());
        self.calls
            .push(quote_spanned!(span=> __odm::check_keyed_reference::<#ty, #model>();));
        self.calls.push(quote!(#handle.#is_key;));
    }

    /// The type holds as many keys as the attribute says.
    fn arity(&mut self, field: &Field, reference: &Reference) {
        let (ty, many) = (&field.ty, reference.is_many());
        let (record, name, title) = (self.record.name(), field.name(), reference.title());
        let message = if many {
            format!(
                "`{title}` needs an array, and `{record}.{name}` holds one key; make the field a `Vec`, or write `#[refs(one)]`"
            )
        } else {
            format!(
                "`{title}` needs one key, and `{record}.{name}` is an array; write `#[refs(many)]`, or remove the `Vec`"
            )
        };
        let (first, last) = ends(ty);
        let holds_many = around(ty, &quote!(<), &quote!(as __odm::Keys>::MANY));
        let holds = if many {
            holds_many
        } else {
            quote_spanned!(first=> !#holds_many)
        };
        self.assert(first, last, &holds, &message);
    }

    /// A variant holds one key; several are an array of the enum.
    fn one_key(&mut self, field: &Field) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let (record, name) = (self.record.name(), field.name());
        let message = format!(
            "`{record}::{name}` holds an array, and a variant of a polymorphic reference holds one key; write `Vec<{record}>` where it is used"
        );
        let many = around(ty, &quote!(<), &quote!(as __odm::Keys>::MANY));
        self.assert(first, last, &quote_spanned!(first=> !#many), &message);
    }

    /// A rule that sets the field to null fits its type.
    fn nullified(&mut self, field: &Field, rule: &TokenStream) {
        let (ty, (first, last)) = (&field.ty, ends(rule));
        let message = format!(
            "`nullify` sets `{}.{}` to null, and it is no `Option`; make it one, or choose another rule",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(last=> __odm::TypeProbe::<#ty>::OPTION);
        self.assert(first, last, &holds, &message);
    }

    /// The rule of a key that lies in an embedded struct is written there.
    fn nullified_inside(&mut self, field: &Field, rule: &TokenStream) {
        let (ty, (first, last)) = (&field.ty, ends(rule));
        let message = format!(
            "`nullify` belongs to the reference inside the struct that `{}.{}` embeds; write it there",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(last=> __odm::TypeProbe::<#ty>::EMBED.is_none());
        self.assert(first, last, &holds, &message);
    }

    fn inverse(&mut self, field: &Field, reference: &Reference, inverse: &proc_macro2::Ident) {
        let span = inverse.span();
        let target = moved(&self.record.target(field, reference), span);
        let (name, back) = (plain(inverse), field.name());
        let handle = quote_spanned!(span=> <#target>::fields().#inverse);
        self.refers_here(&handle, span);
        let message = format!(
            "`{}.{back}` names `{name}` as its inverse, and `{name}` does not name `{back}`; add `inverse = \"{back}\"` to `{name}`, or remove this one",
            self.record.name(),
        );
        let fields = quote_spanned!(span=> <#target as __odm::HasFields>::FIELDS);
        // A field that is no reference has an error of its own.
        let holds = quote_spanned!(span=>
            match __odm::find_field(#fields, #name) {
                ::core::option::Option::Some(field) if field.reference.is_some() =>
                    __odm::names_back(#fields, #name, #back),
                _ => true,
            }
        );
        self.assert(span, span, &holds, &message);
    }

    /// The struct that is projected has the field, in the same form and under the same name.
    fn projected(&mut self, field: &Field, of: &TokenStream) {
        // The description of an embedded struct asks for a projection of it.
        if field.embed.is_none() {
            let (ty, (first, last)) = (&field.ty, ends(&field.ty));
            let handle = handle(of, std::slice::from_ref(&field.ident));
            let check = proc_macro2::Ident::new("__projected_as", first);
            let argument = quote_spanned!(last=> ::<#ty>());
            self.calls.push(quote!(#handle.#check #argument;));
        }
        let (name, stored) = (field.name(), &field.stored);
        let codec = codec_of(field);
        let message = format!(
            "`{0}.{name}` reads `{stored}`, and `{of}` stores `{name}` under another name or with another codec; give both the same `rename` and `with`",
            self.record.name(),
        );
        let (first, last) = ends(&field.named_by);
        let holds = quote_spanned!(last=>
            __odm::find_field(<#of as __odm::HasFields>::FIELDS, #name).is_none()
                || __odm::same_stored_name(<#of as __odm::HasFields>::FIELDS, #name, #stored, #codec)
        );
        self.assert(first, last, &holds, &message);
    }

    fn assert(&mut self, first: Span, last: Span, holds: &TokenStream, message: &str) {
        let assertion = assertion(first, last, holds, message);
        self.asserts.push(quote!(const _: () = #assertion;));
    }
}

/// Expands the checks of an enum of references: each variant holds one key of what it leads to.
pub(super) fn variants(of: &Polymorphic) -> TokenStream {
    let mut checks = Checks {
        record: &of.record,
        calls: Vec::new(),
        asserts: Vec::new(),
    };
    for Variant { field, reference } in &of.variants {
        if let Some(to) = &reference.to {
            checks.referred(field, to);
        }
        checks.one_key(field);
    }
    let Checks { calls, asserts, .. } = checks;
    let calls = (!calls.is_empty()).then(|| quote!(fn __odm_checks() { #(#calls)* }));
    quote!(#(#asserts)* #calls)
}

/// Returns an assertion that is marked from a first to a last place.
fn assertion(first: Span, last: Span, holds: &TokenStream, message: &str) -> TokenStream {
    let start = quote_spanned!(first=> ::core::assert!);
    let condition = quote_spanned!(last=> (#holds, #message));
    quote!(#start #condition)
}

/// Returns the codec of a field as the descriptions have it.
fn codec_of(field: &Field) -> TokenStream {
    let codec = field.codec.as_ref().map(|codec| &codec.text);
    codec.map_or_else(
        || quote!(::core::option::Option::None),
        |text| quote!(::core::option::Option::Some(#text)),
    )
}
