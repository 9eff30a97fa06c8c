//! Reduces the size of samples, because the samples are kept in memory until all collections have been sampled.

use mongodb::bson::{Bson, Document};

/// Limits for the part of a sample that is kept: documents, fields per document, elements per array, and nested levels.
const DOCUMENTS: usize = 300;
const FIELDS: usize = 60;
const ELEMENTS: usize = 5;
const DEEPEST: usize = 4;

/// Maximum length of a string that is kept, in bytes.
const LETTERS: usize = 100;

/// Keeps only ids and other small values of the documents, at their original paths.
pub(crate) fn slim_documents(sample: Vec<Document>) -> Vec<Document> {
    let all = sample.len();
    let some = sample
        .into_iter()
        .enumerate()
        .filter(|(at, _)| is_chosen(*at, all));
    some.map(|(_, document)| slim(document, 1)).collect()
}

/// Whether the document at a position is kept. One document in each group of neighbours is kept, because the sample may
/// be sorted. The position of this document in its group varies, because values may repeat periodically.
const fn is_chosen(at: usize, all: usize) -> bool {
    /// 2^64 divided by the golden ratio. The multiples of this number are evenly distributed.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let few = all.div_ceil(DOCUMENTS) as u64;
    if few <= 1 {
        return true;
    }
    let (part, place) = (at as u64 / few, at as u64 % few);
    place == ((part.wrapping_mul(STEP) >> 32) * few) >> 32
}

fn slim(document: Document, depth: usize) -> Document {
    let small = document
        .into_iter()
        .filter_map(|(name, value)| Some((name, slim_value(value, depth)?)));
    small.take(FIELDS).collect()
}

fn slim_value(value: Bson, depth: usize) -> Option<Bson> {
    match value {
        Bson::Document(inner) => (depth < DEEPEST).then(|| slim(inner, depth + 1).into()),
        Bson::Array(items) if depth < DEEPEST => {
            let items = items.into_iter().filter(|it| it.as_document().is_some());
            let items = items.take(ELEMENTS);
            let items = items.filter_map(|item| slim_value(item, depth));
            Some(Bson::Array(items.collect()))
        }
        Bson::String(text) if text.len() > LETTERS => None,
        Bson::String(_)
        | Bson::Int32(_)
        | Bson::Int64(_)
        | Bson::Double(_)
        | Bson::Decimal128(_)
        | Bson::DateTime(_)
        | Bson::ObjectId(_) => Some(value),
        Bson::Binary(ref binary) => (binary.bytes.len() <= LETTERS).then_some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn some_of_all_parts_of_a_sample_are_kept_whatever_their_order() {
        let of = |all: i32| slim_documents((0..all).map(|n| doc! { "n": n }).collect());
        assert_eq!(of(300).len(), 300);
        for all in [301, 600, 1_000, 5_000] {
            let kept: Vec<_> = of(all).iter().map(|it| it.get_i32("n").unwrap()).collect();
            assert!((150..=300).contains(&kept.len()), "{all}: {}", kept.len());
            assert!(kept.last().is_some_and(|n| n + 50 > all), "{all}");
            // Values that repeat periodically must all have the same chance of being kept. If the same position in each
            // group were chosen, most of these values would never be kept.
            let different = |round: i32| {
                let all: std::collections::BTreeSet<_> = kept.iter().map(|n| n % round).collect();
                all.len()
            };
            assert!(
                different(60) >= 55 && different(7) == 7,
                "{all}: {}",
                different(60)
            );
        }
    }

    #[test]
    fn small_values_are_kept_and_where_they_stand() {
        let long = "x".repeat(LETTERS + 1);
        let lines: Vec<_> = (0..9).map(|n| doc! { "n": n, "text": &long }).collect();
        let kept = slim_documents(vec![
            doc! { "_id": 1, "words": ["a"], "lines": lines, "text": long },
        ]);
        let lines: Vec<_> = (0..5).map(|n| doc! { "n": n }).collect();
        assert_eq!(kept, [doc! { "_id": 1, "words": [], "lines": lines }]);
    }
}
