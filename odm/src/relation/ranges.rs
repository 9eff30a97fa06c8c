//! Cuts keys into the ranges of one statement each.

use std::ops::Range;

use mongodb::bson::Bson;

use crate::odm::Settings;

/// Cuts sorted keys into contiguous ranges, by count and by bytes.
pub(super) fn ranges(values: &[Bson], settings: &Settings, whole: bool) -> Vec<Range<usize>> {
    let most = if whole || values.len() < settings.split_from.max(1) {
        values.len()
    } else {
        let (least, most) = settings.range;
        let even = values.len().div_ceil(settings.in_flight.max(1));
        even.max(least).min(most.max(1))
    };
    let mut ranges = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, value) in values.iter().enumerate() {
        let size = size_in_array(value);
        if at > start && (at - start >= most || bytes + size > settings.range_bytes) {
            ranges.push(start..at);
            (start, bytes) = (at, 0);
        }
        bytes += size;
    }
    if start < values.len() {
        ranges.push(start..values.len());
    }
    ranges
}

/// About how many bytes a key takes in an array: its type, its index as text, its value.
fn size_in_array(value: &Bson) -> usize {
    const TYPE_AND_INDEX: usize = 8;
    TYPE_AND_INDEX
        + match value {
            Bson::ObjectId(_) => 12,
            Bson::String(text) => text.len() + 5,
            Bson::Binary(binary) => binary.bytes.len() + 5,
            Bson::Document(_) | Bson::Array(_) => crate::shell::value(value).len(),
            _ => 16,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(keys: usize, whole: bool) -> Vec<usize> {
        let keys: Vec<Bson> = (0..i32::try_from(keys).unwrap()).map(Bson::Int32).collect();
        ranges(&keys, &Settings::default(), whole)
            .iter()
            .map(Range::len)
            .collect()
    }

    #[test]
    fn few_keys_are_one_range() {
        assert_eq!(lengths(0, false), [0; 0]);
        assert_eq!(lengths(1_999, false), [1_999]);
    }

    #[test]
    fn many_keys_are_ranges_between_the_least_and_the_most() {
        assert_eq!(lengths(4_000, false), [2_500, 1_500]);
        assert_eq!(lengths(20_000, false), [10_000, 10_000]);
        assert_eq!(lengths(50_000, false), [10_000; 5]);
    }

    #[test]
    fn a_sort_over_all_keys_is_not_split_but_by_the_size_of_a_statement() {
        assert_eq!(lengths(50_000, true), [50_000]);
        assert_eq!(lengths(400_000, true).len(), 2);
    }
}
