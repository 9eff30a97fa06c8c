//! The shard key of a model, in filters for one document.

use std::fmt;

use mongodb::bson::{Bson, Document, RawDocument};

use super::Place;
use crate::value::{
    key::equality,
    path::{equality_in, raw_value_at},
};

/// The shards to which a cluster sends a statement, as far as the filter determines them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shards {
    /// At most this number of shards, because the filter accepts this number of values of the shard key.
    AtMost(usize),
    /// The filter contains values of only the first fields of the shard key. Usually, the documents with these values
    /// are on one shard.
    OfPrefix,
    All,
}

impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(1) => f.write_str("[1 shard]"),
            Self::AtMost(values) => write!(f, "[{values} of n shards]"),
            Self::OfPrefix => f.write_str("[shards of one prefix]"),
            Self::All => f.write_str("[all shards]"),
        }
    }
}

impl Place {
    /// Returns the shards to which a cluster sends a statement with this filter, or `None` if the model does not declare a
    /// shard key. The filter must be scoped. `is_collated` is true if the statement has a collation other than `simple`:
    /// strings that are equal by this collation can be on different shards.
    pub(crate) fn shards(&self, filter: &Document, is_collated: bool) -> Option<Shards> {
        if !self.has_shard_key() {
            return None;
        }
        let key = self.shard_key();
        let is_exact = |value: &Bson| {
            let has_text = matches!(value, Bson::String(_) | Bson::Document(_) | Bson::Array(_));
            !(is_collated && has_text || matches!(value, Bson::RegularExpression(_)))
        };
        let known = key
            .iter()
            .map_while(|path| values_in(filter, path, is_exact));
        let known: Vec<usize> = known.collect();
        Some(match known.len() {
            0 => Shards::All,
            fields if fields < key.len() => Shards::OfPrefix,
            _ => Shards::AtMost(known.iter().product()),
        })
    }

    /// Whether the model declares a shard key.
    pub(crate) fn has_shard_key(&self) -> bool {
        self.model()
            .is_some_and(|model| !model.shard_keys().is_empty())
    }

    /// Returns the stored paths of the shard key. The list is empty if the model does not declare a shard key.
    pub(crate) fn shard_key(&self) -> Vec<String> {
        let model = self.model();
        model.map_or_else(Vec::new, |model| model.shard_key_paths().collect())
    }

    /// Returns the filter for one document. The filter contains the shard key if the document contains it, so that a
    /// cluster queries only one shard.
    pub(crate) fn filter_of_document(&self, id: Bson, document: &RawDocument) -> Document {
        let mut filter = equality("_id", id);
        for path in self.shard_key().into_iter().filter(|it| it != "_id") {
            if let Some(value) = raw_value_at(document, &path)
                && let Ok(value) = Bson::try_from(value)
            {
                filter.extend(equality(&path, value));
            }
        }
        filter
    }

    /// Returns the first path of the shard key for which a filter does not require a value, or `None` if a cluster
    /// sends the statement to one shard. If the model does not declare a shard key, the path is `_id`, because the
    /// collection may be sharded by `_id`.
    pub(crate) fn missing_in_key(&self, filter: &Document) -> Option<String> {
        let mut key = self.shard_key();
        if key.is_empty() {
            key.push("_id".to_owned());
        }
        let scoped = self.scope(filter.clone());
        key.into_iter()
            .find(|path| equality_in(&scoped, path).is_none())
    }
}

/// Returns the number of values of a field that a filter accepts, or `None` if the filter does not list the values.
/// Values that do not determine the shard, because they are not exact, are not counted.
fn values_in(
    filter: &Document,
    path: &str,
    is_exact: impl Fn(&Bson) -> bool + Copy,
) -> Option<usize> {
    if equality_in(filter, path).is_some_and(is_exact) {
        return Some(1);
    }
    filter.iter().find_map(|(name, condition)| match condition {
        Bson::Array(clauses) if name == "$and" => {
            let mut clauses = clauses.iter().filter_map(Bson::as_document);
            clauses.find_map(|clause| values_in(clause, path, is_exact))
        }
        Bson::Document(operators) if name == path => {
            let values = operators.get_array("$in").ok()?;
            values.iter().all(is_exact).then_some(values.len())
        }
        _ => None,
    })
}
