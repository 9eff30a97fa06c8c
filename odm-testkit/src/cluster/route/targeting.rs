//! Selects the shards to which a statement is sent, from its filter or from the document that it inserts.
//!
//! A statement that is sent to more shards than necessary still has the correct result. So the front interprets only
//! equality, `$in`, comparisons and `$and`. A write of one document needs exactly one shard; see `write`.

use std::cmp::Ordering;

use mongodb::bson::{Bson, Document};

use super::table::{Chunk, Place, Sharded};
use crate::cluster::{
    link::role::Role,
    value::{
        hash::hashed,
        order::{compare, compare_all},
    },
};

/// Maximum number of values of the shard key that are examined individually.
const MAX_KEYS: usize = 1_000;

/// The shards of a statement.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) shards: Vec<Role>,
    /// Whether the filter contains one value for the whole shard key.
    pub(crate) has_key: bool,
}

/// The values of a field that a filter permits.
#[derive(Debug, PartialEq)]
enum Permitted {
    Values(Vec<Bson>),
    Between(Bson, Bson),
}

/// Selects the shards that can have documents for a filter. With a collation, strings are not compared bytewise, so they
/// do not select a shard.
pub(crate) fn of_filter(place: &Place, filter: &Document, has_collation: bool) -> Target {
    let Place::Sharded(sharded) = place else {
        let shards = place.owners();
        return Target {
            shards,
            has_key: true,
        };
    };
    let permitted: Vec<Permitted> = sharded
        .key
        .iter()
        .map(|(path, kind)| {
            let permitted = permitted(filter, path, has_collation);
            if kind.as_str() == Some("hashed") {
                permitted.hashed()
            } else {
                permitted
            }
        })
        .collect();
    let single = |it: &Permitted| matches!(it, Permitted::Values(values) if values.len() == 1);
    Target {
        shards: shards_of(sharded, &permitted),
        has_key: permitted.iter().all(single),
    }
}

/// Returns the shard of a document. `None` if a part of the shard key is an array.
pub(crate) fn of_document(sharded: &Sharded, document: &Document) -> Option<Role> {
    let mut key = Vec::new();
    for (path, kind) in &sharded.key {
        let value = value_at(document, path).unwrap_or(&Bson::Null);
        if matches!(value, Bson::Array(_)) {
            return None;
        }
        key.push(if kind.as_str() == Some("hashed") {
            Bson::Int64(hashed(value))
        } else {
            value.clone()
        });
    }
    chunk_of_key(sharded, &key).map(|chunk| chunk.shard)
}

/// Returns the chunk that contains a key, in which hashed fields are already hashes.
pub(crate) fn chunk_of_key<'s>(sharded: &'s Sharded, key: &[Bson]) -> Option<&'s Chunk> {
    sharded.chunks.iter().find(|chunk| {
        compare_all(&chunk.min, key) != Ordering::Greater
            && compare_all(&chunk.max, key) == Ordering::Greater
    })
}

/// Whether a filter permits only one `_id`.
pub(crate) fn has_id(filter: &Document) -> bool {
    matches!(permitted(filter, "_id", false), Permitted::Values(values) if values.len() == 1)
}

fn shards_of(sharded: &Sharded, permitted: &[Permitted]) -> Vec<Role> {
    let Some(ranges) = ranges(permitted) else {
        return sharded_owners(sharded, |_, _| true);
    };
    sharded_owners(sharded, |min, max| {
        ranges.iter().any(|(from, to)| {
            compare_all(min, to) != Ordering::Greater && compare_all(max, from) == Ordering::Greater
        })
    })
}

fn sharded_owners(sharded: &Sharded, is_in: impl Fn(&[Bson], &[Bson]) -> bool) -> Vec<Role> {
    let chunks = sharded.chunks.iter();
    let chunks = chunks.filter(|chunk| is_in(&chunk.min, &chunk.max));
    let mut shards: Vec<Role> = chunks.map(|chunk| chunk.shard).collect();
    shards.sort_unstable();
    shards.dedup();
    shards
}

/// Returns the smallest and the largest keys that the fields permit. The first field with a range ends the prefix that
/// is examined. Returns `None` if there are too many keys.
fn ranges(permitted: &[Permitted]) -> Option<Vec<(Vec<Bson>, Vec<Bson>)>> {
    let mut ranges = vec![(Vec::new(), Vec::new())];
    let mut is_prefix = true;
    for field in permitted {
        let mut next = Vec::new();
        for (from, to) in &ranges {
            let bounds: Vec<(&Bson, &Bson)> = match field {
                _ if !is_prefix => vec![(&Bson::MinKey, &Bson::MaxKey)],
                Permitted::Values(values) => values.iter().map(|value| (value, value)).collect(),
                Permitted::Between(low, high) => vec![(low, high)],
            };
            for (low, high) in bounds {
                let with = |key: &[Bson], value: &Bson| [key, std::slice::from_ref(value)].concat();
                next.push((with(from, low), with(to, high)));
            }
        }
        is_prefix &= matches!(field, Permitted::Values(_));
        ranges = next;
        if ranges.len() > MAX_KEYS {
            return None;
        }
    }
    Some(ranges)
}

impl Permitted {
    fn all() -> Self {
        Self::Between(Bson::MinKey, Bson::MaxKey)
    }

    fn hashed(self) -> Self {
        match self {
            Self::Values(values) => Self::Values(
                values
                    .iter()
                    .map(|value| Bson::Int64(hashed(value)))
                    .collect(),
            ),
            Self::Between(..) => Self::all(),
        }
    }
}

/// Returns the values of a field that a filter permits.
fn permitted(filter: &Document, path: &str, has_collation: bool) -> Permitted {
    let mut best = Permitted::all();
    for (name, condition) in filter {
        let here = match condition {
            Bson::Array(parts) if name == "$and" => {
                let parts = parts.iter().filter_map(Bson::as_document);
                parts
                    .map(|part| permitted(part, path, has_collation))
                    .find(|it| *it != Permitted::all())
            }
            condition if name == path => of_condition(condition, has_collation),
            _ => None,
        };
        if let Some(here) = here {
            if matches!(here, Permitted::Values(_)) {
                return here;
            }
            best = here;
        }
    }
    best
}

fn of_condition(condition: &Bson, has_collation: bool) -> Option<Permitted> {
    let comparable = |value: &Bson| match value {
        Bson::RegularExpression(_) | Bson::Array(_) => false,
        Bson::String(_) | Bson::Symbol(_) | Bson::Document(_) => !has_collation,
        _ => true,
    };
    let Some(operators) = condition.as_document().filter(|it| is_operators(it)) else {
        return comparable(condition).then(|| Permitted::Values(vec![condition.clone()]));
    };
    if let Some(value) = operators.get("$eq") {
        return comparable(value).then(|| Permitted::Values(vec![value.clone()]));
    }
    if let Ok(values) = operators.get_array("$in") {
        return values
            .iter()
            .all(comparable)
            .then(|| Permitted::Values(values.clone()));
    }
    let bound = |names: [&str; 2]| {
        let value = names.iter().find_map(|name| operators.get(name))?;
        comparable(value).then(|| value.clone())
    };
    let (low, high) = (bound(["$gte", "$gt"]), bound(["$lte", "$lt"]));
    if low.is_none() && high.is_none() {
        return None;
    }
    let low = low.unwrap_or(Bson::MinKey);
    let high = high.unwrap_or(Bson::MaxKey);
    (compare(&low, &high) != Ordering::Greater).then_some(Permitted::Between(low, high))
}

fn is_operators(document: &Document) -> bool {
    document
        .keys()
        .next()
        .is_some_and(|name| name.starts_with('$'))
}

/// Returns the value at a path such as `address.city`.
pub(crate) fn value_at<'d>(document: &'d Document, path: &str) -> Option<&'d Bson> {
    match path.split_once('.') {
        None => document.get(path),
        Some((first, rest)) => match document.get(first)? {
            Bson::Document(inner) => value_at(inner, rest),
            // A path through an array cannot be part of a shard key, so the caller rejects the array.
            array @ Bson::Array(_) => Some(array),
            _ => None,
        },
    }
}
