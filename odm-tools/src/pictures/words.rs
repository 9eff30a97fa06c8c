//! The labels of fields and indexes, which are the same in all diagram formats.

use mongo_odm::{
    __tools::{mongosh_document, mongosh_value},
    CollectionSchema, DerivedKind, DerivedSchema, FieldSchema, IndexOrigin, IndexSpec, ModelSchema,
    ReverseSchema,
    shape::{LinksShape, OnDelete, RollupKind},
};
use mongodb::bson::Bson;

/// Lists all fields of a model with their depth, in stored order.
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

/// Returns the condition that distinguishes the documents of a model from other documents in the collection. Returns
/// `None` for a model without a kind.
pub(super) fn kind(model: &ModelSchema) -> Option<String> {
    let kind = model.kind?;
    let or_missing = if kind.is_default { " or missing" } else { "" };
    Some(format!("{} = {}{or_missing}", kind.field, kind.value))
}

/// Returns a short label for a field's declarations other than its type: `≤ 200`, `copy of name`.
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

/// Returns the delete rule as text; `None` for `keep`.
fn on_delete(rule: OnDelete) -> Option<&'static str> {
    match rule {
        OnDelete::Restrict => Some("delete: restrict"),
        OnDelete::Cascade => Some("delete: cascade"),
        OnDelete::Nullify => Some("delete: nullify"),
        OnDelete::Pull => Some("delete: pull"),
        _ => None,
    }
}

/// Returns a label that describes how a field is derived: `newest 1000 by time`.
pub(super) fn derived(derived: &DerivedSchema) -> String {
    let path = &derived.from.path;
    let mut text = match derived.kind {
        DerivedKind::Copy => format!("copy of {path}"),
        DerivedKind::Snapshot => format!("snapshot of {path}"),
        DerivedKind::Recent => {
            let limit = derived.limit.unwrap_or_default();
            format!("newest {limit} by {path}")
        }
        DerivedKind::Rollup(RollupKind::Count) => "count".to_owned(),
        DerivedKind::Rollup(kind) => format!("{} of {path}", kind.word()),
        _ => format!("derived from {path}"),
    };
    if let Some(filter) = &derived.filter {
        text.push_str(" where ");
        text.push_str(&mongosh_document(filter));
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

/// Returns a label for a relation from other models to this one: `messages: n LogMsg.host`.
pub(super) fn reverse(relation: &ReverseSchema) -> String {
    let many = if relation.single { "0..1" } else { "n" };
    format!(
        "{}: {many} {}.{}",
        relation.name, relation.of.model, relation.of.path
    )
}

/// Lists the indexes of a model, with the declared indexes first. If an index belongs to no model, for example because
/// an embedded struct declares it, it is listed under the first model of the collection.
pub(super) fn indexes_at<'s>(
    collection: &'s CollectionSchema,
    model: &ModelSchema,
) -> Vec<&'s IndexSpec> {
    let owner = |index: &IndexSpec| {
        let mut models = collection.models.iter();
        let owner = models.position(|model| is_of(index, &model.name));
        collection.models.get(owner.unwrap_or_default())
    };
    let all = collection.indexes.iter();
    let own = all.filter(|index| owner(index).is_some_and(|owner| std::ptr::eq(owner, model)));
    let (mut declared, implied): (Vec<_>, Vec<_>) = own.partition(|index| !index.is_implied());
    declared.extend(implied);
    declared
}

/// Whether a model or one of its fields declares or implies an index.
fn is_of(index: &IndexSpec, model: &str) -> bool {
    match &index.origin {
        IndexOrigin::Declared(by) | IndexOrigin::Implied(by) => by.split('.').next() == Some(model),
        _ => false,
    }
}

/// Returns the keys and options of an index as text: `host, time ↓ · unique`.
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

/// Returns an index as text. If the index exists only because a reference requires it, the text begins with `implied`:
/// `implied index owner`.
pub(super) fn index_row(of: &IndexSpec) -> String {
    let implied = if of.is_implied() { "implied " } else { "" };
    format!("{implied}index {}", index(of))
}

fn option(name: &str, value: &Bson) -> Option<String> {
    match (name, value) {
        ("expireAfterSeconds", seconds) => {
            Some(format!("expires after {} s", mongosh_value(seconds)))
        }
        ("partialFilterExpression", Bson::Document(filter)) => {
            Some(format!("where {}", mongosh_document(filter)))
        }
        ("collation", Bson::Document(collation)) => {
            let locale = collation.get_str("locale").ok()?;
            (locale != "simple").then(|| format!("collation {locale}"))
        }
        (name, Bson::Boolean(true)) => Some(name.to_owned()),
        _ => None,
    }
}

/// Returns a visible replacement for a character that is invisible or changes the direction of text.
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
