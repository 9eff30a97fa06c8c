//! Finds attributes by their name, and reads the options in their parentheses.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{
    Attribute, LitInt, LitStr, Meta, Path, Token,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
};

use super::{
    elsewhere,
    item::{Item, Value, parse_items},
    path::{field, field_path, model_path, quoted_or_bare},
};
use crate::{
    did_you_mean::{did_you_mean, listing},
    error::Errors,
    hygiene::plain,
    ir::{FieldPath, ModelPath, Number, OnDelete, Rule},
};

/// The options of one attribute that have not been read yet.
///
/// Each method removes the options that have a certain name, and adds the name to the known names.
/// [`Options::finish`] reports the remaining options as unknown, and suggests known names.
pub(crate) struct Options<'e> {
    attribute: Ident,
    /// Whether the parser has rejected the list of options. The parser's error was already reported.
    is_broken: bool,
    items: Vec<Item>,
    known: Vec<&'static str>,
    missing: Vec<Missing>,
    /// Names of options that have an invalid value. The invalid values were already reported.
    refused: Vec<&'static str>,
    pub(crate) errors: &'e mut Errors,
}

/// A group of options, one of which is required.
struct Missing {
    names: Vec<&'static str>,
    remedy: &'static str,
}

impl<'e> Options<'e> {
    /// Reads the options of an attribute. If the list cannot be parsed, reports the error and keeps the options that
    /// can be parsed.
    pub(crate) fn read(attribute: &Attribute, errors: &'e mut Errors) -> Self {
        let name = attribute.path().get_ident().cloned();
        let name =
            name.unwrap_or_else(|| crate::hygiene::ident("attribute", attribute.pound_token.span));
        let (tokens, is_value) = match &attribute.meta {
            Meta::Path(_) => (TokenStream::new(), false),
            Meta::List(list) => (list.tokens.clone(), false),
            Meta::NameValue(pair) => {
                errors.at(
                    pair,
                    format!("the options of `{name}` are in parentheses; write `#[{name}(..)]`"),
                );
                (TokenStream::new(), true)
            }
        };
        let options = Self::of(name, tokens, errors);
        Self {
            is_broken: options.is_broken || is_value,
            ..options
        }
    }

    /// Reads options that are nested in another option, such as `index(..)`.
    pub(crate) fn of(attribute: Ident, tokens: TokenStream, errors: &'e mut Errors) -> Self {
        let (items, error) = parse_items(tokens);
        let is_broken = error.is_some();
        errors.extend(error);
        Self {
            attribute,
            is_broken,
            items,
            known: Vec::new(),
            missing: Vec::new(),
            refused: Vec::new(),
            errors,
        }
    }

    pub(crate) fn attribute(&self) -> &Ident {
        &self.attribute
    }

    /// Reports all unknown and missing options.
    pub(crate) fn finish(self) {
        let attribute = plain(&self.attribute);
        let is_unknown = !self.items.is_empty();
        for item in self.items {
            let remedy = elsewhere::remedy(&attribute, &item)
                .or_else(|| did_you_mean(&item.name, &self.known))
                .unwrap_or_else(|| format!("use {}", listing(&self.known, "or")));
            let message = format!("unknown option `{}` in `{attribute}`; {remedy}", item.name);
            self.errors.at(item.key, message);
        }
        // A required option is often missing only because its name is misspelt or its value is invalid. Reporting it
        // as missing would report the same mistake twice.
        if self.is_broken || is_unknown || !self.refused.is_empty() {
            return;
        }
        for Missing { names, remedy } in self.missing {
            let message = format!("`{attribute}` needs {}; {remedy}", listing(&names, "or"));
            self.errors.at(&self.attribute, message);
        }
    }

    /// Makes `finish` report that one of these options is required. `finish` does not report this if one of the options
    /// is present with an invalid value.
    pub(crate) fn missing(&mut self, names: &[&'static str], remedy: &'static str) {
        if !names.iter().any(|name| self.refused.contains(name)) {
            let names = names.to_vec();
            self.missing.push(Missing { names, remedy });
        }
    }

    /// Makes `finish` report that this option is required, if it has no value.
    pub(crate) fn require<T>(
        &mut self,
        name: &'static str,
        value: Option<&T>,
        remedy: &'static str,
    ) {
        if value.is_none() {
            self.missing(&[name], remedy);
        }
    }

    /// Returns whether the option is present but has an invalid value.
    pub(crate) fn is_refused(&self, name: &str) -> bool {
        self.refused.contains(&name)
    }

    /// Records that the value of an option is invalid. The caller must already have reported the error.
    pub(crate) fn refuse(&mut self, name: &'static str) {
        self.refused.push(name);
    }

    pub(crate) fn take(&mut self, name: &'static str) -> Option<Item> {
        self.take_all(name).into_iter().reduce(|first, again| {
            let message = format!("`{name}` is given twice; remove one of them");
            self.errors.at(again.key, message);
            first
        })
    }

    /// Removes all options that have this name.
    pub(crate) fn take_all(&mut self, name: &'static str) -> Vec<Item> {
        self.known.push(name);
        let items = std::mem::take(&mut self.items);
        let (taken, left) = items.into_iter().partition(|item| item.name == name);
        self.items = left;
        taken
    }

    /// Returns whether the value of the option starts with a minus sign.
    pub(crate) fn is_negative(&self, name: &str) -> bool {
        let mut items = self.items.iter().filter(|item| item.name == name);
        items.any(|item| match &item.value {
            Value::Is(value) => value.to_string().trim_start_matches('"').starts_with('-'),
            Value::Absent | Value::List(_) => false,
        })
    }

    /// Reads an option that does not have a value, and returns its tokens.
    pub(crate) fn word(&mut self, name: &'static str) -> Option<TokenStream> {
        let item = self.take(name)?;
        if !matches!(item.value, Value::Absent) {
            self.errors.at(
                &item.key,
                format!("`{name}` has no value; write only `{name}`"),
            );
            self.refused.push(name);
        }
        Some(item.key)
    }

    /// Reads an option that has a string as its value.
    pub(crate) fn text(&mut self, name: &'static str) -> Option<LitStr> {
        self.value(name, "a string", "\"..\"", <LitStr as Parse>::parse)
    }

    /// Reads an option that has a whole number as its value.
    pub(crate) fn number(&mut self, name: &'static str) -> Option<Number> {
        self.value(
            name,
            "a whole number from 0 to 4294967295",
            "100",
            |input| {
                let literal: LitInt = input.parse()?;
                Ok(Number {
                    value: literal.base10_parse()?,
                    written: literal.into_token_stream(),
                })
            },
        )
    }

    /// Reads an option that has the name of a field as its value. The name may be in quotes.
    pub(crate) fn name(&mut self, name: &'static str, example: &str) -> Option<Ident> {
        self.value(name, "the name of a field", example, |input| {
            quoted_or_bare(input, field)
        })
    }

    /// Reads an option that has a list of fields, such as `set(project, owner)`.
    pub(crate) fn names(&mut self, name: &'static str) -> Vec<Ident> {
        let Some(item) = self.take(name) else {
            return Vec::new();
        };
        let parse = Punctuated::<Ident, Token![,]>::parse_terminated_with;
        let names = match item.value {
            Value::List(list) => (|input: ParseStream<'_>| parse(input, field))
                .parse2(list)
                .ok(),
            Value::Absent | Value::Is(_) => None,
        };
        let names = names.filter(|names| !names.is_empty());
        if names.is_none() {
            let message = format!("`{name}` needs names of fields; write `{name}(project, owner)`");
            self.errors.at(item.key, message);
            self.refused.push(name);
        }
        names.into_iter().flatten().collect()
    }

    /// Reads `on_delete`. The delete rule may be in quotes.
    pub(crate) fn on_delete(&mut self) -> Option<Rule> {
        let word = self.value("on_delete", "a rule", "\"restrict\"", |input| {
            quoted_or_bare(input, rule)
        })?;
        let name = plain(&word);
        let rule = OnDelete::named(&name).map(|policy| Rule {
            policy,
            written: word.to_token_stream(),
        });
        if rule.is_none() {
            let known = OnDelete::ALL.map(|(name, _)| name);
            let remedy = elsewhere::rule(&name)
                .or_else(|| did_you_mean(&name, &known))
                .unwrap_or_else(|| format!("write {}", listing(&known, "or")));
            let message = format!("`on_delete` has no rule `{name}`; {remedy}");
            self.errors.at(word, message);
        }
        rule
    }

    /// Reads the option `on_delete = "archive"` of a model, and returns the tokens of its value.
    pub(crate) fn archive(&mut self) -> Option<Box<TokenStream>> {
        let word = self.value("on_delete", "a word", "\"archive\"", |input| {
            quoted_or_bare(input, rule)
        })?;
        let name = plain(&word);
        if name == "archive" {
            return Some(Box::new(word.to_token_stream()));
        }
        let remedy = if OnDelete::named(&name).is_some() {
            "write this rule at the references to the model, such as `#[refs(one, on_delete = \"cascade\")]`"
        } else {
            "write `on_delete = \"archive\"`"
        };
        let message = format!("`on_delete` of a model cannot be `{name}`; {remedy}");
        self.errors.at(word, message);
        None
    }

    /// Reads an option that has the path of a module, type or function as its value. The path may be in quotes.
    pub(crate) fn path(&mut self, name: &'static str, example: &str) -> Option<Path> {
        self.value(name, "a path", example, |input| {
            quoted_or_bare(input, Path::parse_mod_style)
        })
    }

    /// Reads an option that has a model or an embedded struct as its value, such as `Page<Line>`. The value may be in
    /// quotes.
    pub(crate) fn struct_path(&mut self, name: &'static str, example: &str) -> Option<Path> {
        self.value(name, "a path", example, |input| {
            quoted_or_bare(input, <Path as Parse>::parse)
        })
    }

    /// Reads an option that has the path of a field as its value, such as `owner` or `owner.id`. The path may be in
    /// quotes.
    pub(crate) fn field_path(&mut self, name: &'static str, example: &str) -> Option<FieldPath> {
        self.value(name, "a field", example, |input| {
            quoted_or_bare(input, field_path)
        })
    }

    /// Reads an option that has a model, or a model and a field, as its value. The value may be in quotes.
    pub(crate) fn model_path(&mut self, name: &'static str, example: &str) -> Option<ModelPath> {
        self.value(name, "a path", example, |input| {
            quoted_or_bare(input, model_path)
        })
    }

    fn value<T>(
        &mut self,
        name: &'static str,
        what: &str,
        example: &str,
        parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    ) -> Option<T> {
        let item = self.take(name)?;
        let remedy = format!("`{name}` needs {what}; write `{name} = {example}`");
        let Value::Is(tokens) = item.value else {
            self.errors.at(item.key, remedy);
            self.refused.push(name);
            return None;
        };
        let value = parse.parse2(tokens.clone()).ok();
        if value.is_none() {
            let place = if tokens.is_empty() { item.key } else { tokens };
            self.errors.at(place, remedy);
            self.refused.push(name);
        }
        value
    }
}

/// Returns the first attribute that has this name, and reports all further attributes of this name as duplicates.
pub(crate) fn single<'a>(
    attrs: &'a [Attribute],
    name: &str,
    errors: &mut Errors,
) -> Option<&'a Attribute> {
    let mut found = attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident(name));
    let first = found.next();
    for again in found {
        let remedy = match name {
            "index" => "declare the second index with `index(keys(..))` in `#[model(..)]`",
            "created_at" | "updated_at" | "created_by" | "updated_by" | "version"
            | "deleted_at" => "remove one of them",
            _ => "put all options into one of them",
        };
        errors.at(again, format!("`#[{name}]` is given twice; {remedy}"));
    }
    first
}

/// Parses the name of a delete rule. From a path such as `OnDelete::Cascade`, only the last segment is used.
fn rule(input: ParseStream<'_>) -> syn::Result<Ident> {
    let mut name = field(input)?;
    while input.peek(Token![::]) {
        input.parse::<Token![::]>()?;
        name = field(input)?;
        if !plain(&name).starts_with(char::is_uppercase) {
            return Err(syn::Error::new(name.span(), "no variant"));
        }
    }
    Ok(name)
}
