use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use mongodb::bson::doc;

use super::*;

fn key(value: impl Into<Bson>) -> JoinKey {
    JoinKey::from(value.into())
}

fn hash(key: &JoinKey) -> u64 {
    FixedState::default().hash_one(key)
}

#[test]
fn documents_and_arrays_with_equal_numbers_are_one_key() {
    let decimal = Bson::Decimal128("1.0".parse().unwrap());
    let one = key(doc! { "a": [{ "b": 1_i32 }] });
    for same in [
        doc! { "a": [{ "b": 1_i64 }] },
        doc! { "a": [{ "b": 1.0 }] },
        doc! { "a": [{ "b": decimal }] },
    ] {
        let same = key(same);
        assert_eq!(one, same);
        assert_eq!(hash(&one), hash(&same));
        let raw = mongodb::bson::RawBson::try_from(same.to_bson()).unwrap();
        assert_eq!(JoinKey::from_raw(raw.as_raw_bson_ref()), one);
    }
}

#[test]
fn names_their_order_and_types_keep_documents_apart() {
    let documents = [
        doc! { "a": 1, "b": 2 },
        doc! { "b": 2, "a": 1 },
        doc! { "a": 1, "c": 2 },
        doc! { "a": 1 },
        doc! { "a": "1", "b": 2 },
        doc! { "a": [1], "b": 2 },
        doc! { "a": { "0": 1 }, "b": 2 },
        doc! { "a": Bson::Null },
        doc! { "a": Bson::Undefined },
        doc! {},
    ];
    for (at, left) in documents.iter().enumerate() {
        for (of, right) in documents.iter().enumerate() {
            let same = key(left.clone()) == key(right.clone());
            assert_eq!(same, at == of, "{left} and {right}");
        }
    }
}

#[test]
fn a_collation_concerns_keys_that_hold_text() {
    assert!(key(doc! { "a": [{ "b": "x" }] }).has_collation());
    assert!(!key(doc! { "a": [{ "b": 1 }] }).has_collation());
}
