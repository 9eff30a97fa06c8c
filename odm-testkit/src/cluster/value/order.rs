//! Compares values in the order of the server's indexes, in which the chunks of a collection are sorted.

use std::cmp::Ordering;

use mongodb::bson::Bson;

/// Compares two values. Strings are compared without a collation.
pub(crate) fn compare(left: &Bson, right: &Bson) -> Ordering {
    let types = canonical_type(left).cmp(&canonical_type(right));
    types.then_with(|| compare_same(left, right))
}

/// Compares two lists of values, such as the values of a shard key.
pub(crate) fn compare_all(left: &[Bson], right: &[Bson]) -> Ordering {
    let mut pairs = left.iter().zip(right);
    let different = pairs.find_map(|(left, right)| {
        let order = compare(left, right);
        (order != Ordering::Equal).then_some(order)
    });
    different.unwrap_or_else(|| left.len().cmp(&right.len()))
}

/// Returns the number of a type in the server's order of types. All numbers have the same type.
pub(crate) fn canonical_type(value: &Bson) -> i32 {
    match value {
        Bson::MinKey => -1,
        Bson::Undefined => 0,
        Bson::Null => 5,
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => 10,
        Bson::String(_) | Bson::Symbol(_) => 15,
        Bson::Document(_) => 20,
        Bson::Array(_) => 25,
        Bson::Binary(_) => 30,
        Bson::ObjectId(_) => 35,
        Bson::Boolean(_) => 40,
        Bson::DateTime(_) => 45,
        Bson::Timestamp(_) => 47,
        Bson::RegularExpression(_) => 50,
        Bson::DbPointer(_) => 55,
        Bson::JavaScriptCode(_) => 60,
        Bson::JavaScriptCodeWithScope(_) => 65,
        Bson::MaxKey => 127,
    }
}

fn compare_same(left: &Bson, right: &Bson) -> Ordering {
    match (left, right) {
        (Bson::String(left) | Bson::Symbol(left), Bson::String(right) | Bson::Symbol(right)) => {
            left.cmp(right)
        }
        (Bson::ObjectId(left), Bson::ObjectId(right)) => left.bytes().cmp(&right.bytes()),
        (Bson::Boolean(left), Bson::Boolean(right)) => left.cmp(right),
        (Bson::DateTime(left), Bson::DateTime(right)) => left.cmp(right),
        (Bson::Timestamp(left), Bson::Timestamp(right)) => left.cmp(right),
        (Bson::Binary(left), Bson::Binary(right)) => {
            let left = (left.bytes.len(), u8::from(left.subtype), &left.bytes);
            left.cmp(&(right.bytes.len(), u8::from(right.subtype), &right.bytes))
        }
        (Bson::Array(left), Bson::Array(right)) => compare_all(left, right),
        (Bson::Document(left), Bson::Document(right)) => {
            let fields = left.iter().zip(right).find_map(|((a, left), (b, right))| {
                let types = canonical_type(left).cmp(&canonical_type(right));
                let order = types
                    .then_with(|| a.cmp(b))
                    .then_with(|| compare_same(left, right));
                (order != Ordering::Equal).then_some(order)
            });
            fields.unwrap_or_else(|| left.len().cmp(&right.len()))
        }
        _ => compare_numbers(left, right),
    }
}

fn compare_numbers(left: &Bson, right: &Bson) -> Ordering {
    if let (Some(left), Some(right)) = (whole(left), whole(right)) {
        return left.cmp(&right);
    }
    let (Some(left), Some(right)) = (number(left), number(right)) else {
        return Ordering::Equal;
    };
    // The server sorts NaN before all other numbers.
    let nan = || right.is_nan().cmp(&left.is_nan());
    left.partial_cmp(&right).unwrap_or_else(nan)
}

fn whole(value: &Bson) -> Option<i64> {
    match value {
        Bson::Int32(number) => Some((*number).into()),
        Bson::Int64(number) => Some(*number),
        _ => None,
    }
}

#[allow(clippy::cast_precision_loss, reason = "only compared with doubles")]
fn number(value: &Bson) -> Option<f64> {
    match value {
        Bson::Double(number) => Some(*number),
        Bson::Decimal128(number) => number.to_string().parse().ok(),
        other => whole(other).map(|number| number as f64),
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{bson, doc, oid::ObjectId};

    use super::*;

    #[test]
    fn values_have_the_order_of_the_server() {
        let sorted = [
            Bson::MinKey,
            Bson::Null,
            bson!(f64::NAN),
            bson!(-1),
            bson!(1.5),
            bson!(2_i64),
            bson!(""),
            bson!("a"),
            Bson::Document(doc! {}),
            Bson::Document(doc! { "a": 1 }),
            Bson::Document(doc! { "a": "x" }),
            bson!([1]),
            Bson::ObjectId(ObjectId::from_bytes([1; 12])),
            bson!(false),
            bson!(true),
            Bson::MaxKey,
        ];
        for (n, left) in sorted.iter().enumerate() {
            for (m, right) in sorted.iter().enumerate() {
                assert_eq!(compare(left, right), n.cmp(&m), "{left} {right}");
            }
        }
        assert_eq!(compare(&bson!(2), &bson!(2.0)), Ordering::Equal);
    }
}
