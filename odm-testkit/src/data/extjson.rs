//! Converts extended JSON to BSON.
//!
//! The `bson` crate can convert values of `serde_json` only with a feature that the driver cannot
//! enable. Also, the deserializer of `bson` converts a negative number to an `Int64` even if the
//! number fits an `Int32`. So this module reads plain values itself, and uses `bson` only for
//! objects such as `{"$oid": ..}`.

use std::fmt;

use mongodb::bson::{Bson, Document};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

/// Reads one document from a text in extended JSON.
pub(super) fn document(text: &str) -> serde_json::Result<Document> {
    match serde_json::from_str::<Extended>(text)?.0 {
        Bson::Document(document) => Ok(document),
        other => Err(Error::custom(format!("expected a document, not {other}"))),
    }
}

/// A value that was read from extended JSON.
struct Extended(Bson);

impl<'de> Deserialize<'de> for Extended {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ExtendedVisitor).map(Self)
    }
}

struct ExtendedVisitor;

impl<'de> Visitor<'de> for ExtendedVisitor {
    type Value = Bson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value in extended JSON")
    }

    fn visit_unit<E>(self) -> Result<Bson, E> {
        Ok(Bson::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Bson, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Bson, E> {
        Ok(i32::try_from(value).map_or(Bson::Int64(value), Bson::Int32))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Bson, E> {
        let value = i64::try_from(value).map_err(|_| E::custom(format!("{value} is too large")))?;
        self.visit_i64(value)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Bson, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Bson, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Bson, A::Error> {
        let mut array = Vec::new();
        while let Some(Extended(value)) = from.next_element()? {
            array.push(value);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Bson, A::Error> {
        let mut document = Document::new();
        while let Some(key) = from.next_key::<String>()? {
            if document.is_empty() && is_wrapper(&key) {
                return wrapped(key, from);
            }
            document.insert(key, from.next_value::<Extended>()?.0);
        }
        Ok(document.into())
    }
}

/// Whether the first key of an object shows that the object represents a single value. The keys of a `DBRef` do not
/// show this, because a `DBRef` is an ordinary document.
fn is_wrapper(key: &str) -> bool {
    key.starts_with('$') && !matches!(key, "$ref" | "$id" | "$db")
}

/// Reads an object that represents a single value, with the `bson` crate.
fn wrapped<'de, A: MapAccess<'de>>(first: String, mut from: A) -> Result<Bson, A::Error> {
    let mut object = Map::new();
    object.insert(first, from.next_value()?);
    while let Some((key, value)) = from.next_entry::<String, Value>()? {
        object.insert(key, value);
    }
    serde_json::from_value(object.into()).map_err(A::Error::custom)
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{doc, oid::ObjectId};

    use super::*;

    #[test]
    fn canonical_and_relaxed_numbers_are_the_same() {
        let text = r#"{"i": {"$numberInt": "-5"}, "j": -5, "l": {"$numberLong": "-5"}, "d": 1.0,
                       "e": {"$numberDouble": "1.0"}, "big": 5000000000}"#;
        let expected =
            doc! { "i": -5, "j": -5, "l": -5_i64, "d": 1.0, "e": 1.0, "big": 5_000_000_000_i64 };
        assert_eq!(document(text).unwrap(), expected);
    }

    #[test]
    fn types_come_out_at_any_depth_and_fields_keep_their_order() {
        let text = r#"{"z": [{"$oid": "5ca4bbc7a2dd94ee58162393"}], "a": {"$date": "1970-01-01T00:00:01Z"},
                       "m": {"$date": {"$numberLong": "1000"}}, "n": {"k": null}, "r": {"$ref": "c", "$id": 1}}"#;
        let found = document(text).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["z", "a", "m", "n", "r"]);
        let id = ObjectId::parse_str("5ca4bbc7a2dd94ee58162393").unwrap();
        assert_eq!(found.get_array("z").unwrap()[0], Bson::ObjectId(id));
        assert_eq!(found.get_datetime("a").unwrap().timestamp_millis(), 1000);
        assert_eq!(found.get("a"), found.get("m"));
        assert_eq!(found.get_document("n").unwrap(), &doc! { "k": null });
        assert_eq!(
            found.get_document("r").unwrap(),
            &doc! { "$ref": "c", "$id": 1 }
        );
    }

    #[test]
    fn what_is_no_document_is_an_error() {
        for text in [
            "[1]",
            "{",
            r#"{"$oid": "5ca4bbc7a2dd94ee58162393"}"#,
            r#"{"a": {"$oid": 1}}"#,
        ] {
            assert!(document(text).is_err(), "{text}");
        }
    }
}
