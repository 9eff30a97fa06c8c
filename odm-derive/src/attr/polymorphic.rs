//! Reads an enum that derives `Embedded`, which makes the enum a polymorphic reference.
//!
//! Serde stores the enum as two fields, the kind and the key. The record of the enum contains these two fields.
//!
//! The derive reads the model of each variant from the tokens of `Id<Product>`. All other generated code depends only
//! on types that the compiler evaluates. Reading the tokens is necessary because the derive emits one impl of
//! `PolymorphicTo<Model>` per model. The compiler accepts several such impls only if each impl contains the model's
//! name itself, not the associated type that is the target of `Id<Product>`.
//!
//! 1. The derive takes `Product` from `Id<Product>`.
//! 2. The derive emits a check that makes the compiler verify that `Id<Product>` refers to `Product`.
//! 3. A variant of any type other than `Id` must specify its model in `#[refs(to = "Model")]`.

use quote::ToTokens;
use syn::{
    Attribute, DataEnum, DeriveInput, GenericArgument, LitStr, Path, PathArguments, Type,
    parse_quote,
};

use super::{
    container,
    options::{Options, single},
    serde::{self, Tagging, VariantSerde},
    stored_name::{Case, stored_name},
};
use crate::{
    error::Errors,
    hygiene::{ident, plain, short, snake, without_self, written_id},
    ir::{Derive, Field, ModelPath, Polymorphic, Reference, ReferenceKind, Scope, Variant},
};

/// Reads an enum and all its attributes. Returns `None` if the enum is generic.
pub(crate) fn polymorphic(
    input: &DeriveInput,
    data: &DataEnum,
    errors: &mut Errors,
) -> Option<Polymorphic> {
    let derive = Derive::Embedded;
    container::refuse_generics(derive, input, errors);
    let tagging = serde::tagging(derive, &input.attrs, errors);
    let container::Container {
        library,
        role,
        reverse,
        loaded,
    } = container::container(derive, input, errors);
    let mut variants = Vec::new();
    if data.variants.iter().any(is_meant_to_refer) {
        stored_form(input, &tagging, errors);
        let all = data.variants.iter();
        variants.extend(all.filter_map(|variant| one(input, variant, tagging.rename_all, errors)));
    } else {
        let remedy = "write a variant for each model, such as `Product(Id<Product>)`, or derive only serde if the enum is a value";
        errors.at(
            data.enum_token,
            format!("`Embedded` makes an enum a polymorphic reference, but no variant of `{}` contains a key; {remedy}", input.ident),
        );
    }
    if !input.generics.params.is_empty() {
        return None;
    }
    let fields = stored_fields(input, &library, &tagging);
    Some(Polymorphic {
        complete: variants.len() == data.variants.len(),
        record: container::record_of_enum(input, library, role, reverse, fields),
        variants,
        loaded,
    })
}

/// Returns whether a variant is probably a reference, because it contains an unnamed id or has `#[refs(..)]`.
fn is_meant_to_refer(variant: &syn::Variant) -> bool {
    let mut fields = variant.fields.iter();
    let has_id = fields.any(|field| field.ident.is_none() && model_of(&field.ty).is_some());
    has_id
        || variant
            .attrs
            .iter()
            .any(|attr| attr.path().is_ident("refs"))
}

/// Checks that serde stores each key together with the name of its variant, in two fields.
fn stored_form(input: &DeriveInput, tagging: &Tagging, errors: &mut Errors) {
    let remedy = "write `#[serde(tag = \"kind\", content = \"id\")]`";
    let (place, reason) = match tagging {
        Tagging {
            tag: Some(_),
            content: Some(_),
            ..
        } => return,
        Tagging {
            untagged: Some(untagged),
            ..
        } => (
            untagged.clone(),
            "`serde(untagged)` does not store which model a key belongs to",
        ),
        Tagging { tag: Some(tag), .. } => (
            tag.to_token_stream(),
            "serde cannot store a key with only a `tag`",
        ),
        _ => (
            input.ident.to_token_stream(),
            "a polymorphic reference is stored as two fields, its kind and its key",
        ),
    };
    errors.at(place, format!("{reason}; {remedy}"));
}

/// Returns the two fields that serde stores for the enum: the kind and the key.
fn stored_fields(input: &DeriveInput, library: &Path, tagging: &Tagging) -> Vec<Field> {
    let Tagging { tag, content, .. } = tagging;
    // If both fields have the same name, serde reports the error.
    let is_tag = |name: &&LitStr| tag.as_ref().is_some_and(|tag| tag.value() == name.value());
    let content = content.as_ref().filter(|content| !is_tag(content));
    let kind = parse_quote!(::std::string::String);
    let key = parse_quote!(#library::AnyKey);
    vec![
        stored_field(input, tag.as_ref(), "tag", kind),
        stored_field(input, content, "content", key),
    ]
}

fn stored_field(input: &DeriveInput, name: Option<&LitStr>, usual: &str, ty: Type) -> Field {
    let stored = name.map_or_else(|| usual.to_owned(), LitStr::value);
    let is_name = syn::parse_str::<syn::Ident>(&format!("r#{stored}")).is_ok();
    let handle = if is_name {
        snake(&stored)
    } else {
        usual.to_owned()
    };
    let (span, named_by) = match name {
        Some(name) => (name.span(), name.to_token_stream()),
        None => (input.ident.span(), input.ident.to_token_stream()),
    };
    Field::plain(ident(&handle, span), ty, stored, named_by)
}

/// Returns the model in an `Id<Model>`. The module documentation explains why the derive reads the tokens of the type.
fn model_of(ty: &Type) -> Option<ModelPath> {
    let Type::Path(path) = ty else { return None };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == "Id")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(Type::Path(model)) => Some(ModelPath {
            model: model.path.clone(),
            fields: Vec::new(),
        }),
        _ => None,
    }
}

/// Reads a variant. Returns `None` if the variant does not contain a key.
fn one(
    input: &DeriveInput,
    variant: &syn::Variant,
    case: Option<Case>,
    errors: &mut Errors,
) -> Option<Variant> {
    let serde = serde::variant(Derive::Embedded, &variant.attrs, errors);
    let kinds = kinds(&variant.ident, case, &serde);
    let refs = single(&variant.attrs, "refs", errors);
    let written = refs.and_then(|attribute| to(attribute, errors));
    let keyless = serde.untagged.is_some() || serde.unread.is_some();
    if keyless || variant.fields.is_empty() {
        if let Some(refs) = refs {
            errors.at(
                refs,
                format!("variant `{}` contains no key; remove `refs`", variant.ident),
            );
        }
        return None;
    }
    let of_key = variant.fields.iter();
    let of_key = of_key.filter_map(|key| serde::codec_of_key(&key.attrs));
    for codec in serde.codec.into_iter().chain(of_key) {
        errors.at(
            codec,
            "a reference cannot have a codec; make its key a newtype with `impl Key`",
        );
    }
    let ty = without_self(key(variant, errors)?, &input.ident.to_token_stream());
    let Some(to) = written.or_else(|| model_of(&ty)) else {
        let name = &variant.ident;
        if let (Some(id), Some(outer)) = (written_id(&ty), outer(&ty)) {
            let (id, all) = (short(id), &input.ident);
            let message = format!(
                "a variant of a polymorphic reference contains one key; write `{name}({id})`, and `{outer}<{all}>` where the enum is used"
            );
            errors.at(&ty, message);
            return None;
        }
        let remedy = "write `#[refs(to = \"Model\")]` above it, or `#[refs(to = \"Model.field\")]`";
        let message = format!("the type of `{name}` does not contain a model; {remedy}");
        errors.at(&ty, message);
        return None;
    };
    let named_by = serde.rename.map(LitStr::into_token_stream);
    let named_by = named_by.unwrap_or_else(|| variant.ident.to_token_stream());
    Some(Variant {
        named_by,
        ..leading(variant, ty, to, kinds)
    })
}

/// Returns the name of the outermost type: `Vec` for `Vec<Id<Part>>`.
fn outer(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| plain(&last.ident)),
        _ => None,
    }
}

/// Returns the stored name of a variant, followed by its aliases.
fn kinds(variant: &syn::Ident, case: Option<Case>, serde: &VariantSerde) -> Vec<String> {
    let name = plain(variant);
    let stored = stored_name(serde.rename.as_ref(), case, name, Case::apply_to_variant);
    let aliases = serde.aliases.iter().map(LitStr::value);
    std::iter::once(stored).chain(aliases).collect()
}

/// Reads `#[refs(to = "Model.field")]`.
fn to(attribute: &Attribute, errors: &mut Errors) -> Option<ModelPath> {
    let mut options = Options::read(attribute, errors);
    let to = options.model_path("to", "\"Model.field\"");
    let remedy = "write `#[refs(to = \"Model.field\")]`, or remove it";
    options.require("to", to.as_ref(), remedy);
    options.finish();
    to
}

/// Returns the type of the variant's only field.
fn key<'v>(variant: &'v syn::Variant, errors: &mut Errors) -> Option<&'v Type> {
    if let Some(key) = container::only_field(variant) {
        return Some(key);
    }
    let name = &variant.ident;
    let remedy = format!("write `{name}(Id<{name}>)`");
    errors.at(
        variant,
        format!("a variant of a polymorphic reference contains one unnamed key; {remedy}"),
    );
    None
}

fn leading(variant: &syn::Variant, ty: Type, to: ModelPath, kinds: Vec<String>) -> Variant {
    let name = &variant.ident;
    Variant {
        kinds,
        named_by: name.to_token_stream(),
        reference: Reference {
            attribute: name.clone(),
            kind: ReferenceKind::One,
            name: None,
            polymorphic: None,
            to: Some(to),
            inverse: None,
            max: None,
            on_delete: None,
            exists: None,
            scope: Scope::default(),
        },
        field: Field::plain(name.clone(), ty, String::new(), name.to_token_stream()),
    }
}
