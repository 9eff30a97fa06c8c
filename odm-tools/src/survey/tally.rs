//! Counts values, lengths and sizes.

use std::collections::HashMap;

use mongo_odm::JoinKey;
use mongodb::bson::Bson;

/// Largest number of distinct values that are counted per path.
pub(super) const VALUES: usize = 1_000;

/// Size of the longest string or binary value that is counted, in bytes.
const LONGEST: usize = 100;

/// Distinct values and their frequencies.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    counts: HashMap<(&'static str, JoinKey), (Bson, u64)>,
    lacks_some: bool,
}

impl Values {
    pub(super) fn add(&mut self, name: &'static str, value: &Bson) {
        if !is_small(value) {
            self.lacks_some = true;
            return;
        }
        self.put(name, value, 1);
    }

    fn put(&mut self, name: &'static str, value: &Bson, times: u64) {
        let key = (name, JoinKey::from(value.clone()));
        if let Some((_, count)) = self.counts.get_mut(&key) {
            *count += times;
        } else if self.counts.len() < VALUES {
            self.counts.insert(key, (value.clone(), times));
        } else {
            self.lacks_some = true;
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.lacks_some |= other.lacks_some;
        for ((name, _), (value, times)) in other.counts {
            self.put(name, &value, times);
        }
    }

    /// Returns the values, most frequent first, and whether the list is complete.
    pub(super) fn listed(self) -> (Vec<(Bson, u64)>, bool) {
        let mut counts: Vec<_> = self.counts.into_iter().collect();
        counts.sort_by(|((_, key), (_, count)), ((_, other), (_, times))| {
            times.cmp(count).then_with(|| key.cmp(other))
        });
        let values = counts.into_iter().map(|(_, counted)| counted);
        (values.collect(), !self.lacks_some)
    }
}

/// Whether a value is small enough to be counted.
fn is_small(value: &Bson) -> bool {
    match value {
        Bson::String(text) | Bson::Symbol(text) => text.len() <= LONGEST,
        Bson::Binary(binary) => binary.bytes.len() <= LONGEST,
        Bson::Int32(_)
        | Bson::Int64(_)
        | Bson::Double(_)
        | Bson::Decimal128(_)
        | Bson::Boolean(_)
        | Bson::ObjectId(_)
        | Bson::DateTime(_) => true,
        _ => false,
    }
}

/// A list of numbers, and the `_id` of the document to which the largest number belongs.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    all: Vec<u64>,
    largest: Option<(u64, Bson)>,
}

impl Numbers {
    pub(super) fn add(&mut self, number: u64, of: &Bson) {
        self.all.push(number);
        if self.largest.as_ref().is_none_or(|(most, _)| *most < number) {
            self.largest = Some((number, of.clone()));
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.all.extend(other.all);
        if let Some((number, of)) = other.largest
            && self.largest.as_ref().is_none_or(|(most, _)| *most < number)
        {
            self.largest = Some((number, of));
        }
    }

    pub(super) fn sorted(mut self) -> Sorted {
        self.all.sort_unstable();
        Sorted {
            all: self.all,
            largest: self.largest,
        }
    }
}

/// Numbers in ascending order.
pub(super) struct Sorted {
    all: Vec<u64>,
    /// The largest number, and the `_id` of the document to which it belongs. This is `None` if
    /// there are no numbers.
    pub(super) largest: Option<(u64, Bson)>,
}

impl Sorted {
    /// Returns a percentile of the numbers.
    pub(super) fn percentile(&self, percent: usize) -> u64 {
        let rank = (self.all.len() * percent).div_ceil(100);
        let at = rank.saturating_sub(1);
        self.all.get(at).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_numbers() {
        let mut numbers = Numbers::default();
        for number in 1..=200 {
            numbers.add(number, &Bson::Null);
        }
        let sorted = numbers.sorted();
        let found = [0, 50, 95, 99, 100].map(|percent| sorted.percentile(percent));
        assert_eq!(found, [1, 100, 190, 198, 200]);
        assert_eq!(Numbers::default().sorted().percentile(50), 0);
    }

    #[test]
    fn numbers_of_different_types_are_different_values() {
        let mut values = Values::default();
        values.add("int", &Bson::Int32(1));
        values.add("double", &Bson::Double(1.0));
        values.add("int", &Bson::Int32(1));
        let (values, are_all) = values.listed();
        assert_eq!(values, [(Bson::Int32(1), 2), (Bson::Double(1.0), 1)]);
        assert!(are_all);
    }
}
