//! Reads an enum that derives `SingleCollection`: the models in its variants, and the fields that all kinds share.

use quote::ToTokens;
use syn::{
    DataEnum, DeriveInput, Fields, LitStr, Path, Token, Type, parse::Parser, parse_quote,
    punctuated::Punctuated,
};

use super::{
    container, field,
    item::{Item, Value},
    options::{Options, single},
    place,
    serde::{self, Tagging, VariantSerde},
    stored_name::{Case, stored_name},
};
use crate::{
    error::Errors,
    hygiene::{ident, plain, snake},
    ir::{Derive, Field, KindVariant, OtherVariant, Role, SingleCollection},
};

/// Reads an enum and all its attributes. Returns `None` if the enum is generic or does not contain models.
pub(crate) fn single_collection(
    input: &DeriveInput,
    data: &DataEnum,
    errors: &mut Errors,
) -> Option<SingleCollection> {
    let derive = Derive::SingleCollection;
    container::refuse_generics(derive, input, errors);
    let tagging = serde::tagging(derive, &input.attrs, errors);
    stored_form(input, &tagging, errors);
    if tagging.tag.is_some()
        && data
            .variants
            .iter()
            .any(|it| it.fields.len() > 1 && !is_named(it))
    {
        // Serde rejects this variant with its own error and does not emit any impls.
        return None;
    }
    let (library, shared) = options(input, errors);
    let (mut kinds, mut other) = (Vec::new(), None);
    for variant in &data.variants {
        let serde = serde::variant(derive, &variant.attrs, errors);
        let Some(ty) = model(variant, &serde, errors) else {
            continue;
        };
        match &serde.untagged {
            None => kinds.push(kind(variant, ty, &tagging, &serde)),
            Some(untagged) => rest(&mut other, variant, ty, untagged, errors),
        }
    }
    if data.variants.is_empty() || (kinds.is_empty() && other.is_some()) {
        let message = "`SingleCollection` is on an enum without kinds; write a variant for each model, `Class(Class)`";
        errors.at(data.enum_token, message);
    }
    let first = kinds.first().filter(|_| input.generics.params.is_empty())?;
    let mut fields = own_fields(input, &library, tagging.tag.as_ref(), &first.ty);
    for field in shared {
        add(&mut fields, field, errors);
    }
    let role = Role::Embedded { from: None };
    Some(SingleCollection {
        record: container::record_of_enum(input, library, role, Vec::new(), fields),
        tag: tagging.tag,
        has_case: tagging.rename_all.is_some(),
        kinds,
        other,
    })
}

fn is_named(variant: &syn::Variant) -> bool {
    matches!(variant.fields, Fields::Named(_))
}

/// Checks that serde stores the kind in a separate field.
fn stored_form(input: &DeriveInput, tagging: &Tagging, errors: &mut Errors) {
    let remedy = "write `#[serde(tag = \"..\")]` with the field in the `kind(..)` of the models";
    match tagging {
        Tagging {
            untagged: Some(untagged),
            ..
        } => errors.at(
            untagged,
            format!("with `serde(untagged)` no field distinguishes the kinds; {remedy}"),
        ),
        Tagging {
            tag: Some(_),
            content: Some(content),
            ..
        } => errors.at(
            content,
            "`serde(content)` stores the document of a kind inside another document; remove `content`",
        ),
        Tagging { tag: None, .. } => errors.at(
            &input.ident,
            format!("a field must distinguish the kinds; {remedy}"),
        ),
        Tagging { .. } => {}
    }
}

/// Reads `#[single_collection(..)]`.
fn options(input: &DeriveInput, errors: &mut Errors) -> (Path, Vec<Field>) {
    let derive = Derive::SingleCollection;
    let Some(attribute) = single(&input.attrs, derive.attribute(), errors) else {
        return (container::default_library(), Vec::new());
    };
    place::says_nothing(attribute, errors);
    let mut options = Options::read(attribute, errors);
    let library = options.path("crate", "\"mongo_odm\"");
    let fields = options.take("shared");
    let fields = fields.map(|item| shared(item, input, options.errors));
    options.finish();
    let library = library.unwrap_or_else(container::default_library);
    (library, fields.unwrap_or_default())
}

/// Reads the shared fields, such as `shared(name: String, number: i64)`.
fn shared(item: Item, input: &DeriveInput, errors: &mut Errors) -> Vec<Field> {
    const FORM: &str =
        "`shared` needs fields and their types; write `shared(name: String, number: i64)`";
    let Value::List(list) = item.value else {
        errors.at(item.key, FORM);
        return Vec::new();
    };
    let parser = Punctuated::<syn::Field, Token![,]>::parse_terminated_with;
    let parse = |input: syn::parse::ParseStream<'_>| parser(input, syn::Field::parse_named);
    let Ok(fields) = parse.parse2(list.clone()) else {
        errors.at(if list.is_empty() { item.key } else { list }, FORM);
        return Vec::new();
    };
    let fields = fields.iter();
    fields
        .filter_map(|shared| field::shared(&input.ident.to_token_stream(), shared, errors))
        .collect()
}

/// Returns the type of the variant's only field, which must be a model.
fn model<'v>(
    variant: &'v syn::Variant,
    serde: &VariantSerde,
    errors: &mut Errors,
) -> Option<&'v Type> {
    let name = &variant.ident;
    if let Some(unread) = &serde.unread {
        let remedy =
            "remove it, or read documents of other kinds as `#[serde(untagged)] Other(Document)`";
        errors.at(
            unread,
            format!("`serde({unread})` would drop the contents of documents; {remedy}"),
        );
        return None;
    }
    if let Some(codec) = &serde.codec {
        errors.at(
            codec,
            "the model of the kind reads the document; remove the codec",
        );
    }
    for alias in &serde.aliases {
        let message =
            "a kind has one name, the value in the `kind(..)` of its model; remove `alias`";
        errors.at(alias, message);
    }
    if let Some(model) = container::only_field(variant) {
        return Some(model);
    }
    let holds = if serde.untagged.is_some() {
        "Document".to_owned()
    } else {
        plain(name)
    };
    let message = format!("a variant contains only the model of its kind; write `{name}({holds})`");
    errors.at(variant, message);
    None
}

fn kind(variant: &syn::Variant, ty: &Type, tagging: &Tagging, serde: &VariantSerde) -> KindVariant {
    let name = plain(&variant.ident);
    let named_by = match &serde.rename {
        Some(rename) => rename.to_token_stream(),
        None => variant.ident.to_token_stream(),
    };
    let stored = stored_name(
        serde.rename.as_ref(),
        tagging.rename_all,
        name,
        Case::apply_to_variant,
    );
    KindVariant {
        ident: variant.ident.clone(),
        ty: ty.clone(),
        stored,
        named_by,
    }
}

/// Sets the variant that receives documents of all other kinds. Reports an error if such a variant has already been
/// set.
fn rest(
    other: &mut Option<OtherVariant>,
    variant: &syn::Variant,
    ty: &Type,
    untagged: &proc_macro2::TokenStream,
    errors: &mut Errors,
) {
    if let Some(first) = other {
        let message = format!(
            "`{}` already contains the documents of all other kinds; remove one of the two",
            first.ident
        );
        errors.at(untagged, message);
        return;
    }
    *other = Some(OtherVariant {
        ident: variant.ident.clone(),
        ty: ty.clone(),
    });
}

/// Adds a shared field. Reports an error if the enum already has a handle of the same name.
fn add(fields: &mut Vec<Field>, field: Field, errors: &mut Errors) {
    let name = field.name();
    match fields.iter().find(|other| other.name() == name) {
        None => fields.push(field),
        Some(first) => {
            let stored = &first.stored;
            let message = format!("`{stored}` already has the handle `{name}`; remove this field");
            errors.at(&field.ident, message);
        }
    }
}

/// Returns the fields that all kinds share even if `shared(..)` does not list them: the id and the kind.
fn own_fields(
    input: &DeriveInput,
    library: &Path,
    tag: Option<&LitStr>,
    first: &Type,
) -> Vec<Field> {
    let name = &input.ident;
    let key: Type = parse_quote!(#library::Id<#name, <#first as #library::Described>::Key>);
    let id = ident("id", name.span());
    let mut fields = vec![Field::plain(
        id,
        key,
        "_id".to_owned(),
        name.to_token_stream(),
    )];
    if let Some(tag) = tag {
        let stored = tag.value();
        let is_name = syn::parse_str::<syn::Ident>(&format!("r#{stored}")).is_ok();
        let name = if is_name {
            snake(&stored)
        } else {
            "kind".to_owned()
        };
        let handle = ident(&name, tag.span());
        let text = parse_quote!(::core::option::Option<::std::string::String>);
        fields.push(Field::plain(handle, text, stored, tag.to_token_stream()));
    }
    fields
}
