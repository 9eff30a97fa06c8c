//! Computes evenly spaced points between two ids. A sample reads documents at these points.

use mongodb::bson::{Binary, Bson, DateTime, oid::ObjectId};

/// Returns evenly spaced points between two ids, excluding these ids. The result is empty if no distances can be
/// computed between ids of this type.
///
/// A point is only a position in the order of the index, and is not necessarily the id of a document.
pub(super) fn between(low: &Bson, high: &Bson, parts: u32) -> Vec<Bson> {
    let mut points = match (low, high) {
        (Bson::ObjectId(low), Bson::ObjectId(high)) => {
            let number = |id: &ObjectId| number(&id.bytes()) >> 32;
            let id = |number: u128| object_id(number << 32);
            steps(number(low), number(high), parts, id)
        }
        (Bson::DateTime(low), Bson::DateTime(high)) => {
            let number = |date: &DateTime| ordered(date.timestamp_millis());
            let date = |number| DateTime::from_millis(signed(number)).into();
            steps(number(low), number(high), parts, date)
        }
        (Bson::String(low), Bson::String(high)) => texts(low, high, parts),
        (Bson::Binary(low), Bson::Binary(high)) => binaries(low, high, parts),
        (low, high) => match (integer(low), integer(high)) {
            (Some(low), Some(high)) => steps(low, high, parts, |it| Bson::Int64(signed(it))),
            _ => Vec::new(),
        },
    };
    points.dedup();
    points.retain(|point| point != low);
    points
}

/// Returns the points that divide the distance between two numbers into equal steps.
fn steps(low: u128, high: u128, parts: u32, point: impl Fn(u128) -> Bson) -> Vec<Bson> {
    let step = high.saturating_sub(low) / u128::from(parts.max(1));
    if step == 0 {
        return Vec::new();
    }
    let points = (1..parts).map(|at| low + step * u128::from(at));
    points.map(point).collect()
}

/// Converts the first sixteen bytes to a number. Missing bytes count as zeros.
fn number(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    for (to, from) in all.iter_mut().zip(bytes) {
        *to = *from;
    }
    u128::from_be_bytes(all)
}

fn object_id(number: u128) -> Bson {
    let bytes = number.to_be_bytes();
    let mut id = [0; 12];
    for (to, from) in id.iter_mut().zip(bytes) {
        *to = from;
    }
    ObjectId::from_bytes(id).into()
}

/// Maps signed numbers to unsigned numbers with the same order.
fn ordered(number: i64) -> u128 {
    u128::from(number.cast_unsigned() ^ (1 << 63))
}

fn signed(ordered: u128) -> i64 {
    let number = u64::try_from(ordered).unwrap_or(u64::MAX);
    (number ^ (1 << 63)).cast_signed()
}

/// Converts a value of any numeric type to an integer, because the server compares numbers by value, and older shells
/// store integers as doubles.
fn integer(value: &Bson) -> Option<u128> {
    #[allow(clippy::cast_possible_truncation, reason = "a place in the order")]
    let number = match value {
        Bson::Int32(number) => i64::from(*number),
        Bson::Int64(number) => *number,
        Bson::Double(number) => *number as i64,
        _ => return None,
    };
    Some(ordered(number))
}

/// Returns points between binary values. The server orders binary data first by length and then by subtype, so the
/// lengths and subtypes must be equal.
fn binaries(low: &Binary, high: &Binary, parts: u32) -> Vec<Bson> {
    let (length, subtype) = (low.bytes.len(), low.subtype);
    if length != high.bytes.len() || subtype != high.subtype {
        return Vec::new();
    }
    let binary = |number: u128| {
        let mut bytes = number.to_be_bytes().to_vec();
        bytes.resize(length, 0);
        Binary { subtype, bytes }.into()
    };
    steps(number(&low.bytes), number(&high.bytes), parts, binary)
}

/// Returns points between two strings. To compute distances, the part after the common beginning of the strings is
/// converted to a number.
fn texts(low: &str, high: &str, parts: u32) -> Vec<Bson> {
    let same = low.chars().zip(high.chars());
    let same: String = same.take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    let rest = |text: &str| number(text.as_bytes().get(same.len()..).unwrap_or_default());
    let text = |number: u128| {
        let letters = number.to_be_bytes().into_iter().take_while(|it| *it != 0);
        // A byte above 0x7e may be part of a multi-byte character. A byte above 0x7e is therefore replaced by the
        // nearest single-byte character.
        let letters = letters.map(|it| char::from(it.min(0x7e)));
        Bson::String(same.chars().chain(letters).collect())
    };
    steps(rest(low), rest(high), parts, text)
}

#[cfg(test)]
mod tests {
    use mongodb::bson::spec::BinarySubtype;

    use super::*;

    #[test]
    fn points_lie_between_two_ids_of_a_type() {
        let number = |from: i32, to: i64| between(&Bson::Int32(from), &Bson::Int64(to), 4);
        assert_eq!(
            number(-100, 300),
            [Bson::Int64(0), Bson::Int64(100), Bson::Int64(200)]
        );
        assert!(number(1, 3).is_empty() && number(5, 1).is_empty());
        let text = between(&"p100".into(), &"p900".into(), 4);
        assert!(text.is_sorted_by_key(|it| it.as_str().map(str::to_owned)));
        assert!(
            text.iter()
                .all(|it| it.as_str().is_some_and(|it| it > "p1" && it < "p9")),
            "{text:?}"
        );
        let date = |millis| DateTime::from_millis(millis).into();
        assert_eq!(between(&date(0), &date(20), 2), [date(10)]);
        let id = |last: u8| {
            let mut bytes = [7; 12];
            bytes[11] = last;
            Bson::from(ObjectId::from_bytes(bytes))
        };
        assert_eq!(between(&id(0), &id(200), 2), [id(100)]);
        let uuid = |first| {
            let (subtype, mut bytes) = (BinarySubtype::Uuid, vec![0; 16]);
            bytes[0] = first;
            Bson::Binary(Binary { subtype, bytes })
        };
        assert_eq!(between(&uuid(0), &uuid(4), 2), [uuid(2)]);
    }

    #[test]
    fn ids_of_several_types_have_no_distance() {
        for (low, high) in [
            (Bson::Int32(1), Bson::from("x")),
            (Bson::Null, Bson::Null),
            (mongodb::bson::doc! { "a": 1 }.into(), Bson::from("x")),
        ] {
            assert!(between(&low, &high, 8).is_empty());
        }
    }
}
