//! Cuts keys into the ranges of one statement each.

use std::ops::Range;

use super::keys::SlotNumber;
use crate::odm::Settings;

/// About how many bytes an element of an array takes besides its value: its type, its index as text.
const TYPE_AND_INDEX: usize = 8;

/// Cuts sorted keys into contiguous ranges, by count and by bytes: `sizes` says how many each takes.
pub(super) fn ranges(
    sizes: impl ExactSizeIterator<Item = usize>,
    settings: &Settings,
    whole: bool,
) -> Vec<Range<SlotNumber>> {
    let keys = sizes.len();
    let most = if whole || keys < settings.split_from.max(1) {
        keys
    } else {
        let (least, most) = settings.range;
        let even = keys.div_ceil(settings.in_flight.max(1));
        even.max(least).min(most.max(1))
    };
    let most = SlotNumber::try_from(most).unwrap_or(SlotNumber::MAX);
    let mut ranges = Vec::new();
    let (mut range, mut bytes) = (0..0, 0);
    for size in sizes {
        let size = size + TYPE_AND_INDEX;
        let full = range.end - range.start >= most || bytes + size > settings.range_bytes;
        if full && !range.is_empty() {
            ranges.push(range.clone());
            (range, bytes) = (range.end..range.end, 0);
        }
        range.end += 1;
        bytes += size;
    }
    if !range.is_empty() {
        ranges.push(range);
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(keys: usize, whole: bool) -> Vec<usize> {
        let ranges = ranges((0..keys).map(|_| 16), &Settings::default(), whole);
        let ends = ranges.iter().map(|range| range.end);
        let starts: Vec<_> = std::iter::once(0).chain(ends).take(ranges.len()).collect();
        assert!(ranges.iter().map(|range| range.start).eq(starts));
        ranges.iter().map(ExactSizeIterator::len).collect()
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
