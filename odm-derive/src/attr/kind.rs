//! Reads the option `kind(doc_type = "class")` in `#[model(..)]`.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    LitStr, Token,
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
};

use super::item::{Item, Value};
use crate::{error::Errors, hygiene::plain, ir::Kind};

const FORM: &str = "write `kind(doc_type = \"class\")`";

/// Reads the kind of a model. If the kind is invalid, reports an error and returns `None`.
pub(super) fn kind(item: Item, errors: &mut Errors) -> Option<Kind> {
    let list = match item.value {
        Value::List(list) => list,
        Value::Absent | Value::Is(_) => TokenStream::new(),
    };
    let parts = Punctuated::<Part, Token![,]>::parse_terminated.parse2(list);
    let parts = parts.map_err(|error| errors.push(error)).ok()?;
    let (mut fields, mut default) = (Vec::new(), None);
    for part in parts {
        let is_default = part.value.is_none() && part.name() == Some("default".to_owned());
        if !is_default {
            fields.push(part);
        } else if default.replace(part.key.clone()).is_some() {
            errors.at(&part.key, "`default` is given twice; remove one of them");
        }
    }
    let mut fields = fields.into_iter();
    let Some(part) = fields.next() else {
        let message = format!("`kind` needs a field and its value; {FORM}");
        errors.at(item.key, message);
        return None;
    };
    for again in fields {
        let remedy = "remove one of them";
        errors.at(&again.key, format!("a model has one kind; {remedy}"));
    }
    part.kind(default.is_some(), errors)
}

/// One item in the parentheses of the option `kind(..)`: `doc_type = "class"`, or the word `default`.
struct Part {
    key: TokenStream,
    value: Option<TokenStream>,
}

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = until(input, |input| {
            input.peek(Token![,]) || input.peek(Token![=])
        })?;
        if key.is_empty() {
            return Err(input.error(format!("`kind` needs a field and its value; {FORM}")));
        }
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Some(until(input, |input| input.peek(Token![,]))?)
        } else {
            None
        };
        Ok(Self { key, value })
    }
}

impl Part {
    /// Returns the name of the field, which may be written as an identifier or a string.
    fn name(&self) -> Option<String> {
        let bare = syn::Ident::parse_any.parse2(self.key.clone());
        let bare = bare.map(|ident| plain(&ident));
        let quoted = || <LitStr as Parse>::parse.parse2(self.key.clone());
        bare.or_else(|_| quoted().map(|text| text.value())).ok()
    }

    fn kind(self, default: bool, errors: &mut Errors) -> Option<Kind> {
        let written = self.key.to_string();
        let Some(field) = self.name() else {
            let message = if written.contains(['.', '$']) {
                no_name(&written.replace(' ', ""), NESTED)
            } else {
                format!("`kind` needs a field and its value; {FORM}")
            };
            errors.at(&self.key, message);
            return None;
        };
        if let Some(reason) = refused_name(&field) {
            errors.at(&self.key, no_name(&field, reason));
        }
        let value = self.value.unwrap_or_default();
        let place = if value.is_empty() { &self.key } else { &value };
        let Ok(text) = <LitStr as Parse>::parse.parse2(value.clone()) else {
            let message =
                format!("the kind is a string in `{field}`; write `kind({written} = \"..\")`");
            errors.at(place, message);
            return None;
        };
        if text.value().is_empty() {
            errors.at(&text, format!("the value of the kind is empty; {FORM}"));
        }
        Some(Kind {
            field,
            written: self.key,
            value: text,
            default,
        })
    }
}

const NESTED: &str = "the kind is in a top-level field, without `.` and `$`";

fn refused_name(field: &str) -> Option<&'static str> {
    match field {
        "" => Some("the name is empty"),
        "_id" => Some("`_id` is different in each document"),
        _ if field.contains(['.', '$', '\0']) => Some(NESTED),
        _ if field.contains('=') => {
            Some("a `=` separates it from its value in the names of relations")
        }
        _ => None,
    }
}

fn no_name(field: &str, reason: &str) -> String {
    format!("`{field}` cannot store the kind: {reason}; {FORM}")
}

fn until(input: ParseStream<'_>, ends: fn(ParseStream<'_>) -> bool) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !ends(input) {
        input.parse::<TokenTree>()?.to_tokens(&mut tokens);
    }
    Ok(tokens)
}
