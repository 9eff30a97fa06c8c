//! Parses the paths of fields and models, which may be in quotes.

use proc_macro2::Ident;
use syn::{LitStr, Path, Token, ext::IdentExt, parse::ParseStream, punctuated::Punctuated};

use crate::{
    hygiene::{ident, plain},
    ir::{FieldPath, ModelPath},
};

/// Parses `Part.name` with or without quotes. If the path is in quotes, each of its tokens gets the
/// span of the string.
pub(crate) fn quoted_or_bare<T>(
    input: ParseStream<'_>,
    parse: fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    if input.peek(LitStr) {
        return input.parse::<LitStr>()?.parse_with(parse);
    }
    parse(input)
}

pub(crate) fn field(input: ParseStream<'_>) -> syn::Result<Ident> {
    let name = input.call(Ident::parse_any)?;
    Ok(ident(&plain(&name), name.span()))
}

/// Parses `owner` or `owner.id`.
pub(crate) fn field_path(input: ParseStream<'_>) -> syn::Result<FieldPath> {
    let fields = Punctuated::<Ident, Token![.]>::parse_separated_nonempty_with(input, field)?;
    Ok(FieldPath {
        fields: fields.into_iter().collect(),
    })
}

/// Parses `Account` or `Account.owner.id`.
pub(crate) fn model_path(input: ParseStream<'_>) -> syn::Result<ModelPath> {
    let is_path = [
        input.peek(syn::Ident),
        input.peek(Token![Self]),
        input.peek(Token![self]),
        input.peek(Token![super]),
        input.peek(Token![crate]),
        input.peek(Token![::]),
    ];
    // The name of a field may be a keyword such as `type`.
    if input.peek(Ident::peek_any) && !is_path.contains(&true) {
        let model = Path::from(field(input)?);
        return Ok(ModelPath {
            model,
            fields: Vec::new(),
        });
    }
    let model = input.call(Path::parse_mod_style)?;
    let mut fields = Vec::new();
    while input.peek(Token![.]) {
        input.parse::<Token![.]>()?;
        fields.push(field(input)?);
    }
    Ok(ModelPath { model, fields })
}
