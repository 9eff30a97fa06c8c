//! Computes all derived data from scratch: copies, summaries, recent lists and two-way arrays.

use std::cmp::Ordering;

use mongo_odm::bson::{Bson, Document, doc};

use crate::{
    declaration::{By, Child, CopyOf, Declaration, Field, Fold, Recent, Scalar, Via, What},
    naive::life::is_deleted,
    world::{World, each_struct, key, keys},
};

/// Updates all derived fields.
pub fn derive(all: &Declaration, world: &mut World) {
    // A copy can depend on a copy of a summary, and so on. No chain has more steps than there are models, plus one.
    for _ in 0..=all.models.len() {
        let before = world.clone();
        for ((model, id), document) in &mut world.0 {
            let fields = &all.model(*model).fields;
            each_struct(fields, document, &mut |fields, part| {
                for field in fields {
                    one(all, &before, *id, field, part);
                }
            });
        }
        if before == *world {
            break;
        }
    }
}

/// Computes one derived field of a struct.
fn one(all: &Declaration, world: &World, id: i64, field: &Field, part: &mut Document) {
    let value = match &field.what {
        What::Copy(copy) if !copy.snapshot => match copied(all, world, id, copy, part) {
            Source::Is(value) => value,
            Source::Gone => return,
        },
        What::Fold(it) => Some(fold(all, world, id, it)),
        What::Recent(it) => Some(recent(all, world, id, it)),
        What::Follows(child, _) => Some(follows(all, world, id, child, &keys(field, part))),
        _ => return,
    };
    match value {
        Some(value) => _ = part.insert(&field.stored, value),
        None => _ = part.remove(&field.stored),
    }
}

/// The source of a copy.
enum Source {
    /// A document in which the source field has this value.
    Is(Option<Bson>),
    /// The document does not exist: the copy stays unchanged.
    Gone,
}

/// Returns the correct value of a copy.
fn copied(all: &Declaration, world: &World, id: i64, copy: &CopyOf, part: &Document) -> Source {
    let model = all.model(copy.model);
    let field = model.field(&copy.field);
    let value = |source: &Document| Source::Is(source.get(&field.stored).cloned());
    match &copy.via {
        Via::Beside(_) => match source_key(all, copy, part) {
            Some(key) => world.get(copy.model, key).map_or(Source::Gone, value),
            None => Source::Is(Some(Bson::Null)),
        },
        Via::Source(via) => {
            let via = model.field(via);
            let mut sources = world.of(copy.model);
            let source = sources.find(|(_, it)| keys(via, it).contains(&id));
            source.map_or(Source::Is(Some(Bson::Null)), |(_, it)| value(it))
        }
    }
}

/// Returns the key of a copy's source if the reference is in the same struct as the copy.
pub fn source_key(all: &Declaration, copy: &CopyOf, part: &Document) -> Option<i64> {
    let Via::Beside(via) = &copy.via else {
        return None;
    };
    let stored = all
        .models
        .iter()
        .find_map(|model| stored_name(&model.fields, via));
    key(part.get(stored?))
}

/// Returns the stored name of a field at any depth. Field names are unique in a declaration.
fn stored_name<'f>(fields: &'f [Field], name: &str) -> Option<&'f str> {
    fields.iter().find_map(|field| match &field.what {
        _ if field.name == name => Some(field.stored.as_str()),
        What::Embed(embed) => stored_name(&embed.fields, name),
        _ => None,
    })
}

/// Lists the children of a document that are not deleted.
fn live_children<'w>(
    all: &Declaration,
    world: &'w World,
    id: i64,
    child: &Child,
) -> Vec<(i64, &'w Document)> {
    let mut children = children(all, world, id, child);
    children.retain(|(_, it)| !is_deleted(all.model(child.model), it));
    children
}

/// Lists the children of a document.
fn children<'w>(
    all: &Declaration,
    world: &'w World,
    id: i64,
    child: &Child,
) -> Vec<(i64, &'w Document)> {
    let via = all.model(child.model).field(&child.via);
    world
        .of(child.model)
        .filter(|(_, it)| keys(via, it).contains(&id))
        .collect()
}

#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn fold(all: &Declaration, world: &World, id: i64, fold: &Fold) -> Bson {
    let children = live_children(all, world, id, &fold.of);
    let Some(name) = &fold.field else {
        return long(children.len());
    };
    let field = all.model(fold.of.model).field(name);
    let values = children.iter().filter_map(|(_, it)| it.get(&field.stored));
    let values: Vec<&Bson> = values.filter(|it| **it != Bson::Null).collect();
    let doubles = || values.iter().filter_map(|it| number(it)).sum::<f64>();
    match fold.by {
        By::Count => long(children.len()),
        By::Sum if all.scalar(field) == Some(Scalar::Double) => doubles().into(),
        By::Sum => Bson::Int64(
            values
                .iter()
                .filter_map(|it| whole(it))
                .fold(0, i64::wrapping_add),
        ),
        By::Average => doc! { "sum": doubles(), "count": long(values.len()) }.into(),
        By::Min => values
            .into_iter()
            .min_by(|a, b| order(a, b))
            .cloned()
            .unwrap_or(Bson::Null),
        By::Max => values
            .into_iter()
            .max_by(|a, b| order(a, b))
            .cloned()
            .unwrap_or(Bson::Null),
    }
}

fn long(count: usize) -> Bson {
    Bson::Int64(i64::try_from(count).unwrap_or(i64::MAX))
}

const fn whole(value: &Bson) -> Option<i64> {
    match value {
        Bson::Int64(value) => Some(*value),
        Bson::Int32(value) => Some(*value as i64),
        _ => None,
    }
}

#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn number(value: &Bson) -> Option<f64> {
    value
        .as_f64()
        .or_else(|| whole(value).map(|whole| whole as f64))
}

/// Compares values of the same type. A null or missing value is smaller than any other value.
pub(crate) fn order(one: &Bson, other: &Bson) -> Ordering {
    let rank = |value: &Bson| u8::from(*value != Bson::Null);
    match (one, other) {
        (Bson::String(a), Bson::String(b)) => a.cmp(b),
        (Bson::Boolean(a), Bson::Boolean(b)) => a.cmp(b),
        _ => match (number(one), number(other)) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            _ => rank(one).cmp(&rank(other)),
        },
    }
}

fn recent(all: &Declaration, world: &World, id: i64, recent: &Recent) -> Bson {
    let model = all.model(recent.of.model);
    let sort = &model.field(&recent.sort).stored;
    let value = |it: &Document| it.get(sort).cloned().unwrap_or(Bson::Null);
    let mut children = live_children(all, world, id, &recent.of);
    // The sort is stable, so the `_id` decides between equal values.
    children.sort_by(|(_, a), (_, b)| order(&value(a), &value(b)));
    let last = children.len().saturating_sub(recent.limit);
    let mut elements: Vec<Bson> = children[last..]
        .iter()
        .map(|(_, child)| {
            let names = recent.fields.iter().map(|name| &model.field(name).stored);
            let mut element = Document::new();
            if recent.has_id {
                element.insert("_id", child.get("_id"));
            }
            element.extend(names.filter_map(|name| Some((name.clone(), child.get(name)?.clone()))));
            element.into()
        })
        .collect();
    if recent.desc {
        elements.reverse();
    }
    elements.into()
}

/// Returns the keys of the children in the order of the array; children that are new in the array are at the end.
fn follows(all: &Declaration, world: &World, id: i64, child: &Child, stored: &[i64]) -> Bson {
    let children: Vec<i64> = children(all, world, id, child)
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    let mut ids: Vec<i64> = Vec::new();
    for id in stored.iter().chain(&children) {
        if children.contains(id) && !ids.contains(id) {
            ids.push(*id);
        }
    }
    ids.into_iter().map(Bson::Int64).collect::<Vec<_>>().into()
}
