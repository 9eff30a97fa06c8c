//! Reads the attributes of a field.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::LitStr;

use super::{
    copy, derived, index, links, maintained,
    options::{Options, single},
    relation,
    serde::{self, ContainerSerde, FieldSerde},
    stored_name::{Case, stored_name},
};
use crate::{
    error::Errors,
    hygiene::{plain, without_self},
    ir::{Derive, Embed, Field},
};

/// The names of all field attributes.
pub(super) const OURS: [&str; 14] = [
    "index",
    "embed",
    "refs",
    "parent_ref",
    "denorm",
    "recent",
    "rollup",
    "links",
    "created_at",
    "updated_at",
    "created_by",
    "updated_by",
    "version",
    "deleted_at",
];

/// Reads a field. If serde does not store the field, adds it to `skipped` and returns `None`.
pub(crate) fn field(
    derive: Derive,
    owner: &TokenStream,
    field: &syn::Field,
    container: &ContainerSerde,
    skipped: &mut Vec<Field>,
    errors: &mut Errors,
) -> Option<Field> {
    let ident = field.ident.as_ref()?;
    let serde = serde::field(derive, &field.attrs, errors);
    let skip = serde.skip.as_ref();
    let is_skipped = skip.is_some_and(|skip| !is_written(derive, skip));
    let mut read = plain_field(ident, owner, field, container, serde);
    if is_skipped {
        refuse_attributes(field, errors);
        skipped.push(read);
        return None;
    }
    read.embed = embed(field, errors);
    let reference = relation::reference(&field.attrs, errors);
    (read.polymorphic, read.reference) = match reference {
        Some(reference) if reference.polymorphic.is_some() => (Some(reference), None),
        reference => (None, reference),
    };
    if derive != Derive::Projection {
        read.index =
            single(&field.attrs, "index", errors).map(|attr| index::of_field(attr, errors));
        read.copy = copy::copy(&field.attrs, errors);
        read.recent = derived::recent(&field.attrs, errors);
        read.rollup = derived::rollup(&field.attrs, errors);
        read.links = links::links(&field.attrs, errors);
        read.maintained = maintained::maintained(&field.attrs, errors);
    }
    Some(read)
}

/// Returns whether serde writes this field but does not read it (`skip_deserializing`).
fn is_written(derive: Derive, skip: &TokenStream) -> bool {
    derive != Derive::Projection && skip.to_string() == "skip_deserializing"
}

fn plain_field(
    ident: &Ident,
    owner: &TokenStream,
    field: &syn::Field,
    container: &ContainerSerde,
    serde: FieldSerde,
) -> Field {
    let name = plain(ident);
    let stored = stored_name(
        serde.rename.as_ref(),
        container.rename_all,
        name,
        Case::apply,
    );
    // A field with `skip_serializing` has a value for `left_out`, and serde reads it.
    let unread = serde.skip.filter(|_| serde.left_out.is_none());
    let named_by = serde
        .rename
        .map_or_else(|| ident.to_token_stream(), LitStr::into_token_stream);
    Field {
        flatten: serde.flatten.is_some(),
        // If a field has `skip_deserializing`, serde fills it with its default value.
        default: serde.default || container.default || unread.is_some(),
        alias: serde.alias,
        left_out: serde.left_out,
        unread,
        skips: serde.skips.filter(|_| serde.flatten.is_none()),
        codec: serde.codec,
        ..Field::plain(
            ident.clone(),
            without_self(&field.ty, owner),
            stored,
            named_by,
        )
    }
}

/// Reads a field in `shared(..)`. A shared field declares only its stored form.
pub(super) fn shared(
    owner: &TokenStream,
    field: &syn::Field,
    errors: &mut Errors,
) -> Option<Field> {
    let ident = field.ident.as_ref()?;
    let container = ContainerSerde {
        rename_all: None,
        deny_unknown_fields: false,
        default: false,
    };
    let serde = serde::field(Derive::SingleCollection, &field.attrs, errors);
    for attribute in &field.attrs {
        let path = attribute.path();
        if !path.is_ident("serde") && !path.is_ident("doc") {
            let message = "a field in `shared(..)` only declares its stored form; write the attribute at the field of each model";
            errors.at(attribute, message);
        }
    }
    let unstored = serde.skip.as_ref().or(serde.flatten.as_ref());
    if let Some(option) = unstored {
        errors.at(
            option,
            format!("a shared field is stored as one value; remove `{option}`"),
        );
        return None;
    }
    Some(plain_field(ident, owner, field, &container, serde))
}

fn refuse_attributes(field: &syn::Field, errors: &mut Errors) {
    for attribute in &field.attrs {
        if let Some(name) = OURS.iter().find(|name| attribute.path().is_ident(name)) {
            let message =
                format!("`#[{name}]` is on a field that serde skips; remove one of the two");
            errors.at(attribute, message);
        }
    }
}

fn embed(field: &syn::Field, errors: &mut Errors) -> Option<Embed> {
    let attribute = single(&field.attrs, "embed", errors)?;
    let mut options = Options::read(attribute, errors);
    let embed = Embed {
        max: options.number("max"),
        on_delete: options.on_delete(),
    };
    options.finish();
    Some(embed)
}
