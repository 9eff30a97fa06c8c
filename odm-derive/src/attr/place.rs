//! Reports attributes in places where the derives would ignore them.
//!
//! The compiler accepts the helper attributes of a derive anywhere inside the item, so the derive itself must report
//! misplaced ones.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Data, DeriveInput, Fields, Path, Token, Variant, punctuated::Punctuated};

use super::{field::OURS, habits};
use crate::{error::Errors, ir::Derive};

/// Attributes for structs and enums. Each attribute is paired with the field attributes that the user probably meant
/// if the attribute is on a field.
const OF_STRUCTS: [(&str, &str); 4] = [
    ("model", "`#[refs(..)]`, `#[embed]` or `#[index]`"),
    ("embedded", "`#[embed]`"),
    ("projection", "`#[embed]`"),
    ("single_collection", "`shared(..)` in it"),
];

/// Reports attributes in places where the derives would ignore them.
pub(crate) fn misplaced(derive: Derive, input: &DeriveInput, errors: &mut Errors) {
    // If a struct has two derives, only the derive of `Projection` reports misplaced attributes.
    let is_left_to_another = derive != Derive::Projection && is_projected(input);
    if is_left_to_another {
        return;
    }
    habits::refuse(input, errors);
    for attribute in &input.attrs {
        above(input, attribute, errors);
    }
    match &input.data {
        Data::Struct(data) => inside(&data.fields, &[], errors),
        Data::Enum(data) if derive == Derive::Embedded => {
            data.variants.iter().for_each(|variant| of(variant, errors));
        }
        Data::Enum(data) if derive == Derive::SingleCollection => {
            let variants = data.variants.iter();
            let all = variants.flat_map(|it| it.attrs.iter().chain(inner(&it.fields)));
            all.for_each(|attribute| of_struct(attribute, errors));
        }
        Data::Enum(_) | Data::Union(_) => {}
    }
}

/// Returns the path of a second derive of the same trait on the item.
///
/// A derive sees only later `#[derive(..)]` attributes, not the list that contains the derive itself. So if a trait is
/// derived twice, the first derive finds the second derive, but the second derive does not find the first.
pub(crate) fn derived_again(derive: Derive, input: &DeriveInput) -> Option<Path> {
    let list = Punctuated::<Path, Token![,]>::parse_terminated;
    let derives = input.attrs.iter();
    let derives = derives.filter(|attribute| attribute.path().is_ident("derive"));
    let derives = derives.filter_map(|attribute| attribute.parse_args_with(list).ok());
    let is_ours = |path: &Path| {
        let mut names = path.segments.iter().map(|segment| &segment.ident);
        let is_named = names.next_back().is_some_and(|last| last == derive.name());
        is_named && names.next().is_none_or(|first| first == "mongo_odm")
    };
    derives.flatten().find(is_ours)
}

/// Returns whether the struct has the attribute `#[projection]`.
pub(super) fn is_projected(input: &DeriveInput) -> bool {
    let mut attrs = input.attrs.iter();
    attrs.any(|attribute| attribute.path().is_ident("projection"))
}

/// Reports a field attribute that is on the whole item.
fn above(input: &DeriveInput, attribute: &Attribute, errors: &mut Errors) {
    let Some(name) = named(attribute, OURS) else {
        return;
    };
    let whole = match &input.data {
        Data::Enum(_) => "enum",
        Data::Struct(_) | Data::Union(_) => "struct",
    };
    let remedy = match (name, &input.data) {
        (_, Data::Enum(_)) => "remove it",
        ("index", _) => {
            "write it above a field, or `index(keys(first = 1, second = -1))` in `#[model(..)]`"
        }
        _ => "move it to the field",
    };
    errors.at(
        attribute,
        format!("`#[{name}]` is an attribute of a field, and not of the {whole}; {remedy}"),
    );
}

/// Reports struct attributes that are on fields. Also reports the field attributes listed in `unread`.
fn inside(fields: &Fields, unread: &[&'static str], errors: &mut Errors) {
    for attribute in inner(fields) {
        of_struct(attribute, errors);
        if let Some(name) = named(attribute, unread.iter().copied()) {
            errors.at(attribute, no_use_in_enums(name));
        }
    }
}

fn inner(fields: &Fields) -> impl Iterator<Item = &Attribute> {
    fields.iter().flat_map(|field| &field.attrs)
}

/// Reports attributes on a variant of a polymorphic reference. The variant may have only `refs`, and the variant's key
/// must not have any attributes.
fn of(variant: &Variant, errors: &mut Errors) {
    for attribute in &variant.attrs {
        of_struct(attribute, errors);
        let unread = OURS.into_iter().filter(|name| *name != "refs");
        if let Some(name) = named(attribute, unread) {
            errors.at(attribute, no_use_in_enums(name));
        }
    }
    inside(&variant.fields, &OURS, errors);
}

fn of_struct(attribute: &Attribute, errors: &mut Errors) {
    let found = OF_STRUCTS
        .iter()
        .find(|(name, _)| attribute.path().is_ident(name));
    if let Some((name, meant)) = found {
        let message = format!(
            "`#[{name}]` is an attribute of a whole struct or enum; write {meant}, or move it above the struct or enum"
        );
        errors.at(attribute, message);
    }
}

fn no_use_in_enums(name: &str) -> String {
    format!(
        "`#[{name}]` has no effect in an enum of references; write it at a field with the type of the enum, or remove it"
    )
}

fn named(
    attribute: &Attribute,
    names: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let mut names = names.into_iter();
    names.find(|name| attribute.path().is_ident(name))
}

/// Reports an attribute without options, because such an attribute has no effect.
pub(super) fn says_nothing(attribute: &Attribute, errors: &mut Errors) {
    let tokens: TokenStream = match &attribute.meta {
        syn::Meta::Path(_) => TokenStream::new(),
        syn::Meta::List(list) => list.tokens.clone(),
        syn::Meta::NameValue(_) => return,
    };
    if tokens.is_empty() {
        let name = attribute.path().to_token_stream();
        errors.at(
            attribute,
            format!("`#[{name}]` without options has no effect; remove it"),
        );
    }
}
