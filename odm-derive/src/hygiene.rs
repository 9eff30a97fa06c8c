//! Creates names and tokens that are safe to use in a user's module.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{GenericArgument, PathArguments, Type, ext::IdentExt, parse::Parser};

/// Returns a name without the prefix `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// Returns whether a field with this name probably contains the id of the document.
pub(crate) fn is_id_name(name: &str) -> bool {
    ["_id", "id"].contains(&name)
}

/// Returns a name for which the compiler does not suggest a correction. If the name comes from a string such as
/// `"Part.nme"`, applying the suggestion would replace the whole string.
pub(crate) fn unedited(name: &Ident) -> Ident {
    let mut name = name.clone();
    let written = name.span().source_text();
    if written.is_some_and(|written| written.starts_with('"')) {
        name.set_span(Span::call_site().located_at(name.span()));
    }
    name
}

/// Splits a token stream at its commas.
pub(crate) fn pieces(tokens: TokenStream) -> Vec<TokenStream> {
    let mut pieces = Vec::new();
    let mut piece = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Punct(comma) if comma.as_char() == ',' => {
                pieces.push(std::mem::take(&mut piece));
            }
            token => piece.extend([token]),
        }
    }
    pieces.push(piece);
    pieces
}

/// Returns the text of a path or a type without spaces between the tokens.
pub(crate) fn text(written: &impl ToTokens) -> String {
    let text = written.to_token_stream().to_string();
    text.replace(' ', "").replace(',', ", ")
}

/// Returns the text of a type without module paths: `Vec<Id<Part>>` for `std::vec::Vec<Id<crate::Part>>`.
pub(crate) fn short(ty: &Type) -> String {
    let mut text = String::new();
    shorten(ty.to_token_stream(), &mut text);
    text
}

fn shorten(tokens: TokenStream, text: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) => {
                let leads_on = |next: &TokenTree| matches!(next, TokenTree::Punct(mark) if mark.as_char() == ':');
                if tokens.next_if(leads_on).is_some() {
                    continue;
                }
                if text.ends_with(|last: char| last.is_alphanumeric() || last == '_') {
                    text.push(' ');
                }
                text.push_str(&plain(&ident));
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                shorten(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(mark) => match mark.as_char() {
                ':' => {}
                mark @ (',' | ';') => text.extend([mark, ' ']),
                mark => text.push(mark),
            },
            TokenTree::Literal(literal) => text.push_str(&literal.to_string()),
        }
    }
}

/// Returns the first type argument, or the element type of an array: `Part` for `Vec<Part>`.
pub(crate) fn inner_type(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Path(path) => match &path.path.segments.last()?.arguments {
            PathArguments::AngleBracketed(written) => {
                written.args.iter().find_map(|argument| match argument {
                    GenericArgument::Type(inner) => Some(inner),
                    _ => None,
                })
            }
            _ => None,
        },
        Type::Array(array) => Some(&array.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Group(group) => Some(&group.elem),
        Type::Paren(inner) => Some(&inner.elem),
        _ => None,
    }
}

/// Returns the id inside a type: `Id<Part>` for `Vec<Id<Part>>`.
pub(crate) fn written_id(ty: &Type) -> Option<&Type> {
    let inner = inner_type(ty)?;
    let is_id = matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Id"));
    if is_id { Some(ty) } else { written_id(inner) }
}

/// Returns the second type argument: `i32` for `Id<Part, i32>`.
pub(crate) fn second_type(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    let PathArguments::AngleBracketed(written) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let mut types = written.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    });
    types.nth(1)
}

/// Returns the identifier `load_parts` for `parts`, with the span of `parts`.
pub(crate) fn prefixed(prefix: &str, ident: &Ident) -> Ident {
    format_ident!("{prefix}_{}", ident.unraw(), span = ident.span())
}

/// Converts a name to snake case: `doc_type` for `docType`.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_uppercase() && at > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// Creates an identifier, or a raw identifier if the name is a keyword.
pub(crate) fn ident(name: &str, span: Span) -> Ident {
    // `syn` accepts `gen`, which is a keyword only since edition 2024.
    if name == "gen" {
        return Ident::new_raw(name, span);
    }
    syn::parse_str::<Ident>(name).map_or_else(
        |_| Ident::new_raw(name, span),
        |mut ident| {
            ident.set_span(span);
            ident
        },
    )
}

/// Returns the spans of the first and the last token. If a generated expression starts and ends with these spans, the
/// compiler marks everything between them.
pub(crate) fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut spans = tokens
        .to_token_stream()
        .into_iter()
        .map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}

/// Gives generated tokens the span of a token that the user wrote. Errors at such tokens do not mention the derive, and
/// the compiler shows identical errors only once.
///
/// Do not use this function for local variables, because the span would change their hygiene inside a `macro_rules`.
pub(crate) fn placed(tokens: &TokenStream, place: Span) -> TokenStream {
    respanned(tokens.clone(), &|_| place)
}

/// Returns a name to use instead of `self` in generated tokens that have the span of the user's tokens. If the user's
/// tokens are the arguments of a macro, `self` with their span would not be the receiver of the generated method.
pub(crate) fn receiver(place: Span) -> Ident {
    Ident::new("__odm_self", place)
}

/// Moves the user's tokens to the location `place`. The names in the tokens keep their meaning.
pub(crate) fn moved(tokens: &impl ToTokens, place: Span) -> TokenStream {
    respanned(tokens.to_token_stream(), &|from| place.resolved_at(from))
}

fn respanned(tokens: TokenStream, place: &dyn Fn(Span) -> Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let mut copy = Group::new(group.delimiter(), respanned(group.stream(), place));
                copy.set_span(place(group.span()));
                TokenTree::Group(copy)
            }
            mut token => {
                token.set_span(place(token.span()));
                token
            }
        })
        .collect()
}

/// Returns whether the tokens contain a name.
pub(crate) fn mentions(tokens: &impl ToTokens, name: &Ident) -> bool {
    let mut tokens = tokens.to_token_stream().into_iter();
    tokens.any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Replaces `Self` in a type by the name of the struct, so that the type can be used in other items.
pub(crate) fn without_self(ty: &Type, name: &TokenStream) -> Type {
    let tokens = named_self(ty.to_token_stream(), name);
    // The result can always be parsed, because a type remains a type if a name in it is replaced by another name.
    Parser::parse2(<Type as syn::parse::Parse>::parse, tokens).unwrap_or_else(|_| ty.clone())
}

fn named_self(tokens: TokenStream, name: &TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) if ident == "Self" => placed(name, ident.span()),
            TokenTree::Group(group) => {
                let mut copy = Group::new(group.delimiter(), named_self(group.stream(), name));
                copy.set_span(group.span());
                TokenTree::Group(copy).into()
            }
            token => token.into(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_shown_without_paths() {
        for (written, shown) in [
            (
                "::std::vec::Vec<mongo_odm::Id<crate::Part>>",
                "Vec<Id<Part>>",
            ),
            (
                "Option<HashMap<String, r#type>>",
                "Option<HashMap<String, type>>",
            ),
            ("[f64; 2]", "[f64; 2]"),
            ("(i32, &'static str)", "(i32, &'static str)"),
            ("Box<dyn Send>", "Box<dyn Send>"),
            ("Id<Größe, String>", "Id<Größe, String>"),
        ] {
            let ty = syn::parse_str::<Type>(written).unwrap();
            assert_eq!(short(&ty), shown);
        }
    }
}
