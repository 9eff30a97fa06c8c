//! The words that serde accepts in `#[serde(..)]`.
//!
//! If an attribute contains an unknown word, serde reports an error and emits no impls. The derive must then not cause
//! further errors about the missing impls.

use syn::{Attribute, Data, DeriveInput, LitStr};

use super::{
    item::{Item, Value, parse_items},
    stored_name::Case,
};

const OF_STRUCTS: [&str; 16] = [
    "rename",
    "rename_all",
    "rename_all_fields",
    "deny_unknown_fields",
    "default",
    "tag",
    "content",
    "untagged",
    "bound",
    "from",
    "try_from",
    "into",
    "remote",
    "transparent",
    "crate",
    "expecting",
];

const OF_FIELDS: [&str; 14] = [
    "rename",
    "alias",
    "default",
    "flatten",
    "skip",
    "skip_serializing",
    "skip_deserializing",
    "skip_serializing_if",
    "with",
    "serialize_with",
    "deserialize_with",
    "bound",
    "borrow",
    "getter",
];

/// Returns whether serde rejects one of its attributes on the item because of an unknown word.
pub(super) fn are_refused(input: &DeriveInput) -> bool {
    let Data::Struct(data) = &input.data else {
        return false;
    };
    let mut fields = data.fields.iter().flat_map(|field| &field.attrs);
    let mut whole = input.attrs.iter();
    whole.any(|attribute| is_refused(attribute, &OF_STRUCTS))
        || fields.any(|attribute| is_refused(attribute, &OF_FIELDS))
}

fn is_refused(attribute: &Attribute, known: &[&str]) -> bool {
    if !attribute.path().is_ident("serde") {
        return false;
    }
    let Ok(list) = attribute.meta.require_list() else {
        return true;
    };
    let (items, error) = parse_items(list.tokens.clone());
    let is_known = |item: &Item| known.contains(&item.name.as_str()) && has_known_case(item);
    error.is_some() || !items.iter().all(is_known)
}

fn has_known_case(item: &Item) -> bool {
    let Value::Is(value) = &item.value else {
        return true;
    };
    let case = syn::parse2::<LitStr>(value.clone()).ok();
    item.name != "rename_all" || case.is_some_and(|case| Case::named(&case.value()).is_some())
}
