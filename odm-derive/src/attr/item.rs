//! Parses one option in the parentheses of an attribute: `key`, `key = value`, `key(..)` or a literal.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Lit, Token,
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
};

use crate::hygiene::{pieces, plain};

pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) key: TokenStream,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    Absent,
    Is(TokenStream),
    List(TokenStream),
}

/// Parses a list of options, but does not check their names.
///
/// If the list cannot be parsed as a whole, this function returns the options that can be parsed separately,
/// and the error. Partial results are important in editors, which run the derive while an option is still
/// incomplete.
pub(crate) fn parse_items(tokens: TokenStream) -> (Vec<Item>, Option<syn::Error>) {
    let all = Punctuated::<Item, Token![,]>::parse_terminated.parse2(tokens.clone());
    match all {
        Ok(items) => (items.into_iter().collect(), None),
        Err(error) => {
            let pieces = pieces(tokens).into_iter();
            (pieces.flat_map(syn::parse2).collect(), Some(error))
        }
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Lit) {
            return literal_item(input);
        }
        let Ok(ident) = input.call(Ident::parse_any) else {
            return Err(input.error("expected an option: `name`, `name = value` or `name(..)`"));
        };
        let value = if input.peek(syn::token::Paren) {
            let content;
            syn::parenthesized!(content in input);
            Value::List(content.parse()?)
        } else if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Value::Is(until_comma(input)?)
        } else {
            Value::Absent
        };
        if !input.is_empty() && !input.peek(Token![,]) {
            let name = plain(&ident);
            let message = if input.peek(Token![.]) || input.peek(Token![::]) {
                format!(
                    "a path is the value of an option; write the name of the option and a `=` before `{name}`"
                )
            } else if input.peek(Token![:]) {
                format!("the value of an option follows a `=`; write `{name} = ..`")
            } else {
                format!("options are separated by commas; write a `,` after `{name}`")
            };
            return Err(input.error(message));
        }
        Ok(Self {
            name: plain(&ident),
            key: ident.into_token_stream(),
            value,
        })
    }
}

/// Parses an option that is a literal, such as `"2dsphere"`.
fn literal_item(input: ParseStream<'_>) -> syn::Result<Item> {
    let literal: Lit = input.parse()?;
    let name = match &literal {
        Lit::Str(text) => text.value(),
        other => other.to_token_stream().to_string(),
    };
    Ok(Item {
        name,
        key: literal.into_token_stream(),
        value: Value::Absent,
    })
}

fn until_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}
