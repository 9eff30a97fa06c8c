//! `#[refs(..)]`, `#[parent_ref(..)]`, `has_many(..)` and `has_one(..)`.

use proc_macro2::Ident;
use syn::{Attribute, parse::Parser};

use super::{
    item::{Item, Value, parse_items},
    options::{Options, single},
    path::{field, model_path, quoted_or_bare},
};
use crate::{
    error::Errors,
    hygiene::ident,
    ir::{Reference, ReferenceKind, Reverse},
};

/// Reads the reference of a field; a field is one or none.
pub(crate) fn reference(attrs: &[Attribute], errors: &mut Errors) -> Option<Reference> {
    let refs = single(attrs, "refs", errors).map(|attribute| refs(attribute, errors));
    let parent = single(attrs, "parent_ref", errors).map(|attribute| parent_ref(attribute, errors));
    if let (Some(_), Some(parent)) = (&refs, &parent) {
        let message = "a field is either `refs` or `parent_ref`; remove one of them";
        errors.at(&parent.attribute, message);
    }
    refs.or(parent)
}

fn refs(attribute: &Attribute, errors: &mut Errors) -> Reference {
    let mut options = Options::read(attribute, errors);
    let (one, many) = (options.word("one"), options.word("many"));
    let kind = match (&one, &many) {
        (Some(_), None) => ReferenceKind::One,
        (None, Some(_)) => ReferenceKind::Many,
        (Some(_), Some(many)) => {
            options.errors.at(
                many,
                "`refs` takes `one` or `many`, not both; remove one of them",
            );
            ReferenceKind::Many
        }
        (None, None) => {
            let remedy =
                "write `#[refs(one)]` for a single reference, `#[refs(many)]` for an array";
            options.missing(&["one", "many"], remedy);
            ReferenceKind::Many
        }
    };
    let reference = Reference {
        attribute: options.attribute().clone(),
        kind,
        polymorphic: options.word("polymorphic"),
        to: options.model_path("to", "\"Model.field\""),
        name: options.name("name", "\"relation\""),
        inverse: options.name("inverse", "\"field\""),
        max: options.number("max"),
        on_delete: options.on_delete(),
    };
    options.finish();
    reference
}

fn parent_ref(attribute: &Attribute, errors: &mut Errors) -> Reference {
    let mut options = Options::read(attribute, errors);
    let reference = Reference {
        attribute: options.attribute().clone(),
        kind: ReferenceKind::Parent,
        polymorphic: None,
        to: options.model_path("to", "\"Model.field\""),
        name: options.name("name", "\"relation\""),
        inverse: options.name("inverse", "\"field\""),
        max: None,
        on_delete: options.on_delete(),
    };
    options.finish();
    reference
}

/// Reads `has_many(messages = "LogMsg.host", .., key = "field")`, or `has_one(..)`.
pub(crate) fn reverse(item: Item, single: bool, errors: &mut Errors) -> Vec<Reverse> {
    let Value::List(list) = item.value else {
        let (attribute, name) = if single {
            ("has_one", "child")
        } else {
            ("has_many", "children")
        };
        let remedy = format!("write `{attribute}({name} = \"Child.parent\")`");
        errors.at(item.key, format!("`{attribute}` needs relations; {remedy}"));
        return Vec::new();
    };
    let items = parse_items(list).unwrap_or_else(|error| {
        errors.push(error);
        Vec::new()
    });
    let (mut keys, mut relations) = (Vec::new(), Vec::new());
    for item in items {
        match key(&item) {
            Some(key) => keys.push(key),
            None => relations.extend(one_reverse(item, single, errors)),
        }
    }
    for again in keys.iter().skip(1) {
        let remedy = "write another list for the relations of the second key";
        errors.at(again, format!("`key` is given twice; {remedy}"));
    }
    for relation in &mut relations {
        relation.key = keys.first().cloned();
    }
    relations
}

/// Reads `key = "field"`; a relation of this name has a path.
fn key(item: &Item) -> Option<Ident> {
    match &item.value {
        Value::Is(tokens) if item.name == "key" => {
            let parser = |input: syn::parse::ParseStream<'_>| quoted_or_bare(input, field);
            parser.parse2(tokens.clone()).ok()
        }
        _ => None,
    }
}

fn one_reverse(item: Item, single: bool, errors: &mut Errors) -> Option<Reverse> {
    let span = item.key.clone().into_iter().next()?.span();
    let Item { name, key, value } = item;
    let remedy =
        format!("`{name}` needs the reference that leads here; write `{name} = \"Child.parent\"`");
    let Value::Is(tokens) = value else {
        errors.at(key, remedy);
        return None;
    };
    let parser = |input: syn::parse::ParseStream<'_>| quoted_or_bare(input, model_path);
    match parser.parse2(tokens.clone()) {
        Ok(path) if !path.fields.is_empty() => Some(Reverse {
            name: ident(&name, span),
            path,
            single,
            key: None,
        }),
        _ => {
            errors.at(tokens, remedy);
            None
        }
    }
}
