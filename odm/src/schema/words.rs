//! What stands beside a field, the same in all forms.

use mongodb::bson::Bson;

use super::data::{DerivedKind, DerivedSchema, FieldSchema, ModelSchema, ReverseSchema};
use crate::{
    index::IndexSpec,
    model::shape::{LinksShape, OnDelete},
    mongosh,
};

/// Lists all fields of a model with how deep they are, in the order in which they are stored.
pub(super) fn rows(model: &ModelSchema) -> Vec<(usize, &FieldSchema)> {
    fn below<'s>(
        fields: &'s [FieldSchema],
        depth: usize,
        rows: &mut Vec<(usize, &'s FieldSchema)>,
    ) {
        for field in fields {
            rows.push((depth, field));
            below(&field.fields, depth + 1, rows);
        }
    }
    let mut rows = Vec::new();
    below(&model.fields, 0, &mut rows);
    rows
}

/// Says what tells the documents of a model from others of the collection, if anything does.
pub(super) fn kind(model: &ModelSchema) -> Option<String> {
    let kind = model.kind?;
    let or_missing = if kind.is_default { " or missing" } else { "" };
    Some(format!("{} = {}{or_missing}", kind.field, kind.value))
}

/// Says what is declared of a field apart from its type: `≤ 200`, `copy of name`.
pub(super) fn notes(field: &FieldSchema) -> String {
    let mut notes = Vec::new();
    notes.extend(field.max.map(|max| format!("≤ {max}")));
    notes.extend(field.recursive.then(|| "recursive".to_owned()));
    notes.extend(field.derived.as_ref().map(derived));
    notes.extend(field.links.as_ref().map(links));
    let mut rules = Vec::new();
    for reference in &field.references {
        rules.extend(reference.exists.then_some("exists"));
        rules.extend(on_delete(reference.on_delete));
    }
    let of_copy = field.derived.as_ref();
    rules.extend(of_copy.and_then(|derived| on_delete(derived.on_delete)));
    rules.dedup();
    notes.extend(rules.into_iter().map(ToOwned::to_owned));
    notes.join(", ")
}

/// Says what happens when a target is deleted, if anything does.
fn on_delete(rule: OnDelete) -> Option<&'static str> {
    match rule {
        OnDelete::Keep => None,
        OnDelete::Restrict => Some("delete: restrict"),
        OnDelete::Cascade => Some("delete: cascade"),
        OnDelete::Nullify => Some("delete: nullify"),
        OnDelete::Pull => Some("delete: pull"),
    }
}

/// Says how a field follows from others: `newest 1000 by time`.
pub(super) fn derived(derived: &DerivedSchema) -> String {
    let path = &derived.from.path;
    let mut text = match derived.kind {
        DerivedKind::Copy => format!("copy of {path}"),
        DerivedKind::Snapshot => format!("snapshot of {path}"),
        DerivedKind::Recent => {
            let limit = derived.limit.unwrap_or_default();
            format!("newest {limit} by {path}")
        }
        DerivedKind::Count => "count".to_owned(),
        DerivedKind::Sum => format!("sum of {path}"),
        DerivedKind::Average => format!("average of {path}"),
        DerivedKind::Min => format!("min of {path}"),
        DerivedKind::Max => format!("max of {path}"),
    };
    if let Some(filter) = &derived.filter {
        text.push_str(" where ");
        text.push_str(&mongosh::document(filter));
    }
    text
}

fn links(links: &LinksShape) -> String {
    let mut text = match (links.separator, links.kind) {
        (Some(separator), _) => format!("parent{separator}id"),
        (None, Some(kind)) => format!("links by {} and {kind}", links.target),
        (None, None) => "links by id".to_owned(),
    };
    if links.one_sided {
        text.push_str(", one-sided");
    }
    text
}

/// Says which relation other models store for this one: `messages: LogMsg.host`.
pub(super) fn reverse(relation: &ReverseSchema) -> String {
    let many = if relation.single { "0..1" } else { "n" };
    format!(
        "{}: {many} {}.{}",
        relation.name, relation.of.model, relation.of.path
    )
}

/// Says what an index is: `host, time ↓, unique`.
pub(super) fn index(index: &IndexSpec) -> String {
    let keys = index.keys.iter().map(|(path, kind)| match kind {
        Bson::String(kind) => format!("{path} ({kind})"),
        Bson::Int32(..=-1) => format!("{path} ↓"),
        _ => path.clone(),
    });
    let keys = keys.collect::<Vec<_>>().join(", ");
    let options = index.options.iter();
    let options = options.filter_map(|(name, value)| option(name, value));
    let parts: Vec<_> = [keys].into_iter().chain(options).collect();
    parts.join(" · ")
}

/// Says what an index is, and whether only a reference wants it: `implied index owner`.
pub(super) fn index_row(of: &IndexSpec) -> String {
    let implied = if of.is_implied() { "implied " } else { "" };
    format!("{implied}index {}", index(of))
}

fn option(name: &str, value: &Bson) -> Option<String> {
    match (name, value) {
        ("expireAfterSeconds", seconds) => {
            Some(format!("expires after {} s", mongosh::value(seconds)))
        }
        ("partialFilterExpression", Bson::Document(filter)) => {
            Some(format!("where {}", mongosh::document(filter)))
        }
        ("collation", Bson::Document(collation)) => {
            let locale = collation.get_str("locale").ok()?;
            (locale != "simple").then(|| format!("collation {locale}"))
        }
        (name, Bson::Boolean(true)) => Some(name.to_owned()),
        _ => None,
    }
}

/// Returns a character that can be seen where a name has one that cannot, or that turns the direction of its neighbours.
pub(super) fn visible(letter: char) -> char {
    let turns = matches!(
        letter,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}'..='\u{ffff}'
    );
    if turns || letter.is_control() {
        '\u{fffd}'
    } else {
        letter
    }
}
