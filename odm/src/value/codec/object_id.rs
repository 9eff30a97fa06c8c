//! Reads an `ObjectId` from BSON quickly and strictly.
//!
//! Most ids are an `ObjectId`. The `Deserialize` impl of `ObjectId` is not strict, because it also accepts texts and
//! binary data. `RawBson` distinguishes these types, but takes three times as long.

use std::fmt;

use mongodb::bson::{Binary, RawBson, oid::ObjectId, spec::BinarySubtype};
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor,
        value::{MapAccessDeserializer, StringDeserializer},
    },
    forward_to_deserialize_any,
};

use super::read_stored;

/// The name by which `RawBson` asks the driver's deserializer for a value and its BSON type. If a future driver does
/// not know the name, it passes a deserializer to the visitor, as it does for all unknown names. The result is then
/// still the same.
const AS_STORED: &str = "$__private__bson_RawBson";

/// Reads an `ObjectId`. For any other stored value, `refusal` returns the error message.
#[inline]
pub(crate) fn read_object_id<'de, D: Deserializer<'de>>(
    deserializer: D,
    refusal: fn(RawBson) -> String,
) -> Result<ObjectId, D::Error> {
    let visitor = StoredObjectId { refusal };
    if deserializer.is_human_readable() {
        return visitor.object_id(read_stored(deserializer)?);
    }
    deserializer.deserialize_newtype_struct(AS_STORED, visitor)
}

#[derive(Clone, Copy)]
struct StoredObjectId {
    refusal: fn(RawBson) -> String,
}

impl StoredObjectId {
    #[cold]
    fn read_map<'de, A: MapAccess<'de>>(self, map: ReplayedMap<A>) -> Result<ObjectId, A::Error> {
        self.object_id(RawBson::deserialize(MapAccessDeserializer::new(map))?)
    }

    fn object_id<E: Error>(self, stored: RawBson) -> Result<ObjectId, E> {
        match stored {
            RawBson::ObjectId(id) => Ok(id),
            other => Err(E::custom((self.refusal)(other))),
        }
    }
}

macro_rules! other_values {
    ($($visit:ident: $type:ty)*) => {$(
        #[cold]
        fn $visit<E: Error>(self, value: $type) -> Result<ObjectId, E> {
            self.object_id(RawBson::deserialize(value.into_deserializer())?)
        }
    )*};
}

impl<'de> Visitor<'de> for StoredObjectId {
    type Value = ObjectId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of BSON")
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ObjectId, A::Error> {
        let first = match map.next_key()? {
            Some(Name::ObjectId) => return map.next_value(),
            Some(Name::Other(name)) => Some(name),
            None => None,
        };
        self.read_map(ReplayedMap { first, map })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<ObjectId, D::Error> {
        self.object_id(read_stored(value)?)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<ObjectId, E> {
        self.object_id(RawBson::Binary(Binary {
            subtype: BinarySubtype::Generic,
            bytes: bytes.to_vec(),
        }))
    }

    fn visit_unit<E: Error>(self) -> Result<ObjectId, E> {
        self.object_id(RawBson::Null)
    }

    other_values! {
        visit_bool: bool
        visit_i32: i32
        visit_i64: i64
        visit_f64: f64
        visit_str: &str
    }
}

/// The map key with which the driver marks the type of a value for serde.
enum Name {
    ObjectId,
    Other(String),
}

impl<'de> Deserialize<'de> for Name {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            #[inline]
            fn visit_str<E: Error>(self, name: &str) -> Result<Name, E> {
                Ok(match name {
                    "$oid" => Name::ObjectId,
                    other => Name::Other(other.to_owned()),
                })
            }
        }
        deserializer.deserialize_str(NameVisitor)
    }
}

/// A deserializer for a map key that has already been read. If the driver requests a newtype, the newtype contains
/// this key.
struct FirstName<E>(StringDeserializer<E>);

impl<E: Error> FirstName<E> {
    fn new(name: String) -> Self {
        Self(name.into_deserializer())
    }
}

impl<'de, E: Error> Deserializer<'de> for FirstName<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A map whose first key has already been read.
struct ReplayedMap<A> {
    first: Option<String>,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for ReplayedMap<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        match self.first.take() {
            Some(first) => seed.deserialize(FirstName::new(first)).map(Some),
            None => self.map.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        self.map.next_value_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

    use super::*;
    use crate::value::codec::bson_version::decode_bytes;

    #[derive(Debug)]
    struct Read(ObjectId);

    impl<'de> Deserialize<'de> for Read {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            read_object_id(deserializer, |stored| format!("{stored:?}")).map(Read)
        }
    }

    #[derive(Debug, Deserialize)]
    struct Wrap<T> {
        v: T,
    }

    fn read<T: serde::de::DeserializeOwned>(value: &Bson) -> Result<T, String> {
        let raw = RawDocumentBuf::try_from(&doc! { "v": value.clone() }).unwrap();
        decode_bytes::<Wrap<T>>(raw.as_bytes()).map(|wrap| wrap.v)
    }

    /// Some of these values are accepted as an `ObjectId` by other readers.
    #[test]
    fn nothing_but_an_object_id_is_one_and_all_else_is_what_is_stored() {
        let id = ObjectId::new();
        let binary = |subtype, bytes: &[u8]| {
            Bson::from(Binary {
                subtype,
                bytes: bytes.to_vec(),
            })
        };
        assert_eq!(read::<Read>(&id.into()).unwrap().0, id);
        for other in [
            Bson::Null,
            Bson::from(id.to_hex()),
            binary(BinarySubtype::Generic, &id.bytes()),
            binary(BinarySubtype::UserDefined(200), &id.bytes()),
            binary(BinarySubtype::Uuid, &[7; 16]),
            Bson::from(doc! { "$oid": id.to_hex() }),
            Bson::from(doc! { "$oid": id }),
            Bson::from(Document::new()),
            Bson::from(vec![Bson::from(id)]),
            Bson::from(vec![Bson::from("$oid"), Bson::from(id)]),
            Bson::from(1),
            Bson::from(1_i64),
            Bson::from(1.5),
            Bson::from(true),
            Bson::from(mongodb::bson::DateTime::from_millis(1)),
            Bson::Symbol("$oid".to_owned()),
            Bson::MinKey,
            Bson::Undefined,
            Bson::Decimal128("1.0".parse().unwrap()),
            Bson::Timestamp(mongodb::bson::Timestamp {
                time: 1,
                increment: 2,
            }),
            Bson::JavaScriptCode("f()".to_owned()),
        ] {
            let stored = RawBson::try_from(other.clone()).unwrap();
            let refused = read::<Read>(&other).unwrap_err();
            assert!(refused.contains(&format!("{stored:?}")), "{refused}");
        }
    }

    /// If the driver does not know the name, ids are still read correctly, but more slowly.
    #[test]
    fn the_driver_knows_the_name_of_values_as_they_are_stored() {
        #[derive(Debug)]
        struct Known(bool);
        struct KnownVisitor;
        impl<'de> Visitor<'de> for KnownVisitor {
            type Value = Known;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an `ObjectId`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Known, A::Error> {
                while map.next_entry::<String, ObjectId>()?.is_some() {}
                Ok(Known(true))
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, id: D) -> Result<Known, D::Error> {
                ObjectId::deserialize(id).map(|_| Known(false))
            }
        }
        impl<'de> Deserialize<'de> for Known {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_newtype_struct(AS_STORED, KnownVisitor)
            }
        }
        assert!(read::<Known>(&ObjectId::new().into()).unwrap().0);
    }
}
