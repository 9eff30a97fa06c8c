//! Suggests an index for a filter, in the form in which your code would declare it.

use mongodb::bson::{Bson, Document};

use crate::{
    client::command::Search,
    model::{
        registry::models,
        shape::{FieldShape, IndexKind, IndexShape, ModelShape, walk},
    },
    value::path::{equality_in, without_positions},
};

/// How a condition uses an index: to look up single values, or to scan ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bound {
    Equal,
    Range,
    /// The condition hardly restricts the scan of the index, for instance `$ne`.
    Loose,
}

/// Returns the text of the remedy: the attribute to write, or the call to make.
pub(super) fn remedy(search: &Search<'_>, relation: Option<&str>) -> String {
    let model = search.model;
    if let Some(relation) = relation {
        return format!("call `sync_indexes`, which creates the index for `{relation}`");
    }
    let scoped = search.scoped_filter();
    let mut bounds = Vec::new();
    conditions("", &search.filter, &mut bounds);
    if let Some((path, _)) = bounds
        .iter()
        .find(|(path, _)| has_index(model, path, &scoped))
    {
        return format!(
            "call `sync_indexes`: the model declares an index that starts with `{path}`, and the database does not have it"
        );
    }
    let tenant = model.tenant();
    if let Some(tenant) = tenant.filter(|tenant| equality_in(&scoped, tenant).is_none()) {
        return format!(
            "compare `{tenant}` by `eq`, or call `odm.for_tenant(..)`, because declared indexes begin with the tenant"
        );
    }
    if unindexable(&search.filter).next().is_some() && bounds.is_empty() {
        return "compare fields with values instead, with an index on one of them".to_owned();
    }
    if !is_model(model) {
        return remedy_for_all_kinds(model, bounds.first().map(|(path, _)| path.as_str()));
    }
    if bounds.is_empty() {
        return remedy_for_alternatives(model, &search.filter, &scoped);
    }
    let keys = keys(bounds, search.sort);
    // The field can already have an index that does not support the filter, for example a partial index.
    let is_again = matches!(&keys[..], [(path, _)] if is_indexed(model, path));
    let reason = match &keys[..] {
        [(path, _)] if lacks_deleted(model, path, &scoped) => {
            ", because the unique index on this field contains only documents that are not deleted"
        }
        _ => "",
    };
    let named: Vec<_> = keys
        .iter()
        .map(|(path, order)| (rust_path(model.fields, path), order))
        .collect();
    match &named[..] {
        [(path, 1)] if !is_again => format!(
            "write `#[index]` at `{}.{path}`, and call `sync_indexes`",
            model.name
        ),
        named => {
            let keys = named
                .iter()
                .map(|(path, order)| format!("{path} = {order}"));
            let keys = keys.collect::<Vec<_>>().join(", ");
            let name = if is_again { ", name = \"..\"" } else { "" };
            format!(
                "write `index(keys({keys}){name})` in `#[model(..)]` of `{}`, and call `sync_indexes`{reason}",
                model.name
            )
        }
    }
}

/// Whether the shape is a model and not an enum of several kinds.
fn is_model(shape: &ModelShape) -> bool {
    let models = models().into_iter();
    let mut names = models.map(|model| (model.name, model.collection));
    names.any(|known| known == (shape.name, shape.collection))
}

/// Returns the remedy for a filter that consists of alternatives (`$or`): one index for each alternative.
fn remedy_for_alternatives(
    model: &'static ModelShape,
    filter: &Document,
    scoped: &Document,
) -> String {
    let mut bounds = Vec::new();
    let clauses = filter.values().filter_map(Bson::as_array).flatten();
    for clause in clauses.filter_map(Bson::as_document) {
        conditions("", clause, &mut bounds);
    }
    let mut fields: Vec<_> = bounds
        .iter()
        .filter(|(path, _)| !has_index(model, path, scoped))
        .map(|(path, _)| format!("`{}.{}`", model.name, rust_path(model.fields, path)))
        .collect();
    fields.sort();
    fields.dedup();
    match &fields[..] {
        [] => "call `sync_indexes`: the model declares an index for each alternative".to_owned(),
        [field] => format!("write `#[index]` at {field}, and call `sync_indexes`"),
        fields => {
            let fields = fields.join(", ");
            format!("write `#[index]` at each of {fields}, and call `sync_indexes`")
        }
    }
}

/// Returns the remedy for a filter over documents of all kinds. The remedy is an index over all kinds, because an index
/// that belongs to one kind contains only documents of that kind.
fn remedy_for_all_kinds(of: &'static ModelShape, path: Option<&str>) -> String {
    let path = path.unwrap_or_default();
    let has_it = |model: &&'static ModelShape| {
        model.collection == of.collection && known_rust_path(model.fields, path).is_some()
    };
    match models().into_iter().find(has_it) {
        Some(model) => format!(
            "write `#[index(all_kinds)]` at `{}.{}`, and call `sync_indexes`",
            model.name,
            rust_path(model.fields, path)
        ),
        None => format!("create an index on `{path}` of `{}`", of.collection),
    }
}

/// Lists the conditions that do not refer to a field. The library cannot suggest an index for such conditions.
pub(super) fn unindexable(filter: &Document) -> impl Iterator<Item = &str> {
    let names = filter.keys().map(String::as_str);
    names.filter(|name| ["$expr", "$where", "$jsonSchema"].contains(name))
}

/// Collects the conditions on fields, including those inside `$and`.
fn conditions(above: &str, filter: &Document, found: &mut Vec<(String, Bound)>) {
    for (name, condition) in filter {
        match (name.as_str(), condition) {
            ("$and", Bson::Array(all)) => {
                let all = all.iter().filter_map(Bson::as_document);
                all.for_each(|all| conditions(above, all, found));
            }
            (operator, _) if operator.starts_with('$') => {}
            (path, condition) => {
                let path = crate::value::path::join(above, &without_positions(path));
                let element = condition.as_document();
                match element.map(|it| it.get_document("$elemMatch")) {
                    Some(Ok(element)) => conditions(&path, element, found),
                    _ => found.push((path, bound(condition))),
                }
            }
        }
    }
}

fn bound(condition: &Bson) -> Bound {
    let operators = match condition {
        Bson::Document(condition) if condition.keys().any(|it| it.starts_with('$')) => condition,
        Bson::RegularExpression(_) => return Bound::Range,
        _ => return Bound::Equal,
    };
    let of = |operator: &String| match operator.as_str() {
        "$eq" | "$in" | "$all" => Bound::Equal,
        "$gt" | "$gte" | "$lt" | "$lte" | "$regex" => Bound::Range,
        _ => Bound::Loose,
    };
    operators.keys().map(of).min().unwrap_or(Bound::Loose)
}

/// Returns the keys of an index: first the fields that are compared for equality, then the fields of the sort, then the
/// ranges. With this order, the server neither sorts in memory nor scans other keys.
fn keys(mut bounds: Vec<(String, Bound)>, sort: Option<&Document>) -> Vec<(String, i32)> {
    bounds.sort_by_key(|(_, bound)| *bound);
    if bounds.iter().any(|(_, bound)| *bound != Bound::Loose) {
        bounds.retain(|(_, bound)| *bound != Bound::Loose);
    }
    let (equal, ranges): (Vec<_>, Vec<_>) = bounds
        .into_iter()
        .partition(|(_, bound)| *bound == Bound::Equal);
    let plain = |(path, _): (String, Bound)| (path, 1);
    let sorted = sort.into_iter().flatten().map(|(path, order)| {
        let is_down = matches!(order, Bson::Int32(..0) | Bson::Int64(..0));
        (path.clone(), if is_down { -1 } else { 1 })
    });
    let all = equal.into_iter().map(plain).chain(sorted);
    let mut keys: Vec<(String, i32)> = Vec::new();
    for key in all.chain(ranges.into_iter().map(plain)) {
        if keys.iter().all(|(path, _)| *path != key.0) {
            keys.push(key);
        }
    }
    keys
}

/// Whether the model declares an index that starts with this path and supports the filter, or a reference implies such
/// an index.
fn has_index(model: &'static ModelShape, path: &str, scoped: &Document) -> bool {
    let supports = |index: &IndexShape| supports(index, model, scoped);
    let declared = model.indexes.iter().filter(|index| supports(index));
    let begins = |index: &IndexShape| index.keys.first().is_some_and(|key| (key.path)() == path);
    let mut fields = walk(model.fields)
        .into_iter()
        .filter(|field| field.path == path);
    declared.into_iter().any(begins)
        || model.links().is_some_and(|links| links.path() == path)
        || fields.any(|field| {
            field.shape.reference.is_some() || field.shape.index.as_ref().is_some_and(supports)
        })
}

/// Whether the server can use a declared index for a filter on its first key. A unique index contains only live
/// documents. The library adds the tenant in front of the keys, except in an index that expires documents.
fn supports(index: &IndexShape, model: &ModelShape, scoped: &Document) -> bool {
    let of_keys = index.keys.iter().map(|key| key.kind);
    let of_field = index.keys.is_empty().then_some(index.kind);
    let only_searches = of_keys.chain(of_field).any(|kind| {
        matches!(
            kind,
            IndexKind::Text | IndexKind::TwoD | IndexKind::TwoDSphere
        )
    });
    let deleted_at = model.deleted_at().filter(|_| index.unique);
    let is_of_live = |field: &str| equality_in(scoped, field) == Some(&Bson::Null);
    let has_key = |path: &str| index.keys.iter().any(|key| (key.path)() == path);
    let tenant = model.tenant();
    let tenant = tenant.filter(|path| index.expire_after_secs.is_none() && !has_key(path));
    index.partial.is_none()
        && index.locale.is_none()
        && !only_searches
        && deleted_at.is_none_or(is_of_live)
        && tenant.is_none_or(|tenant| equality_in(scoped, tenant).is_some())
}

/// Whether a field declares an index.
fn is_indexed(model: &'static ModelShape, path: &str) -> bool {
    let mut fields = walk(model.fields).into_iter();
    fields.any(|field| field.path == path && field.shape.index.is_some())
}

/// Whether the index of a field is unique, so that it lacks the deleted documents that the filter also matches.
fn lacks_deleted(model: &'static ModelShape, path: &str, scoped: &Document) -> bool {
    let mut fields = walk(model.fields).into_iter();
    let is_unique = fields.any(|field| {
        field.path == path && field.shape.index.as_ref().is_some_and(|index| index.unique)
    });
    let deleted_at = model.deleted_at().filter(|_| is_unique);
    deleted_at.is_some_and(|field| equality_in(scoped, field) != Some(&Bson::Null))
}

/// Returns the path, written with the names of the Rust fields.
fn rust_path(fields: &'static [FieldShape], path: &str) -> String {
    known_rust_path(fields, path).unwrap_or_else(|| path.to_owned())
}

fn known_rust_path(fields: &'static [FieldShape], path: &str) -> Option<String> {
    fields.iter().find_map(|field| {
        let inner = field.embed.map(|embed| embed().fields);
        if field.flatten {
            let inner = known_rust_path(inner?, path)?;
            return Some(format!("{}.{inner}", field.name));
        }
        let rest = path.strip_prefix(field.stored)?;
        match rest.strip_prefix('.') {
            None => rest.is_empty().then(|| field.name.to_owned()),
            Some(rest) => Some(format!("{}.{}", field.name, known_rust_path(inner?, rest)?)),
        }
    })
}
