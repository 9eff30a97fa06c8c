//! Reads `#[links]`, which declares the links array of the Single Collection Pattern.

use proc_macro2::Ident;
use syn::Attribute;

use super::options::{Options, single};
use crate::{
    did_you_mean::{did_you_mean, listing},
    error::Errors,
    hygiene::plain,
    ir::{Links, LinksForm},
};

pub(crate) fn links(attrs: &[Attribute], errors: &mut Errors) -> Option<Links> {
    let attribute = single(attrs, "links", errors)?;
    let mut options = Options::read(attribute, errors);
    let links = Links {
        attribute: options.attribute().clone(),
        form: form(&mut options),
        target: options.name("target", "\"target\""),
        kind: options.name("kind", "\"doc_type\""),
        max: options.number("max"),
        separator: options.text("separator"),
        one_sided: options.word("one_sided"),
    };
    options.finish();
    Some(links)
}

fn form(options: &mut Options<'_>) -> LinksForm {
    let Some(word) = options.name("form", "\"ids\"") else {
        return LinksForm::Structs;
    };
    let name = plain(&word);
    let known = LinksForm::NAMED.iter().find(|(known, _)| *known == name);
    if known.is_none() {
        unknown(&word, options.errors);
    }
    // If the form is unknown, the derive continues with the form `ids`, which accepts any element type.
    known.map_or(LinksForm::Ids, |(_, form)| *form)
}

fn unknown(word: &Ident, errors: &mut Errors) {
    let known = LinksForm::NAMED.map(|(name, _)| name);
    let name = plain(word);
    let remedy =
        did_you_mean(&name, &known).unwrap_or_else(|| format!("write {}", listing(&known, "or")));
    errors.at(word, format!("`links` has no form `{name}`; {remedy}"));
}
