//! The statement that brings copies up to date.

use mongodb::bson::{Bson, Document, doc};

use super::{
    graph::Tie,
    tuple::{Expected, Source, expected},
};
use crate::statement::Statement;

/// An `updateMany` that gives the copies of some keys the values of their source.
///
/// It matches only documents with a copy that differs, so running it again changes nothing, and it
/// carries the simple collation: under a case-insensitive default, `{name: {$ne: "Grommet"}}` would
/// not match "grommet".
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CopyUpdate {
    pub(crate) collection: &'static str,
    pub(crate) filter: Document,
    pub(crate) update: Document,
    pub(crate) array_filters: Vec<Document>,
    pub(crate) hint: Option<Document>,
}

impl CopyUpdate {
    /// Returns the statement for keys that one source stands behind; none if nothing can differ.
    pub(crate) fn new(tie: &Tie, keys: &[Bson], source: Source<'_>) -> Option<Self> {
        let key = key_condition(keys);
        let mut differing = Vec::new();
        let (mut set, mut unset) = (Document::new(), Document::new());
        for (copied, value) in expected(tie, source) {
            differing.extend(value.differs(&tie.place.relative(&copied.to)));
            let path = tie.place.update_path(&copied.to);
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
        let mut element = doc! { tie.place.relative(&tie.key): key.clone() };
        element.extend(any_of(differing));
        let mut update = Document::new();
        for (operator, fields) in [("$set", set), ("$unset", unset)] {
            if !fields.is_empty() {
                update.insert(operator, fields);
            }
        }
        let mut array_filters = tie.place.array_filters(&tie.key, &key);
        if source == Source::NoKey {
            tie.place.where_present(&mut array_filters);
        }
        Some(Self {
            collection: tie.target.collection,
            filter: tie.place.matching(element),
            update,
            array_filters,
            hint: None,
        })
    }

    /// Restricts the statement to some documents.
    pub(crate) fn and(mut self, condition: Document) -> Self {
        self.filter = and(self.filter, condition);
        self
    }

    /// Returns the statement as a part of an `update` command.
    pub(crate) fn in_command(&self) -> Document {
        let mut statement = doc! {
            "q": self.filter.clone(),
            "u": self.update.clone(),
            "multi": true,
            "collation": { "locale": "simple" },
        };
        if !self.array_filters.is_empty() {
            statement.insert("arrayFilters", self.array_filters.clone());
        }
        if let Some(hint) = &self.hint {
            statement.insert("hint", hint.clone());
        }
        statement
    }

    /// Returns the statement, for plans.
    pub(crate) fn statement(&self) -> Statement {
        let mut options = Document::new();
        if !self.array_filters.is_empty() {
            options.insert("arrayFilters", self.array_filters.clone());
        }
        options.insert("collation", doc! { "locale": "simple" });
        if let Some(hint) = &self.hint {
            options.insert("hint", hint.clone());
        }
        Statement::new(self.collection, "updateMany")
            .argument(self.filter.clone())
            .argument(self.update.clone())
            .options(options)
    }
}

/// Returns a filter for the documents with copies of some keys, whatever they hold.
pub(crate) fn tied(tie: &Tie, keys: &[Bson]) -> Document {
    doc! { tie.key_path(): key_condition(keys) }
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

/// Joins two conditions on documents; one that names other fields is merged.
pub(crate) fn and(left: Document, right: Document) -> Document {
    if right.keys().any(|key| left.contains_key(key)) {
        return doc! { "$and": [left, right] };
    }
    let mut both = left;
    both.extend(right);
    both
}
