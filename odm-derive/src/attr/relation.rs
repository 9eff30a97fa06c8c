//! Reads `#[refs(..)]`, `#[parent_ref(..)]`, `has_many(..)` and `has_one(..)`.

use proc_macro2::{Ident, TokenStream};
use syn::{
    Attribute, LitStr, Path,
    parse::{ParseStream, Parser},
};

use super::{
    index,
    item::{Item, Value, parse_items},
    options::{Options, single},
    path::{field, model_path, quoted_or_bare},
};
use crate::{
    error::Errors,
    hygiene::ident,
    ir::{Reference, ReferenceKind, Reverse, Scope},
};

/// Reads the reference that a field declares. A field can declare at most one.
pub(crate) fn reference(attrs: &[Attribute], errors: &mut Errors) -> Option<Reference> {
    let refs_attribute = single(attrs, "refs", errors);
    let parent_attribute = single(attrs, "parent_ref", errors);
    if let (Some(_), Some(parent)) = (refs_attribute, parent_attribute) {
        let message = "a field is either `refs` or `parent_ref`; remove one of them";
        errors.at(parent.path(), message);
    }
    let refs = refs_attribute.map(|attribute| refs(attribute, errors));
    let parent = parent_attribute.map(|attribute| parent_ref(attribute, errors));
    refs.or(parent).flatten()
}

/// Reads the attribute of a reference. Returns `None` if `to` cannot be parsed, because a reference without `to`
/// would cause misleading errors about the type.
fn refs(attribute: &Attribute, errors: &mut Errors) -> Option<Reference> {
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
    read_options(kind, options)
}

fn parent_ref(attribute: &Attribute, errors: &mut Errors) -> Option<Reference> {
    read_options(ReferenceKind::Parent, Options::read(attribute, errors))
}

/// Reads the options of a reference. Only `refs` has the options `polymorphic` and `max`.
fn read_options(kind: ReferenceKind, mut options: Options<'_>) -> Option<Reference> {
    let is_refs = !matches!(kind, ReferenceKind::Parent);
    let reference = Reference {
        attribute: options.attribute().clone(),
        kind,
        polymorphic: is_refs.then(|| options.word("polymorphic")).flatten(),
        to: options.model_path("to", "\"Model.field\""),
        name: options.name("name", "\"relation\""),
        inverse: options.name("inverse", "\"field\""),
        max: is_refs.then(|| options.number("max")).flatten(),
        on_delete: options.on_delete(),
        exists: options.word("exists"),
        scope: scope(&mut options),
    };
    let is_known = !options.is_refused("to");
    options.finish();
    is_known.then_some(reference)
}

fn scope(options: &mut Options<'_>) -> Scope {
    let sort = options.take("sort");
    Scope {
        sort: sort.map_or(Vec::new(), |item| index::sort(item, options.errors)),
        filter: options.path("filter", "\"function\""),
    }
}

/// Reads the relations in `has_many(messages = "LogMsg.host", .., sort(time = -1))`, or in `has_one(..)`.
pub(crate) fn reverse(item: Item, single: bool, errors: &mut Errors) -> Vec<Reverse> {
    let Value::List(list) = item.value else {
        errors.at(item.key, nothing(single));
        return Vec::new();
    };
    let (items, error) = parse_items(list);
    if items.is_empty() && error.is_none() {
        errors.at(&item.key, nothing(single));
    }
    errors.extend(error);
    let mut shared = Shared::default();
    let mut relations = Vec::new();
    let relation = items.iter().find(|item| !Shared::is_option(item));
    if let (None, Some(option)) = (relation, items.first()) {
        let remedy = "add `children = \"Child.parent\"`";
        let message = format!(
            "`{}` needs a relation in the same list; {remedy}",
            option.name
        );
        errors.at(&option.key, message);
    }
    for item in items {
        if let Err(item) = shared.take(item, errors) {
            relations.extend(one_reverse(item, single, errors));
        }
    }
    for relation in &mut relations {
        relation.key.clone_from(&shared.key);
        relation.scope.clone_from(&shared.scope);
    }
    relations
}

fn nothing(single: bool) -> String {
    let (attribute, name) = if single {
        ("has_one", "child")
    } else {
        ("has_many", "children")
    };
    format!("`{attribute}` needs relations; write `{attribute}({name} = \"Child.parent\")`")
}

/// The options in a `has_many(..)` or `has_one(..)` list, which apply to all relations in the list.
#[derive(Default)]
struct Shared {
    key: Option<Ident>,
    scope: Scope,
}

impl Shared {
    /// Returns whether an item in the list is an option and not a relation.
    fn is_option(item: &Item) -> bool {
        match (&*item.name, &item.value) {
            ("sort", Value::List(_)) => true,
            ("key" | "filter", Value::Is(tokens)) => {
                parsed(tokens, model_path).is_none_or(|path| path.fields.is_empty())
            }
            _ => false,
        }
    }

    /// Reads the item if it is an option: `sort(..)`, `key = "field"` or `filter = "function"`. Otherwise returns
    /// the item.
    ///
    /// A relation may also be named `key` or `filter`, but the path after such a name contains a dot.
    fn take(&mut self, item: Item, errors: &mut Errors) -> Result<(), Item> {
        let Scope { sort, filter } = &mut self.scope;
        let (name, place) = (item.name.clone(), item.key.clone());
        let is_first = match (&*name, &item.value) {
            ("sort", Value::List(_)) => {
                let keys = index::sort(item, errors);
                keep_first(sort.is_empty(), || *sort = keys)
            }
            ("key", Value::Is(tokens)) => match parsed(tokens, field) {
                Some(key) => keep_first(self.key.is_none(), || self.key = Some(key)),
                None => return Err(item),
            },
            ("filter", Value::Is(tokens)) => match parsed(tokens, Path::parse_mod_style) {
                Some(function) => keep_first(filter.is_none(), || *filter = Some(function)),
                None if Self::is_option(&item) => {
                    let remedy = "write `filter = \"function\"`";
                    errors.at(tokens, format!("`filter` needs a path; {remedy}"));
                    return Ok(());
                }
                None => return Err(item),
            },
            _ => return Err(item),
        };
        if !is_first {
            let remedy = "write another list for the relations of the second one";
            errors.at(place, format!("`{name}` is given twice; {remedy}"));
        }
        Ok(())
    }
}

fn keep_first(is_first: bool, keep: impl FnOnce()) -> bool {
    if is_first {
        keep();
    }
    is_first
}

fn parsed<T>(tokens: &TokenStream, parse: fn(ParseStream<'_>) -> syn::Result<T>) -> Option<T> {
    let parser = |input: ParseStream<'_>| quoted_or_bare(input, parse);
    parser.parse2(tokens.clone()).ok()
}

/// Options that belong on the reference itself, not on `has_many` or `has_one`.
const OF_THE_REFERENCE: [&str; 4] = ["on_delete", "inverse", "max", "to"];

/// The options that contain a list of relations. A list of relations cannot contain another list.
const LISTS: [&str; 2] = ["has_many", "has_one"];

fn one_reverse(item: Item, single: bool, errors: &mut Errors) -> Option<Reverse> {
    let span = item.key.clone().into_iter().next()?.span();
    let Item { name, key, value } = item;
    if let (true, Value::List(_)) = (LISTS.contains(&&*name), &value) {
        let message = format!(
            "`{name}(..)` cannot be inside another list; write the `)` of that list before `{name}`"
        );
        errors.at(key, message);
        return None;
    }
    let remedy = if OF_THE_REFERENCE.contains(&&*name) {
        format!(
            "`{name}` is an option of the reference that refers to this model; write `#[parent_ref({name} = ..)]` there"
        )
    } else {
        format!(
            "`{name}` needs the reference that refers to this model; write `{name} = \"Child.parent\"`"
        )
    };
    let Value::Is(tokens) = value else {
        let is_quoted = syn::parse2::<LitStr>(key.clone()).is_ok();
        let nameless =
            format!("a relation has a name before its path; write `children = \"{name}\"`");
        errors.at(key, if is_quoted { nameless } else { remedy });
        return None;
    };
    match parsed(&tokens, model_path) {
        Some(path) if !path.fields.is_empty() => Some(Reverse {
            name: ident(&name, span),
            path,
            single,
            key: None,
            scope: Scope::default(),
        }),
        _ => {
            errors.at(tokens, remedy);
            None
        }
    }
}
