//! Reads the `#[serde(..)]` attributes that affect stored names and stored forms.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, ExprPath, LitStr};

use super::{
    item::{Item, Value, parse_items},
    stored_name::Case,
};
use crate::{
    error::Errors,
    hygiene::ident,
    ir::{Codec, Derive},
};

/// The options in a struct's `#[serde(..)]` attributes.
pub(crate) struct ContainerSerde {
    pub(crate) rename_all: Option<Case>,
    pub(crate) deny_unknown_fields: bool,
    /// Whether serde fills missing fields with default values.
    pub(crate) default: bool,
}

/// The options in a field's `#[serde(..)]` attributes.
pub(crate) struct FieldSerde {
    pub(crate) rename: Option<LitStr>,
    pub(crate) skip: Option<TokenStream>,
    pub(crate) flatten: Option<TokenStream>,
    /// The option that makes serde leave the field out of documents, such as `skip_serializing`. `None` if serde does
    /// not read the field either.
    pub(crate) left_out: Option<TokenStream>,
    /// The function in `skip_serializing_if`.
    pub(crate) skips: Option<TokenStream>,
    /// Whether serde fills the field with a default value if it is missing.
    pub(crate) default: bool,
    /// The first `alias` of the field.
    pub(crate) alias: Option<TokenStream>,
    pub(crate) codec: Option<Codec>,
}

/// Options on a struct that are rejected, because the stored fields would differ from the fields of the
/// struct.
const REFUSED: [(&str, &str); 6] = [
    ("from", "serde stores another type; derive on that type"),
    ("into", "serde stores another type; derive on that type"),
    ("try_from", "serde stores another type; derive on that type"),
    (
        "transparent",
        "it is stored as a value, without fields; for a key write `impl Key` instead of the derive",
    ),
    (
        "remote",
        "it describes another struct; derive on a struct of your own",
    ),
    (
        "tag",
        "it stores a field that the struct does not have; declare that field",
    ),
];

pub(crate) fn container(
    derive: Derive,
    attrs: &[Attribute],
    errors: &mut Errors,
) -> ContainerSerde {
    let items = items(attrs);
    refuse(derive, &items, &REFUSED, errors);
    let rename_all = find(&items, "rename_all").and_then(|item| one_name(derive, item, errors));
    ContainerSerde {
        rename_all: rename_all.and_then(|name| Case::named(&name.value())),
        deny_unknown_fields: find(&items, "deny_unknown_fields").is_some(),
        default: find(&items, "default").is_some(),
    }
}

/// Returns whether serde's attributes contain `default`.
pub(crate) fn has_default(attrs: &[Attribute]) -> bool {
    find(&items(attrs), "default").is_some()
}

fn refuse(derive: Derive, items: &[Item], refused: &[(&str, &str)], errors: &mut Errors) {
    let is_from = items
        .iter()
        .any(|it| ["from", "try_from"].contains(&it.name.as_str()));
    for item in items {
        // `from` and `into` together count as one mistake.
        if item.name == "into" && is_from {
            continue;
        }
        if let Some((name, reason)) = refused.iter().find(|(name, _)| *name == item.name) {
            let derive = derive.name();
            errors.at(
                &item.key,
                format!("`serde({name})` does not fit `{derive}`: {reason}"),
            );
        }
    }
}

/// The options in an enum's `#[serde(..)]` attributes.
pub(crate) struct Tagging {
    pub(crate) tag: Option<LitStr>,
    pub(crate) content: Option<LitStr>,
    pub(crate) untagged: Option<TokenStream>,
    pub(crate) rename_all: Option<Case>,
}

pub(crate) fn tagging(derive: Derive, attrs: &[Attribute], errors: &mut Errors) -> Tagging {
    let items = items(attrs);
    let refused: Vec<_> = REFUSED.into_iter().filter(|it| it.0 != "tag").collect();
    refuse(derive, &items, &refused, errors);
    let rename_all = find(&items, "rename_all").and_then(|item| one_name(derive, item, errors));
    Tagging {
        tag: find(&items, "tag").and_then(text),
        content: find(&items, "content").and_then(text),
        untagged: find(&items, "untagged").map(|item| item.key.clone()),
        rename_all: rename_all.and_then(|name| Case::named(&name.value())),
    }
}

/// The options in a variant's `#[serde(..)]` attributes.
pub(crate) struct VariantSerde {
    /// The option `untagged`, which marks the variant that receives all values that other variants do
    /// not accept.
    pub(crate) untagged: Option<TokenStream>,
    /// The option that makes the variant unreadable, or that discards the variant's value.
    pub(crate) unread: Option<TokenStream>,
    pub(crate) codec: Option<TokenStream>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
}

pub(crate) fn variant(derive: Derive, attrs: &[Attribute], errors: &mut Errors) -> VariantSerde {
    const UNREAD: [&str; 4] = ["other", "skip", "skip_serializing", "skip_deserializing"];
    let items = items(attrs);
    let key = |name: &&str| find(&items, name).map(|item| item.key.clone());
    VariantSerde {
        untagged: key(&"untagged"),
        unread: UNREAD.iter().find_map(key),
        codec: codec(derive, &items).map(|codec| codec.written),
        rename: find(&items, "rename").and_then(|item| one_name(derive, item, errors)),
        aliases: items
            .iter()
            .filter(|item| item.name == "alias")
            .filter_map(text)
            .collect(),
    }
}

pub(crate) fn field(derive: Derive, attrs: &[Attribute], errors: &mut Errors) -> FieldSerde {
    let items = items(attrs);
    // A projection is never written, so options that affect writes do not matter. A field that serde does not write is
    // not stored, even if serde does not read it either.
    let skips: &[&str] = match derive {
        Derive::Projection => &["skip", "skip_deserializing"],
        Derive::Model | Derive::Embedded | Derive::SingleCollection => {
            &["skip", "skip_serializing", "skip_deserializing"]
        }
    };
    let skip = skips.iter().find_map(|name| find(&items, name));
    let left_out = items
        .iter()
        .find(|item| ["skip_serializing", "skip_serializing_if"].contains(&item.name.as_str()));
    let is_read = !["skip", "skip_deserializing"]
        .iter()
        .any(|name| find(&items, name).is_some());
    let left_out = left_out.filter(|_| is_read && derive != Derive::Projection);
    let skips = find(&items, "skip_serializing_if").and_then(text);
    let skips = skips.filter(|_| derive != Derive::Projection);
    FieldSerde {
        rename: find(&items, "rename").and_then(|item| one_name(derive, item, errors)),
        skip: skip.map(|item| item.key.clone()),
        flatten: find(&items, "flatten").map(|item| item.key.clone()),
        left_out: left_out.map(|item| item.key.clone()),
        skips: skips
            .and_then(|path| function(&path))
            .map(|path| quote!(#path)),
        default: find(&items, "default").is_some(),
        alias: find(&items, "alias").map(|item| item.key.clone()),
        codec: codec(derive, &items),
    }
}

/// Returns the options in all `#[serde(..)]` attributes. If an attribute cannot be parsed, serde reports
/// the error.
fn items(attrs: &[Attribute]) -> Vec<Item> {
    attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
        .filter_map(|attribute| attribute.meta.require_list().ok())
        .flat_map(|list| parse_items(list.tokens.clone()).0)
        .collect()
}

fn find<'i>(items: &'i [Item], name: &str) -> Option<&'i Item> {
    items.iter().find(|item| item.name == name)
}

/// Returns the codec of the value in a variant.
pub(crate) fn codec_of_key(attrs: &[Attribute]) -> Option<TokenStream> {
    codec(Derive::Embedded, &items(attrs)).map(|codec| codec.written)
}

/// Reads `rename = ".."`, or the option `deserialize` inside `rename(serialize = "..", deserialize =
/// "..")`.
///
/// Reports an error if the two names differ, except in a projection, which is never written.
fn one_name(derive: Derive, item: &Item, errors: &mut Errors) -> Option<LitStr> {
    let list = match &item.value {
        Value::Is(tokens) => return syn::parse2(tokens.clone()).ok(),
        Value::List(list) => parse_items(list.clone()).0,
        Value::Absent => return None,
    };
    let written = find(&list, "serialize").and_then(text);
    let read = find(&list, "deserialize").and_then(text);
    if derive != Derive::Projection && written != read {
        let name = &item.name;
        errors.at(
            &item.key,
            format!("`serde({name})` has two names, but a field has one stored name; write `{name} = \"..\"`"),
        );
    }
    read
}

fn text(item: &Item) -> Option<LitStr> {
    match &item.value {
        Value::Is(tokens) => syn::parse2(tokens.clone()).ok(),
        Value::List(_) | Value::Absent => None,
    }
}

fn codec(derive: Derive, items: &[Item]) -> Option<Codec> {
    let both = find(items, "with").and_then(text);
    let write = find(items, "serialize_with").and_then(text);
    let read = find(items, "deserialize_with").and_then(text);
    let write = write.filter(|_| derive != Derive::Projection);
    let text = codec_text(both.as_ref(), write.as_ref(), read.as_ref(), derive)?;
    let half = |path: Option<&LitStr>, name: &str| {
        let module = both.as_ref().and_then(|module| {
            let (path, name) = (function(module)?, ident(name, module.span()));
            Some(quote!(#path::#name))
        });
        path.and_then(function).map(|path| quote!(#path)).or(module)
    };
    Some(Codec {
        text,
        serialize: half(write.as_ref(), "serialize"),
        deserialize: half(read.as_ref(), "deserialize"),
        written: [both.as_ref(), write.as_ref(), read.as_ref()]
            .into_iter()
            .flatten()
            .take(1)
            .map(|path| quote!(#path))
            .collect(),
    })
}

fn function(path: &LitStr) -> Option<ExprPath> {
    path.parse().ok()
}

/// Returns the string that identifies a codec. The string is the path of the module, or the paths of both functions if
/// they are not in one module.
fn codec_text(
    both: Option<&LitStr>,
    write: Option<&LitStr>,
    read: Option<&LitStr>,
    derive: Derive,
) -> Option<String> {
    if let Some(module) = both {
        return Some(module.value());
    }
    let (write, read) = (write.map(LitStr::value), read.map(LitStr::value));
    let writes_as = write
        .as_deref()
        .and_then(|path| path.strip_suffix("::serialize"));
    let reads_as = read
        .as_deref()
        .and_then(|path| path.strip_suffix("::deserialize"));
    match (writes_as, reads_as) {
        (Some(left), Some(right)) if left == right => return Some(left.to_owned()),
        (None, Some(module)) if derive == Derive::Projection => return Some(module.to_owned()),
        _ => {}
    }
    let halves: Vec<_> = [write, read].into_iter().flatten().collect();
    (!halves.is_empty()).then(|| halves.join(", "))
}
