//! Divides sorted keys into ranges, one for each statement.
//!
//! A sorted load or join must be a single statement, because the server must have all keys to sort the documents. If
//! the keys do not fit into one statement, the call is rejected. The library does not merge the results of several
//! statements.

use std::ops::Range;

use super::key_number::{KeyNumber, number};
use crate::client::odm::Settings;

/// The criterion by which keys may be divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Only by the size of a statement, because the server must have all keys at once.
    BySize,
    /// Also by the number of keys, if there are at least [`Settings::split_from`] keys.
    ByNumber,
}

/// Approximate number of bytes that BSON stores for an array element in addition to its value: the element's type, and
/// its index as text.
const TYPE_AND_INDEX: usize = 8;

/// Divides sorted keys into contiguous ranges. Both the number of keys and the number of bytes in a range are limited.
/// `sizes` contains the number of bytes of each key.
pub(super) fn ranges(
    sizes: impl ExactSizeIterator<Item = usize>,
    settings: &Settings,
    cut: Cut,
) -> Vec<Range<KeyNumber>> {
    let most = keys_per_range(sizes.len(), settings, cut);
    let most = number(most);
    let mut ranges = Vec::new();
    let (mut range, mut bytes) = (0..0, 0);
    for size in sizes {
        let size = size + TYPE_AND_INDEX;
        let full = range.end - range.start >= most || bytes + size > settings.key_bytes();
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

/// Returns the maximum number of keys in a range.
fn keys_per_range(keys: usize, settings: &Settings, cut: Cut) -> usize {
    if cut == Cut::BySize || keys < settings.split_from {
        return keys;
    }
    let even = keys.div_ceil(settings.in_flight.max(1));
    let (least, most) = settings.range;
    // If there are just enough keys for a split, the library creates two ranges, even if `split_from` is a small
    // number.
    let least = least.min(settings.split_from / 2);
    even.max(least).min(most).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(keys: usize, cut: Cut) -> Vec<usize> {
        let ranges = ranges((0..keys).map(|_| 16), &Settings::default(), cut);
        let ends = ranges.iter().map(|range| range.end);
        let starts: Vec<_> = std::iter::once(0).chain(ends).take(ranges.len()).collect();
        assert!(ranges.iter().map(|range| range.start).eq(starts));
        ranges.iter().map(ExactSizeIterator::len).collect()
    }

    #[test]
    fn few_keys_are_one_range() {
        for cut in [Cut::BySize, Cut::ByNumber] {
            assert_eq!(lengths(0, cut), [0; 0]);
            assert_eq!(lengths(1_999, cut), [1_999]);
        }
    }

    #[test]
    fn as_many_keys_as_the_setting_says_are_two_ranges() {
        assert_eq!(lengths(2_000, Cut::ByNumber), [1_000, 1_000]);
        assert_eq!(lengths(4_001, Cut::ByNumber), [2_001, 2_000]);
        let few = Settings::default().split_from(128);
        let cut = |keys: usize, in_flight| {
            let settings = few.clone().in_flight(in_flight);
            ranges((0..keys).map(|_| 16), &settings, Cut::ByNumber)
        };
        assert_eq!(cut(127, 2).len(), 1);
        assert_eq!(cut(128, 2), [0..64, 64..128]);
        assert_eq!(cut(128, 100).len(), 2, "of 64 keys at least");
    }

    #[test]
    fn many_keys_are_ranges_of_the_most_keys() {
        assert_eq!(lengths(20_000, Cut::ByNumber), [10_000, 10_000]);
        assert_eq!(lengths(50_000, Cut::ByNumber), [10_000; 5]);
    }

    #[test]
    fn a_sort_over_all_keys_is_not_split_but_by_the_size_of_a_statement() {
        assert_eq!(lengths(50_000, Cut::BySize), [50_000]);
        assert_eq!(lengths(400_000, Cut::BySize).len(), 2);
        let large = Settings {
            range_bytes: usize::MAX,
            ..Settings::default()
        };
        let keys = std::iter::repeat_n(1 << 20, 13);
        assert_eq!(ranges(keys, &large, Cut::BySize).len(), 2);
    }
}
