//! Generates checks that the compiler evaluates. The errors of these checks point at the tokens that the user wrote.
//!
//! A derive sees tokens, not types. The derive never guesses a type from its name. Instead, the derive emits one of two
//! forms of checks:
//!
//! - A `const` assertion about names and shapes, for example about `TypeProbe::<T>::EMBED` (`query/field/type_probe.rs`
//!   in the library).
//! - A call to a method of a field handle, in a function that is never called. The method does nothing, but it requires
//!   a trait that has a message in `#[diagnostic::on_unimplemented]`. `has_many`, `inverse`, `to` and projections are
//!   checked in this way.
//!
//! The shape of a reference describes its target key by the name of a struct and the position of a field in that
//! struct. So an assertion can check that a projection, or an embedded struct that has `has_many`, contains exactly
//! this key.

mod copy;
mod derived;
mod foreign;
mod from;
mod hidden;
mod hooks;
mod index;
mod kind;
mod links;
mod maintained;
mod projected;
mod question;
mod reference;
mod reference_of_copy;
mod reverse;
mod serde_form;
mod shard_key;
mod single_collection;
mod target;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{GenericArgument, PathArguments, Type, spanned::Spanned};

use crate::{
    hygiene::ends,
    ir::{Field, Polymorphic, Record, Role, Variant},
};
use question::Checks;
pub(super) use single_collection::kinds;

/// Generates all checks for a struct.
pub(super) fn checks(record: &Record) -> TokenStream {
    let mut checks = Checks::new(record);
    for field in &record.fields {
        checks.field(field);
    }
    for field in &record.skipped {
        checks.skipped(field);
    }
    match &record.role {
        Role::Model(model) => {
            for index in &model.indexes {
                checks.index(index, None);
            }
            checks.shard_key(model);
            checks.kind();
            checks.hooks(model);
        }
        Role::Projection(Some(of)) => {
            let of = record.named(of);
            record
                .fields
                .iter()
                .for_each(|field| checks.projected(field, &of));
        }
        Role::Embedded { from: Some(from) } => checks.from(from),
        Role::Embedded { from: None } | Role::Projection(None) => {}
    }
    for relation in &record.reverse {
        checks.reverse(relation);
    }
    let Checks { calls, asserts, .. } = checks;
    let (helpers, aliases) = (helpers(record), record.aliases());
    let (generics, bounds) = (record.impl_parameters(), record.where_bounds());
    let calls = (!calls.is_empty())
        .then(|| quote!(fn __odm_checks #generics () #bounds { #helpers #(#calls)* }));
    // A constant outside a generic item cannot use the item's parameters.
    let asserts = asserts
        .iter()
        .filter(|assert| !record.is_of_parameter(assert));
    quote!(#aliases #(#asserts)* #calls)
}

/// Generates the functions that this struct's checks call.
fn helpers(record: &Record) -> TokenStream {
    let field = {
        let library = &record.library;
        quote!(#library::field)
    };
    let embeds = record.fields.iter().any(|field| field.embed.is_some());
    let embeds = (embeds && !record.is_projection())
        .then(|| quote!(fn __odm_embeds<T: #field::EmbedType>() {}));
    let rules = record
        .fields
        .iter()
        .any(|field| field.rule_of_embed().is_some());
    let rules = (rules && !record.is_projection()).then(|| {
        quote!(
            fn __odm_refers<T: __odm::Reference>() {}
        )
    });
    quote!(#embeds #rules)
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
        // A field with `max` does not have to embed a struct, because `max` can also limit an array of plain values.
        let bounded = field.max().is_some();
        if field.embed.is_some() && !bounded && !self.record.is_projection() {
            self.of_type(field, &quote!(__odm_embeds), None);
        }
        if let Some(rule) = field.rule_of_embed()
            && !self.record.is_projection()
        {
            self.rule_of_embed(field, rule);
        }
        self.hidden(field);
        self.fixed(field);
        if let Some(index) = &field.index {
            self.index(index, Some(field));
        }
        if field.flatten {
            self.flattened(field);
        }
        if let Some(option) = &field.left_out {
            self.left_out(field, option);
        }
        self.stored_form(field);
        if let Some(copy) = &field.copy {
            self.copy(field, copy);
        }
        if let Some(links) = &field.links {
            self.links(field, links);
        }
        for maintained in &field.maintained {
            self.maintained(field, maintained);
        }
        if let Some(recent) = &field.recent {
            self.recent(recent);
        }
        if let Some(rollup) = &field.rollup {
            self.rollup(field, rollup);
        }
    }

    /// Rejects `pull` in structs that are inside a fixed-length array.
    fn fixed(&mut self, field: &Field) {
        // If the field itself declares a rule, that rule replaces the one inside the struct and is checked elsewhere.
        let rule = field
            .reference
            .as_ref()
            .and_then(|of| of.on_delete.as_ref());
        let has_rule = rule.or(field.rule_of_embed()).is_some();
        if has_rule || self.record.is_projection() || !has_length(&field.ty) {
            return;
        }
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let message = format!(
            "a reference in these structs has `on_delete = \"pull\"`, which removes the struct from its array, but `{}.{}` has a \
             fixed length; make it a `Vec`, or write another rule",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(last=>
            __odm::TypeProbe::<#ty>::GROWS || !__odm::pulls(__odm::TypeProbe::<#ty>::FLAT)
        );
        self.assert(first, last, &holds, &message);
    }
}

/// Returns whether the type is a fixed-length array, or contains one. No check is emitted for other types, which saves
/// compile time.
fn has_length(ty: &Type) -> bool {
    match ty {
        Type::Array(_) => true,
        Type::Path(path) => {
            path.path.segments.iter().any(|segment| {
                match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.iter().any(
                |argument| matches!(argument, GenericArgument::Type(inner) if has_length(inner)),
            ),
            _ => false,
        }
            })
        }
        _ => false,
    }
}

/// Generates the checks for an enum of references.
pub(super) fn variants(of: &Polymorphic) -> TokenStream {
    let mut checks = Checks::new(&of.record);
    for Variant {
        field, reference, ..
    } in &of.variants
    {
        if let Some(to) = &reference.to {
            checks.referred(field, to);
        }
        checks.no_foreign_type(field, true);
        checks.one_key(field);
    }
    let Checks { calls, asserts, .. } = checks;
    let calls = (!calls.is_empty()).then(|| quote!(fn __odm_checks() { #(#calls)* }));
    quote!(#(#asserts)* #calls)
}
