//! Parses structs and enums that are only partly written.
//!
//! An editor runs the derive at every keystroke. If a field does not have a type yet, or an attribute lacks its closing
//! bracket, all other fields must keep their handles and methods.
//!
//! 1. `syn` parses the whole item.
//! 2. If that fails, this module parses each attribute, field and variant separately.
//! 3. The module leaves out the parts that fail, and reports the parser's error for each of them.
//!
//! # Limits
//!
//! - An item cannot be parsed before it has a name and braces.
//! - The compiler does not run the derive if it cannot parse the item itself.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, DeriveInput, Field, Variant,
    parse::{Parse, ParseStream, Parser},
};

use crate::{error::Errors, hygiene::pieces};

/// Parses the complete parts of an item. Returns `None` if the item is neither a struct nor an enum.
pub(crate) fn input(tokens: TokenStream, errors: &mut Errors) -> Option<DeriveInput> {
    let error = match syn::parse2(tokens.clone()) {
        Ok(input) => return Some(input),
        Err(error) => error,
    };
    let mut left_out = Vec::new();
    let readable = readable_item(tokens, &mut left_out);
    let input = syn::parse2(readable).ok();
    if input.is_none() || left_out.is_empty() {
        left_out = vec![error];
    }
    errors.extend(left_out);
    input
}

/// Removes the parts of the item that cannot be parsed.
fn readable_item(tokens: TokenStream, left_out: &mut Vec<syn::Error>) -> TokenStream {
    let tokens = readable_attributes(tokens, left_out);
    let is_enum = tokens.clone().into_iter().any(is_word("enum"));
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
            let inner = if is_enum {
                readable_parts(body.stream(), <Variant as Parse>::parse, left_out)
            } else {
                readable_parts(body.stream(), Field::parse_named, left_out)
            };
            let mut readable = Group::new(Delimiter::Brace, inner);
            readable.set_span(body.span());
            readable.into()
        }
        token => token,
    });
    tokens.collect()
}

fn is_word(word: &'static str) -> impl Fn(TokenTree) -> bool {
    move |token| matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// Removes the leading attributes that cannot be parsed.
fn readable_attributes(tokens: TokenStream, left_out: &mut Vec<syn::Error>) -> TokenStream {
    let mut readable = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(TokenTree::Punct(pound)) = tokens.peek()
        && pound.as_char() == '#'
    {
        let attribute: TokenStream = tokens.by_ref().take(2).collect();
        match Attribute::parse_outer.parse2(attribute.clone()) {
            Ok(_) => attribute.to_tokens(&mut readable),
            Err(error) => left_out.push(error),
        }
    }
    readable.extend(tokens);
    readable
}

/// Returns the fields or variants that can be parsed, each followed by a comma.
fn readable_parts<T: ToTokens>(
    tokens: TokenStream,
    parse: fn(ParseStream<'_>) -> syn::Result<T>,
    left_out: &mut Vec<syn::Error>,
) -> TokenStream {
    let mut readable = TokenStream::new();
    let mut pieces = pieces(tokens);
    while !pieces.is_empty() {
        // `pieces` also splits at commas between `<` and `>`. `shortest` joins the resulting pieces again.
        let first = readable_attributes(pieces.remove(0), left_out);
        if first.is_empty() {
            continue;
        }
        let (part, taken, rest) = match shortest(&first, &pieces, parse) {
            Ok(found) => found,
            Err(error) => {
                left_out.push(error);
                // A comma may be missing between an incomplete field and the next one.
                match after_something(first, &pieces, parse) {
                    Some(found) => found,
                    None => continue,
                }
            }
        };
        readable.extend(quote!(#part,));
        pieces.drain(..taken);
        if !rest.is_empty() {
            left_out.push(syn::Error::new_spanned(&rest, "expected `,`"));
            pieces.insert(0, rest);
        }
    }
    readable
}

/// Skips the first tokens of a piece until the remaining tokens start with a field or variant, and parses this field or
/// variant.
fn after_something<T>(
    piece: TokenStream,
    more: &[TokenStream],
    parse: fn(ParseStream<'_>) -> syn::Result<T>,
) -> Option<(T, usize, TokenStream)> {
    let mut tokens = piece.into_iter();
    while tokens.next().is_some() {
        if let Ok(found) = shortest(&tokens.clone().collect(), more, parse) {
            return Some(found);
        }
    }
    None
}

/// Parses a field or variant from the smallest possible number of comma-separated pieces. Several pieces can be
/// necessary, because a type such as `HashMap<String, i32>` contains commas. Returns the field or variant, the number
/// of additional pieces that it contains, and the remaining tokens.
fn shortest<T>(
    first: &TokenStream,
    more: &[TokenStream],
    parse: fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<(T, usize, TokenStream)> {
    let with_rest = |input: ParseStream<'_>| Ok((parse(input)?, input.parse::<TokenStream>()?));
    let mut tokens = first.clone();
    let error = match with_rest.parse2(tokens.clone()) {
        Ok((part, rest)) => return Ok((part, 0, rest)),
        Err(error) => error,
    };
    for (at, piece) in more.iter().enumerate() {
        tokens = quote!(#tokens, #piece);
        if let Ok((part, rest)) = with_rest.parse2(tokens.clone()) {
            return Ok((part, at + 1, rest));
        }
    }
    Err(error)
}
