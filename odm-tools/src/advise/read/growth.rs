//! Finds arrays that grow with the age of their documents.

use std::{collections::BTreeMap, time::Duration};

use mongo_odm::__tools::path::value_at;
use mongodb::bson::{Bson, Document};

use crate::{
    advise::seen::Growth,
    survey::{CollectionSurvey, PathStep},
};

/// Smallest number of documents for which a comparison of quarters by age is significant.
const ENOUGH: usize = 100;

/// Smallest ratio between the lengths of the oldest and the youngest arrays that counts as growth.
const TIMES: u64 = 4;

/// Compares the lengths of sampled arrays with the creation times in the `ObjectId`s of their documents. Sends nothing.
pub(super) fn of(found: &CollectionSurvey) -> BTreeMap<String, Growth> {
    let arrays = found.paths.iter().filter(|it| {
        let is_plain = |step: &PathStep| matches!(step, PathStep::Field(_));
        it.lengths.is_some() && it.steps.iter().all(is_plain)
    });
    let grown = arrays.filter_map(|it| {
        let growth = growth(lengths(&found.sample, &it.path))?;
        Some((it.path.clone(), growth))
    });
    grown.collect()
}

/// Lists the lengths of the arrays at a path, with the creation times of their documents in milliseconds.
fn lengths(sample: &[Document], path: &str) -> Vec<(i64, u64)> {
    let dated = sample.iter().filter_map(|document| {
        let Some(Bson::ObjectId(id)) = document.get("_id") else {
            return None;
        };
        let array = value_at(document, path)?.as_array()?;
        Some((id.timestamp().timestamp_millis(), array.len() as u64))
    });
    dated.collect()
}

/// Returns the growth if arrays are longer in older documents. The documents are divided into four quarters by age. In
/// each quarter, the arrays must be at least as long as in the next younger one. In the oldest quarter, they must be at
/// least `TIMES` times as long as in the youngest.
fn growth(mut dated: Vec<(i64, u64)>) -> Option<Growth> {
    if dated.len() < ENOUGH {
        return None;
    }
    dated.sort_unstable();
    let quarters: Vec<_> = dated.chunks(dated.len().div_ceil(4)).map(middle).collect();
    let (first, last) = (quarters.first()?, quarters.last()?);
    let falls = quarters.windows(2).all(|pair| match pair {
        [old, young] => old.1 >= young.1,
        _ => true,
    });
    let between = u64::try_from(last.0.saturating_sub(first.0)).ok()?;
    let grows = falls && first.1 >= TIMES * last.1.max(1) && between > 0;
    grows.then(|| Growth {
        documents: dated.len() as u64,
        oldest: first.1,
        youngest: last.1,
        between: Duration::from_millis(between),
    })
}

/// Returns the median creation time and the median length in a quarter.
fn middle(quarter: &[(i64, u64)]) -> (i64, u64) {
    let at = quarter.len() / 2;
    let date = quarter.get(at).map_or(0, |(date, _)| *date);
    let mut lengths: Vec<_> = quarter.iter().map(|(_, length)| *length).collect();
    lengths.sort_unstable();
    (date, lengths.get(at).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_grow_where_the_older_ones_are_longer() {
        let grown = growth(
            (0..200_u32)
                .map(|n| (i64::from(n) * 1_000, u64::from(200 - n)))
                .collect(),
        );
        let grown = grown.unwrap();
        assert_eq!((grown.oldest, grown.youngest), (176, 26));
        assert_eq!(grown.between, Duration::from_secs(150));
        let of = |length: fn(i64) -> i64, documents: i64| {
            let dated = (0..documents).map(|n| (n * 1_000, length(n).unsigned_abs()));
            growth(dated.collect())
        };
        assert_eq!(of(|n| 200 - n, 99), None);
        assert_eq!(of(|_| 90, 200), None);
        assert_eq!(of(|n| n % 90, 200), None);
        assert_eq!(of(|n| n, 200), None);
    }
}
