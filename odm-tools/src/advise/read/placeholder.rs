//! Recognizes placeholders, which are keys that mean "no document".

use mongodb::bson::{Bson, oid::ObjectId};

/// A dangling key counts as a placeholder if it is at least this many times as frequent as keys are on average.
const TIMES: u64 = 10;

/// Returns a dangling value and its frequency, if the value is a placeholder. A value is a placeholder if its form
/// shows this, or if it is much more frequent than other keys. `of` contains the number of all keys and the number of
/// distinct keys.
pub(super) fn placeholder(value: &Bson, times: u64, of: (u64, u64)) -> Option<(Bson, u64)> {
    let (keys, different) = of;
    let is_frequent = times.saturating_mul(different) >= TIMES.saturating_mul(keys);
    let is_one = times > 1 && (is_nothing(value) || is_frequent);
    is_one.then(|| (value.clone(), times))
}

/// Whether a value means "no document" because of its form: 0, a negative number, a string without any letters and
/// digits, or an id of zeros.
fn is_nothing(value: &Bson) -> bool {
    match value {
        Bson::Int32(number) => *number <= 0,
        Bson::Int64(number) => *number <= 0,
        Bson::Double(number) => *number <= 0.0,
        Bson::String(text) => !text.contains(char::is_alphanumeric),
        Bson::ObjectId(id) => *id == ObjectId::from_bytes([0; 12]),
        Bson::Binary(binary) => binary.bytes.iter().all(|byte| *byte == 0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_says_that_it_is_no_key_by_itself_or_by_its_number() {
        let of = |value: Bson, times| placeholder(&value, times, (1_000, 100)).is_some();
        for nothing in [Bson::Int32(0), Bson::Int64(-1), "".into(), "-".into()] {
            assert!(of(nothing.clone(), 2), "{nothing}");
            assert!(!of(nothing.clone(), 1), "{nothing}");
        }
        // Each key occurs 10 times on average.
        assert!(!of(Bson::Int32(7), 99) && of(Bson::Int32(7), 100));
        assert!(!of("none".into(), 10) && of("none".into(), 150));
        assert!(of(Bson::ObjectId(ObjectId::from_bytes([0; 12])), 2));
    }
}
