//! Reads `#[index(..)]` on a field and `index(..)` in `#[model(..)]`. Also reads the fields and directions in these
//! attributes and in `sort(..)`.

use std::fmt;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Attribute, Lit, LitInt, LitStr, Token,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
};

use super::{
    item::{Item, Value},
    options::Options,
    path::field_path,
};
use crate::{
    error::Errors,
    hygiene::{ident, text},
    ir::{Field, FieldPath, Index, IndexKey, IndexKind, SortKey},
};

/// The words that set the order or type of an index on a field. Without such a word, the index is ascending.
const WORDS: [(&str, IndexKind); 5] = [
    ("desc", IndexKind::Descending),
    ("text", IndexKind::Text),
    ("hashed", IndexKind::Hashed),
    ("2d", IndexKind::TwoD),
    ("2dsphere", IndexKind::TwoDSphere),
];

/// Index options that have a numeric value. The parser must not mistake these options for keys.
const NUMBERS: [&str; 2] = ["expire_after_secs", "strength"];

/// Reads an index that is declared on one field.
pub(crate) fn of_field(attribute: &Attribute, errors: &mut Errors) -> Index {
    let mut options = Options::read(attribute, errors);
    let mut index = index(&mut options);
    let kinds: Vec<_> = WORDS
        .into_iter()
        .filter_map(|(name, kind)| Some((kind, options.word(name)?)))
        .collect();
    if let Some((_, again)) = kinds.get(1) {
        options.errors.at(
            again,
            "an index of a field has one kind; remove one of them",
        );
    }
    index.kind = kinds
        .first()
        .map_or(IndexKind::Ascending, |(kind, _)| *kind);
    options.finish();
    index
}

/// Reads an index that is declared on a struct. Reports an error and returns `None` if the index does not have any
/// keys.
pub(crate) fn compound(item: Item, errors: &mut Errors) -> Option<Index> {
    let span = item
        .key
        .into_iter()
        .next()
        .map_or_else(Span::call_site, |token| token.span());
    let list = match item.value {
        Value::List(list) => list,
        Value::Absent | Value::Is(_) => TokenStream::new(),
    };
    if let Some(keys) = keys_alone(&list) {
        errors.at(
            &list,
            format!("an index has its fields in `keys`; write `index({keys})`"),
        );
        return None;
    }
    let mut options = Options::of(ident("index", span), list, errors);
    let keys = options.take_all("keys");
    let named = keys.len();
    let keys: Vec<_> = keys
        .into_iter()
        .flat_map(|item| keys_of(item, options.errors))
        .collect();
    if named == 0 {
        options.missing(&["keys"], "write `index(keys(first = 1, second = -1))`");
    }
    let index = Index {
        keys,
        ..index(&mut options)
    };
    options.finish();
    Some(index).filter(|index| !index.keys.is_empty())
}

/// If keys and options are mixed in one list, returns the corrected options: `keys(name = 1), unique` for `name = 1,
/// unique`.
fn keys_alone(list: &TokenStream) -> Option<String> {
    let items = Punctuated::<KeyItem, Token![,]>::parse_terminated;
    let items = items.parse2(list.clone()).ok()?.into_iter();
    let (keys, options): (Vec<_>, Vec<_>) = items.partition(KeyItem::is_ordered);
    let keys: Vec<_> = keys.iter().map(KeyItem::to_string).collect();
    let options = options.iter().map(|option| format!(", {option}"));
    let options: String = options.collect();
    (!keys.is_empty()).then(|| format!("keys({}){options}", keys.join(", ")))
}

fn index(options: &mut Options<'_>) -> Index {
    Index {
        attribute: options.attribute().clone(),
        keys: Vec::new(),
        name: options.text("name"),
        unique: options.word("unique"),
        all_kinds: options.word("all_kinds"),
        sparse: options.word("sparse"),
        expire_after_secs: options.number("expire_after_secs"),
        partial: options.text("partial"),
        locale: options.text("locale"),
        strength: options.number("strength"),
        kind: IndexKind::Ascending,
    }
}

fn keys_of(item: Item, errors: &mut Errors) -> Vec<IndexKey> {
    const KINDS: &str = "write 1, -1, \"text\", \"hashed\", \"2d\" or \"2dsphere\"";
    directed(item, errors, KINDS, kind_of)
        .into_iter()
        .map(|(path, kind)| IndexKey { path, kind })
        .collect()
}

/// Replaces `_id` in a shard key with the name of the Rust field that is stored as `_id`. So a shard key can be written
/// as in mongosh.
pub(super) fn resolve_id(keys: &mut [IndexKey], fields: &[Field]) {
    let Some(id) = fields.iter().find(|field| field.is_id()) else {
        return;
    };
    for key in keys {
        if let [name] = &mut key.path.fields[..]
            && *name == "_id"
        {
            *name = ident(&id.name(), name.span());
        }
    }
}

/// Reads a shard key such as `shard_key(host = 1, _id = "hashed")`.
pub(super) fn shard_key(item: Item, errors: &mut Errors) -> Vec<IndexKey> {
    let kind = |kind: &Lit| {
        kind_of(kind).filter(|kind| matches!(kind, IndexKind::Ascending | IndexKind::Hashed))
    };
    directed(item, errors, "write 1 or \"hashed\"", kind)
        .into_iter()
        .map(|(path, kind)| IndexKey { path, kind })
        .collect()
}

/// Reads a sort order such as `sort(time = -1, name = 1)`.
pub(super) fn sort(item: Item, errors: &mut Errors) -> Vec<SortKey> {
    let descending = |direction: &Lit| match kind_of(direction)? {
        IndexKind::Ascending => Some(false),
        IndexKind::Descending => Some(true),
        _ => None,
    };
    let mut keys: Vec<SortKey> = Vec::new();
    for (path, descending) in directed(item, errors, "write 1 or -1", descending) {
        let name = path.to_string();
        if keys.iter().any(|key| key.path.to_string() == name) {
            let message = format!("`{name}` is sorted by already; remove one of them");
            errors.at(&path, message);
            continue;
        }
        keys.push(SortKey { path, descending });
    }
    keys
}

/// Reads fields and their directions. The function `direction` parses the value after each field.
fn directed<T>(
    item: Item,
    errors: &mut Errors,
    remedy: &str,
    direction: fn(&Lit) -> Option<T>,
) -> Vec<(FieldPath, T)> {
    let Item { name, key, value } = item;
    let keys = match value {
        Value::List(list) => Punctuated::<KeyItem, Token![,]>::parse_terminated.parse2(list),
        Value::Absent | Value::Is(_) => Ok(Punctuated::new()),
    };
    match keys {
        Ok(keys) if keys.is_empty() => {
            let second = if name == "shard_key" { "1" } else { "-1" };
            let remedy = format!("write `{name}(first = 1, second = {second})`");
            errors.at(key, format!("`{name}` needs fields; {remedy}"));
            Vec::new()
        }
        Ok(keys) => keys
            .into_iter()
            .filter_map(|key| key.check(errors, remedy, direction))
            .collect(),
        Err(error) => {
            errors.push(error);
            Vec::new()
        }
    }
}

/// A field and its direction, such as `parts.id = -1`.
struct KeyItem {
    key: FieldPath,
    direction: Option<Lit>,
}

impl Parse for KeyItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let name: LitStr = input.parse()?;
            let message = format!("a field has no quotes here; write `{}`", name.value());
            return Err(syn::Error::new_spanned(name, message));
        }
        if input.peek(Token![-]) {
            let minus: Token![-] = input.parse()?;
            let key = field_path(input)?;
            let message = format!("the direction of a field follows it; write `{key} = -1`");
            return Err(syn::Error::new_spanned(quote!(#minus #key), message));
        }
        let key = field_path(input)?;
        let direction = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        Ok(Self { key, direction })
    }
}

impl fmt::Display for KeyItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.key)?;
        match &self.direction {
            Some(direction) => write!(f, " = {}", text(direction)),
            None => Ok(()),
        }
    }
}

impl KeyItem {
    /// Returns whether this item is a key and not an option that has a number as its value. Only 1 and -1 count as
    /// directions here.
    fn is_ordered(&self) -> bool {
        let kind = self.direction.as_ref().and_then(kind_of);
        matches!(kind, Some(IndexKind::Ascending | IndexKind::Descending))
            && !NUMBERS.contains(&&*self.key.to_string())
    }

    fn check<T>(
        self,
        errors: &mut Errors,
        remedy: &str,
        direction_of: fn(&Lit) -> Option<T>,
    ) -> Option<(FieldPath, T)> {
        let Self { key, direction } = self;
        let Some(direction) = direction else {
            errors.at(
                &key,
                format!("the key `{key}` needs a direction; write `{key} = 1`"),
            );
            return None;
        };
        let known = direction_of(&direction);
        if known.is_none() {
            errors.at(
                &direction,
                format!("unknown direction of `{key}`; {remedy}"),
            );
        }
        Some((key, known?))
    }
}

fn kind_of(direction: &Lit) -> Option<IndexKind> {
    match direction {
        Lit::Int(int) => match LitInt::base10_parse::<i64>(int) {
            Ok(1) => Some(IndexKind::Ascending),
            Ok(-1) => Some(IndexKind::Descending),
            _ => None,
        },
        Lit::Str(text) => {
            let text = text.value();
            let word = WORDS
                .into_iter()
                .find(|(name, _)| *name == text && *name != "desc");
            word.map(|(_, kind)| kind)
        }
        _ => None,
    }
}
