//! Finds out from the sampled documents whether a shard key only grows.

use std::collections::BTreeSet;

use mongo_odm::__tools::path::value_through;
use mongodb::bson::{Bson, Document, oid::ObjectId};

use crate::advise::seen::KeyGrowth;

/// Smallest number of pairs of neighbouring documents with different keys for which the order of the keys is
/// significant.
const PAIRS: u64 = 20;

/// Returns how the first field of a shard key grows, if the sample shows that it does. Hashes do not grow.
pub(in crate::advise) fn growth(
    key: &Document,
    sample: &[Document],
    documents: u64,
) -> Option<KeyGrowth> {
    let (path, kind) = key.iter().next()?;
    if kind.as_str() == Some("hashed") {
        return None;
    }
    if path == "_id" {
        return growth_of_ids(sample, documents);
    }
    order(path, sample)
}

fn growth_of_ids(sample: &[Document], documents: u64) -> Option<KeyGrowth> {
    let all = sample.len() as u64;
    let of_time = sample.iter().filter(|it| creation(it).is_some()).count() as u64;
    if all > 0 && of_time == all {
        return Some(KeyGrowth::ObjectIds(of_time));
    }
    let numbers = sample.iter().map(|it| number(it.get("_id")?));
    let numbers: BTreeSet<i64> = numbers.collect::<Option<_>>()?;
    let (least, most) = (*numbers.first()?, *numbers.last()?);
    let values = most.abs_diff(least).saturating_add(1);
    // If at least half of the numbers in the range are in use, the numbers come from a counter.
    (values <= documents.saturating_mul(2)).then_some(KeyGrowth::Counter { least, most })
}

/// Compares the keys of the documents in the order of their creation times, which the `ObjectId`s in `_id` contain.
fn order(path: &str, sample: &[Document]) -> Option<KeyGrowth> {
    let keys = sample.iter().filter_map(|it| {
        let value = ordered(&value_through(it, path)?)?;
        Some((creation(it)?, value))
    });
    let mut keys: Vec<(ObjectId, (u8, i64, String))> = keys.collect();
    keys.sort();
    let distinct: BTreeSet<_> = keys.iter().map(|(_, value)| value).collect();
    let are_times = distinct.iter().all(|(kind, ..)| *kind == TIME);
    // If many documents share a key, rising keys can result from groups of documents that were stored one after the
    // other. Times are an exception: rounded times are also equal in many documents, but they do grow.
    if !are_times && distinct.len() * 2 < keys.len() {
        return None;
    }
    let neighbours = keys.iter().zip(keys.iter().skip(1));
    let different = neighbours.filter(|((_, older), (_, newer))| older != newer);
    let (mut pairs, mut rising) = (0, 0);
    for ((_, older), (_, newer)) in different {
        pairs += 1;
        rising += u64::from(older < newer);
    }
    (pairs >= PAIRS).then_some(KeyGrowth::Order { pairs, rising })
}

fn creation(document: &Document) -> Option<ObjectId> {
    document.get_object_id("_id").ok()
}

const TIME: u8 = 2;

/// Converts a value so that values of one type are ordered as on the server.
fn ordered(value: &Bson) -> Option<(u8, i64, String)> {
    match value {
        Bson::DateTime(time) => Some((TIME, time.timestamp_millis(), String::new())),
        Bson::ObjectId(id) => Some((3, 0, id.to_hex())),
        Bson::String(text) => Some((4, 0, text.clone())),
        other => Some((1, number(other)?, String::new())),
    }
}

fn number(value: &Bson) -> Option<i64> {
    match value {
        Bson::Int32(number) => Some(i64::from(*number)),
        Bson::Int64(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn created(count: u32, key: impl Fn(u32) -> Bson) -> Vec<Document> {
        let id = |n: u32| {
            let mut bytes = [0; 12];
            bytes[..4].copy_from_slice(&(1_700_000_000 + n).to_be_bytes());
            ObjectId::from_bytes(bytes)
        };
        // The sample is not in the order of creation.
        let all = (0..count).map(|n| (n * 7) % count);
        all.map(|n| doc! { "_id": id(n), "key": key(n) }).collect()
    }

    #[test]
    fn a_key_in_the_order_of_creation_grows() {
        let key = doc! { "key": 1, "_id": 1 };
        let rising = created(100, |n| Bson::Int64(i64::from(n) * 3));
        let order = Some(KeyGrowth::Order {
            pairs: 99,
            rising: 99,
        });
        assert_eq!(growth(&key, &rising, 100), order);
        assert_eq!(growth(&doc! { "key": "hashed" }, &rising, 100), None);
        // Rounded times grow, although several documents have the same time.
        let day = |n: u32| Bson::DateTime(mongodb::bson::DateTime::from_millis(i64::from(n / 4)));
        let rising = growth(&key, &created(100, day), 100);
        assert_eq!(
            rising,
            Some(KeyGrowth::Order {
                pairs: 24,
                rising: 24
            })
        );
    }

    #[test]
    fn a_key_of_groups_does_not_grow() {
        let key = doc! { "key": 1 };
        let grouped = created(100, |n| {
            Bson::Int32(i32::try_from(n / 4).unwrap_or_default())
        });
        assert_eq!(growth(&key, &grouped, 100), None);
        let mixed = created(100, |n| {
            Bson::Int32(i32::try_from(n * 37 % 100).unwrap_or_default())
        });
        let Some(KeyGrowth::Order { pairs, rising }) = growth(&key, &mixed, 100) else {
            panic!("no order");
        };
        assert!(pairs == 99 && rising < 70, "{rising}");
    }

    #[test]
    fn ids_grow_if_they_contain_a_time_or_come_from_a_counter() {
        let key = doc! { "_id": 1 };
        let ids = created(50, |_| Bson::Null);
        assert_eq!(growth(&key, &ids, 50), Some(KeyGrowth::ObjectIds(50)));
        let numbers = |step: i32| -> Vec<_> { (1..51).map(|n| doc! { "_id": n * step }).collect() };
        let counter = KeyGrowth::Counter { least: 1, most: 50 };
        assert_eq!(growth(&key, &numbers(1), 50), Some(counter));
        assert_eq!(growth(&key, &numbers(1_000), 50), None);
        assert_eq!(growth(&key, &[doc! { "_id": "a" }], 1), None);
    }
}
