//! Computes the hash of a value in a hashed index. The hash determines the chunk of a document.
//!
//! The server hashes the seed 0, the canonical type of the value and its bytes with MD5, and uses the first 8 bytes.
//! All numbers are converted to 64-bit integers. Fields of documents are hashed one after the other, with their names.

use md5::{Digest, Md5};
use mongodb::bson::{Bson, Document};

use super::order::canonical_type;

/// Number of bytes before the value, in a document with one field that has an empty name: the length of the document,
/// the type of the field, and the end of the name.
const BEFORE_VALUE: usize = 4 + 1 + 1;

/// Returns the hash of a value. A missing field has the hash of null.
pub(crate) fn hashed(value: &Bson) -> i64 {
    let mut hasher = Md5::new();
    hasher.update(0_i32.to_le_bytes());
    add(&mut hasher, value, None);
    let digest = hasher.finalize();
    let mut first = [0; 8];
    for (to, from) in first.iter_mut().zip(digest) {
        *to = from;
    }
    i64::from_le_bytes(first)
}

fn add(hasher: &mut Md5, value: &Bson, name: Option<&str>) {
    hasher.update(canonical_type(value).to_le_bytes());
    if let Some(name) = name {
        hasher.update(name.as_bytes());
        hasher.update([0]);
    }
    match value {
        Bson::Document(fields) => {
            for (name, value) in fields {
                add(hasher, value, Some(name));
            }
            add_end(hasher);
        }
        Bson::Array(items) => {
            for (number, value) in items.iter().enumerate() {
                add(hasher, value, Some(&number.to_string()));
            }
            add_end(hasher);
        }
        other => match number(other) {
            Some(number) => hasher.update(number.to_le_bytes()),
            None => hasher.update(bytes(other)),
        },
    }
}

/// Adds the end of a document, which the server treats as a value of the type 0 without a name.
fn add_end(hasher: &mut Md5) {
    hasher.update(0_i32.to_le_bytes());
}

/// Returns a number without its fraction. The server rounds only decimal numbers. Numbers that are too large become the
/// largest integer.
#[allow(
    clippy::cast_possible_truncation,
    reason = "`as` saturates, as the server does"
)]
fn number(value: &Bson) -> Option<i64> {
    match value {
        Bson::Int32(number) => Some((*number).into()),
        Bson::Int64(number) => Some(*number),
        Bson::Double(number) => Some(*number as i64),
        Bson::Decimal128(number) => {
            let number: f64 = number.to_string().parse().unwrap_or_default();
            Some(number.round_ties_even() as i64)
        }
        _ => None,
    }
}

/// Returns the stored bytes of a value, without its type and name.
fn bytes(value: &Bson) -> Vec<u8> {
    let document = Document::from_iter([(String::new(), value.clone())]);
    let mut bytes = Vec::new();
    // Writing fails only for a regular expression that contains a zero byte.
    let _ = document.to_writer(&mut bytes);
    let end = bytes.len().saturating_sub(1);
    bytes.get(BEFORE_VALUE..end).unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    use mongodb::bson::bson;

    use super::*;

    /// The numbers are replies of the server's command `_hashBSONElement`. `tests/cluster/routing.rs` compares more values.
    #[test]
    fn hashes_are_those_of_the_server() {
        assert_eq!(hashed(&bson!("hello")), 5_347_277_839_332_858_538);
        assert_eq!(hashed(&bson!(5)), 4_470_791_281_878_691_347);
        assert_eq!(hashed(&bson!(5.7)), hashed(&bson!(5_i64)));
    }
}
