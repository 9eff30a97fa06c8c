//! Keys: the stored values of references, and the form in which joins compare them.

mod equality;
mod json_type;
mod new_key;
mod number;
mod plain_id;
mod strict_id;
#[cfg(test)]
mod tests;

use std::fmt;

use mongodb::bson::{
    Bson, DateTime, Decimal128, RawBsonRef, Uuid, oid::ObjectId, spec::BinarySubtype,
};
use serde::{Serialize, de::DeserializeOwned};

pub use equality::any_of;
pub(crate) use equality::{
    add_equality, equal_to, equality, has_position, is_operator_or_pattern, is_same_key,
};
pub use json_type::JsonType;
pub(crate) use new_key::NewKey;
pub(crate) use number::Number;
pub(crate) use strict_id::{read_key, write_key};

use super::codec::encode_value;
use crate::error::EncodeError;

/// A type whose values identify documents, such as an `ObjectId`, an integer, a string or a UUID.
///
/// To use your own newtype as a key, write an empty `impl`. The newtype must be stored as one value, not as an array.
///
/// # Examples
///
/// ```
/// # use serde::{Serialize, Deserialize};
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
/// struct Sku(String);
/// impl mongo_odm::Key for Sku {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key",
    label = "neither an id of this model nor a plain key",
    note = "an id field of a model is `Id<Model>` with that very model, or a key, and never an `Option`: a new id is `Id::new()`",
    note = "keys are ObjectId, String, integers, bool, DateTime, Decimal128 and the Uuid of BSON, `uuid::Uuid` with the feature `uuid`, and a newtype of your own: `struct Sku(String);` with `impl mongo_odm::Key for Sku {{}}`"
)]
pub trait Key: Serialize + DeserializeOwned + Clone + fmt::Debug + Send + Sync + 'static {
    /// The JSON type of the ids, for the features `schemars` and `utoipa`. Declare the type for your own newtype, for
    /// example [`JsonType::String`] for a newtype of a `String`.
    const JSON: JsonType = JsonType::Any;

    /// Returns the key in the form in which joins compare keys.
    ///
    /// # Errors
    ///
    /// Serde's error if the key cannot be written as BSON.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Key;
    ///
    /// assert_eq!(5_i32.join_key()?, 5_i64.join_key()?);
    /// # Ok::<(), mongo_odm::EncodeError>(())
    /// ```
    fn join_key(&self) -> Result<JoinKey, EncodeError> {
        encode_value(self).map(JoinKey::from)
    }
}

#[diagnostic::do_not_recommend]
impl Key for ObjectId {
    const JSON: JsonType = JsonType::ObjectId;

    fn join_key(&self) -> Result<JoinKey, EncodeError> {
        Ok(JoinKey::object_id(*self))
    }
}

#[diagnostic::do_not_recommend]
impl Key for String {
    const JSON: JsonType = JsonType::String;

    fn join_key(&self) -> Result<JoinKey, EncodeError> {
        Ok(JoinKey(Repr::String(self.as_str().into())))
    }
}

macro_rules! integer_keys {
    ($($type:ty: $json:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Key for $type {
            const JSON: JsonType = JsonType::$json;

            fn join_key(&self) -> Result<JoinKey, EncodeError> {
                Ok(JoinKey(Repr::Number(Number::from(i64::from(*self)))))
            }
        }
    )*};
}
integer_keys!(i8: Int32 i16: Int32 i32: Int32 i64: Int64 u8: Int32 u16: Int32 u32: Int64);

macro_rules! serde_keys {
    ($($type:ty: $json:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Key for $type {
            const JSON: JsonType = JsonType::$json;
        }
    )*};
}
serde_keys! {
    u64: Int64 f32: Double f64: Double bool: Boolean char: String
    DateTime: Date Decimal128: Decimal Uuid: Uuid
}

/// A key of any BSON type, for collections in which the stored references have different types.
///
/// You can use `Id<Part, AnyKey>` wherever you use `Id<Part>`. A stored value that is not the id of a part is then read
/// unchanged, and loads report it as missing. With `Id<Part>`, the document that contains such a value cannot be
/// decoded.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct AnyKey(
    /// The stored value.
    pub Bson,
);

#[diagnostic::do_not_recommend]
impl Key for AnyKey {
    fn join_key(&self) -> Result<JoinKey, EncodeError> {
        Ok(JoinKey::from(self.0.clone()))
    }
}

/// A key in a form that can be compared as the server compares values: by type and value. Numbers are compared only by
/// value.
///
/// `1`, `NumberLong(1)`, `1.0` and `NumberDecimal("1")` are the same key, as they are for `$in`. Numbers inside a
/// document or an array are compared in the same way. `ObjectId("..")` and a string of the same digits are different
/// keys. The order of the fields in a document is significant.
///
/// Loads and joins send whole numbers as 64-bit integers, even if they are stored as a different type. A key of type
/// `i32` therefore appears as `NumberLong("1")` in a plan. The server finds the same documents and uses the same index.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JoinKey(Repr);

/// The variants are declared in the order in which an index sorts these types. So the server can traverse the index in
/// one direction if the keys are sorted.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Repr {
    Null,
    Number(Number),
    String(Box<str>),
    /// The names and values of the fields in their stored order, which is significant.
    Document(Box<[(Box<str>, JoinKey)]>),
    Array(Box<[JoinKey]>),
    Binary(u8, Box<[u8]>),
    ObjectId([u8; 12]),
    Bool(bool),
    DateTime(i64),
    /// A value of any other type, as the bytes of a document whose only field contains the value. Equal values have
    /// equal bytes.
    Other(Box<[u8]>),
}

impl JoinKey {
    pub(crate) const NULL: Self = Self(Repr::Null);

    pub(crate) const fn object_id(id: ObjectId) -> Self {
        Self(Repr::ObjectId(id.bytes()))
    }

    pub(crate) const fn as_object_id(&self) -> Option<ObjectId> {
        match self.0 {
            Repr::ObjectId(bytes) => Some(ObjectId::from_bytes(bytes)),
            _ => None,
        }
    }

    /// Returns whether the key is null. A null key never matches a document.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::{JoinKey, bson::Bson};
    ///
    /// assert!(JoinKey::from(Bson::Null).is_null());
    /// println!("{}", JoinKey::from(Bson::from("P1")).to_bson());
    /// ```
    pub const fn is_null(&self) -> bool {
        matches!(self.0, Repr::Null)
    }

    /// Returns whether the server would apply a collation when it compares this key.
    pub(crate) fn has_collation(&self) -> bool {
        match &self.0 {
            Repr::String(_) | Repr::Other(_) => true,
            Repr::Document(fields) => fields.iter().any(|(_, value)| value.has_collation()),
            Repr::Array(items) => items.iter().any(Self::has_collation),
            _ => false,
        }
    }

    /// Converts a value in a stored document to a key, without decoding the value into an intermediate type.
    #[doc(hidden)]
    pub fn from_raw(value: RawBsonRef<'_>) -> Self {
        match value {
            RawBsonRef::ObjectId(id) => Self::object_id(id),
            RawBsonRef::String(text) => Self(Repr::String(text.into())),
            RawBsonRef::Int32(int) => Self(Repr::Number(Number::from(i64::from(int)))),
            RawBsonRef::Int64(int) => Self(Repr::Number(Number::from(int))),
            other => Bson::try_from(other).map_or(Self(Repr::Null), Self::from),
        }
    }

    /// Converts a value inside a document or an array to a key. There, the server distinguishes undefined from null.
    fn nested(value: Bson) -> Self {
        match value {
            Bson::Undefined => Self(Repr::Other(other_bytes(value))),
            value => Self::from(value),
        }
    }

    /// Returns whether the server accepts the key as a part of an `_id`. An `_id` must not contain field names that
    /// begin with `$`.
    fn is_storable_in_id(&self) -> bool {
        match &self.0 {
            Repr::Document(fields) => fields
                .iter()
                .all(|(name, value)| !name.starts_with('$') && value.is_storable_in_id()),
            Repr::Array(items) => items.iter().all(Self::is_storable_in_id),
            _ => true,
        }
    }

    /// Returns the name and value of the field that stores the key in an `_id`. The value is the key itself, or its
    /// bytes if the server would reject the key.
    pub(crate) fn to_id_field(&self) -> (String, Bson) {
        if self.is_storable_in_id() {
            return ("key".to_owned(), self.to_bson());
        }
        let bytes = Bson::Binary(mongodb::bson::Binary {
            subtype: BinarySubtype::Generic,
            bytes: other_bytes(self.to_bson()).into(),
        });
        ("key_bytes".to_owned(), bytes)
    }

    /// Reads the key from an `_id` that contains the field returned by [`to_id_field`](Self::to_id_field).
    pub(crate) fn from_id_field(id: &mongodb::bson::Document) -> Option<Self> {
        match (id.get("key"), id.get("key_bytes")) {
            (Some(key), _) => Some(Self::from(key.clone())),
            (None, Some(Bson::Binary(key))) => Some(Self::from(other_value(&key.bytes))),
            _ => None,
        }
    }

    /// Returns the approximate size of the value in bytes.
    pub(crate) fn size(&self) -> usize {
        match &self.0 {
            Repr::String(text) => text.len() + 5,
            Repr::Document(fields) => {
                let of_field = |(name, value): &(Box<str>, Self)| name.len() + 2 + value.size();
                fields.iter().map(of_field).sum::<usize>() + 5
            }
            Repr::Array(items) => items.iter().map(|item| 8 + item.size()).sum::<usize>() + 5,
            Repr::Binary(_, bytes) => bytes.len() + 5,
            Repr::Other(bytes) => bytes.len(),
            Repr::Null
            | Repr::Number(_)
            | Repr::ObjectId(_)
            | Repr::Bool(_)
            | Repr::DateTime(_) => 16,
        }
    }

    /// Returns the BSON value that represents the key in a statement for the server.
    ///
    /// # Examples
    ///
    /// See [`is_null`](Self::is_null).
    pub fn to_bson(&self) -> Bson {
        match &self.0 {
            Repr::Null => Bson::Null,
            Repr::Number(number) => number.to_bson(),
            Repr::String(text) => Bson::String(text.as_ref().to_owned()),
            Repr::Document(fields) => {
                let fields = fields.iter();
                Bson::Document(fields.map(|(k, v)| (k.to_string(), v.to_bson())).collect())
            }
            Repr::Array(items) => Bson::Array(items.iter().map(Self::to_bson).collect()),
            Repr::Binary(subtype, bytes) => Bson::Binary(mongodb::bson::Binary {
                subtype: BinarySubtype::from(*subtype),
                bytes: bytes.to_vec(),
            }),
            Repr::ObjectId(bytes) => Bson::ObjectId(ObjectId::from_bytes(*bytes)),
            Repr::Bool(value) => Bson::Boolean(*value),
            Repr::DateTime(millis) => Bson::DateTime(DateTime::from_millis(*millis)),
            Repr::Other(bytes) => other_value(bytes),
        }
    }
}

impl From<Bson> for JoinKey {
    fn from(value: Bson) -> Self {
        Self(match value {
            Bson::Null | Bson::Undefined => Repr::Null,
            Bson::Int32(int) => Repr::Number(Number::from(i64::from(int))),
            Bson::Int64(int) => Repr::Number(Number::from(int)),
            Bson::Double(double) => Repr::Number(Number::from(double)),
            Bson::Decimal128(decimal) => Repr::Number(Number::from(decimal)),
            Bson::String(text) | Bson::Symbol(text) => Repr::String(text.into()),
            Bson::Binary(binary) => Repr::Binary(binary.subtype.into(), binary.bytes.into()),
            Bson::ObjectId(id) => Repr::ObjectId(id.bytes()),
            Bson::Boolean(value) => Repr::Bool(value),
            Bson::DateTime(date) => Repr::DateTime(date.timestamp_millis()),
            Bson::Document(document) => {
                let fields = document.into_iter();
                Repr::Document(fields.map(|(k, v)| (k.into(), Self::nested(v))).collect())
            }
            Bson::Array(items) => Repr::Array(items.into_iter().map(Self::nested).collect()),
            other => Repr::Other(other_bytes(other)),
        })
    }
}

fn other_bytes(value: Bson) -> Box<[u8]> {
    let mut document = mongodb::bson::Document::new();
    document.insert("v", value);
    mongodb::bson::RawDocumentBuf::try_from(&document)
        .map(|raw| raw.as_bytes().into())
        .unwrap_or_default()
}

fn other_value(bytes: &[u8]) -> Bson {
    mongodb::bson::RawDocument::from_bytes(bytes)
        .ok()
        .and_then(|raw| raw.get("v").ok().flatten())
        .and_then(|value| Bson::try_from(value).ok())
        .unwrap_or(Bson::Null)
}

/// Formats the key in mongosh notation.
impl fmt::Display for JoinKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::mongosh::value(&self.to_bson()))
    }
}

impl fmt::Debug for JoinKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
