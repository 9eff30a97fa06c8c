//! The statement that brings copies up to date.

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateModifications,
};

use super::{
    graph::ExtendedReference,
    resolve::simple,
    values::{Expected, Source, expected},
};
use crate::{command::Update, place::Place};

/// Returns the `updateMany` that gives the copies of some keys the values of the one source behind them;
/// none if nothing can differ.
///
/// It matches only documents with a copy that differs, so running it again changes nothing, and it
/// carries the simple collation: under a case-insensitive default, `{name: {$ne: "Grommet"}}` would
/// not match "grommet".
pub(crate) fn update_of(
    reference: &ExtendedReference,
    keys: &[Bson],
    source: Source<'_>,
) -> Option<Update> {
    let key = key_condition(keys);
    let mut differing = Vec::new();
    let (mut set, mut unset) = (Document::new(), Document::new());
    for (copied, value) in expected(reference, source) {
        differing.extend(value.differs(&reference.place.relative(&copied.to)));
        let path = reference.place.update_path(&copied.to);
        match value {
            Expected::Value(value) => _ = set.insert(path, value.clone()),
            Expected::Absent => _ = unset.insert(path, ""),
            Expected::Empty => _ = set.insert(path, Bson::Null),
            Expected::Any => {}
        }
    }
    if differing.is_empty() {
        return None;
    }
    let mut element = doc! { reference.place.relative(&reference.key): key.clone() };
    element.extend(any_of(differing));
    let mut update = Document::new();
    for (operator, fields) in [("$set", set), ("$unset", unset)] {
        if !fields.is_empty() {
            update.insert(operator, fields);
        }
    }
    let mut array_filters = reference.place.array_filters(&reference.key, &key);
    if source == Source::NoKey {
        reference.place.where_present(&mut array_filters);
    }
    let place = Place::of(reference.target).durable();
    let update = Update::many(
        place,
        reference.place.matching(element),
        UpdateModifications::Document(update),
    );
    Some(update.array_filters(array_filters).collation(simple()))
}

/// Returns a filter for the documents with copies of some keys, whatever they hold.
pub(crate) fn tied(reference: &ExtendedReference, keys: &[Bson]) -> Document {
    doc! { reference.key_path(): key_condition(keys) }
}

pub(crate) fn key_condition(keys: &[Bson]) -> Bson {
    match keys {
        [key] => Bson::Document(doc! { "$eq": key.clone() }),
        keys => Bson::Document(doc! { "$in": keys.to_vec() }),
    }
}

fn any_of(mut conditions: Vec<Document>) -> Document {
    if conditions.len() > 1 {
        return doc! { "$or": conditions };
    }
    conditions.pop().unwrap_or_default()
}
