//! Cuts keys into the ranges of one statement each.

use std::ops::Range;

use super::keys::SlotNumber;
use crate::odm::{Exec, Settings};

/// How far keys may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// By the size of a statement alone: the server must see all keys at once.
    Whole,
    /// By their number too, where they are so many that halves gain beside other statements.
    Busy,
    /// By their number too, where halves gain on a server that has nothing else to do.
    Idle,
}

/// About how many bytes an element of an array takes besides its value: its type, its index as text.
const TYPE_AND_INDEX: usize = 8;

impl Cut {
    /// Returns how far keys may be cut that are sent now, those of one owner or of many.
    pub(crate) fn now(of_one_owner: bool, exec: &Exec) -> Self {
        if of_one_owner && !exec.in_transaction() {
            Self::Idle
        } else {
            Self::Busy
        }
    }
}

/// Cuts sorted keys into contiguous ranges, by count and by bytes: `sizes` says how many each takes.
pub(super) fn ranges(
    sizes: impl ExactSizeIterator<Item = usize>,
    settings: &Settings,
    cut: Cut,
) -> Vec<Range<SlotNumber>> {
    let most = most(sizes.len(), settings, cut);
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

/// Returns how many keys a range has at most.
fn most(keys: usize, settings: &Settings, cut: Cut) -> usize {
    let even = keys.div_ceil(settings.in_flight.max(1));
    let (least, most) = settings.range;
    match settings.split_idle_from {
        _ if cut == Cut::Whole => keys,
        _ if keys >= settings.split_from.max(1) => even.max(least).min(most.max(1)),
        Some(few) if cut == Cut::Idle && keys >= few => even.max(few / 2),
        _ => keys,
    }
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
        for cut in [Cut::Whole, Cut::Busy, Cut::Idle] {
            assert_eq!(lengths(0, cut), [0; 0]);
            assert_eq!(lengths(127, cut), [127]);
        }
        assert_eq!(lengths(1_999, Cut::Busy), [1_999]);
    }

    #[test]
    fn some_keys_are_halves_while_nothing_else_runs() {
        assert_eq!(lengths(128, Cut::Idle), [64, 64]);
        assert_eq!(lengths(1_999, Cut::Idle), [1_000, 999]);
        let keys = || (0..1_999).map(|_| 16);
        let settings = Settings::default().split_idle_from(None);
        assert_eq!(ranges(keys(), &settings, Cut::Idle).len(), 1);
        let settings = Settings::default().in_flight(100);
        assert_eq!(ranges(keys(), &settings, Cut::Idle).len(), 32, "of 64 keys");
    }

    #[test]
    fn many_keys_are_ranges_between_the_least_and_the_most() {
        assert_eq!(lengths(4_000, Cut::Busy), [2_500, 1_500]);
        assert_eq!(lengths(20_000, Cut::Idle), [10_000, 10_000]);
        assert_eq!(lengths(50_000, Cut::Busy), [10_000; 5]);
    }

    #[test]
    fn a_sort_over_all_keys_is_not_split_but_by_the_size_of_a_statement() {
        assert_eq!(lengths(50_000, Cut::Whole), [50_000]);
        assert_eq!(lengths(400_000, Cut::Whole).len(), 2);
    }
}
