//! Reads ids from plain values: the strings, numbers and booleans of JSON, and the text of paths and query strings.
//!
//! The functions accept three forms of a key:
//!
//! - the plain value that JSON contains, for example `"65f0..."` for an `ObjectId` and `45` for an integer
//! - extended JSON, for example `{ "$oid": "65f0..." }` and `{ "$numberLong": "45" }`
//! - the text of a number, because paths, query strings and the keys of JSON objects contain only text

use std::any::{Any, TypeId};

use mongodb::bson::Bson;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};

use crate::value::{codec::decode_value, with::read_extended};

/// Calls a macro for each key type that has its own BSON type in stored documents, but is a string in JSON.
macro_rules! for_native_keys {
    ($call:ident) => {
        $call!(mongodb::bson::oid::ObjectId);
        $call!(mongodb::bson::Uuid);
        $call!(mongodb::bson::DateTime);
        $call!(mongodb::bson::Decimal128);
        #[cfg(feature = "uuid")]
        $call!(::uuid::Uuid);
    };
}
pub(super) use for_native_keys;

/// If the feature `arbitrary_precision` of `serde_json` is enabled, a number is a map that has only this field.
const PRECISE_NUMBER: &str = "$serde_json::private::Number";

/// Reads the key of an id from a format that is not BSON.
pub(super) fn read_plain_key<'de, K, D>(deserializer: D) -> Result<K, D::Error>
where
    K: DeserializeOwned + 'static,
    D: Deserializer<'de>,
{
    macro_rules! read_native {
        ($type:ty) => {
            if is_type::<K, $type>() {
                let key: $type = read_extended(deserializer)?;
                return as_type(key).ok_or_else(|| D::Error::custom("another type of key"));
            }
        };
    }
    for_native_keys!(read_native);
    let Some(number) = number_type::<K>() else {
        return K::deserialize(deserializer);
    };
    let value = Bson::deserialize(deserializer)?;
    let key = number(&value).and_then(|number| decode_value(number).ok());
    key.ok_or_else(|| {
        D::Error::custom(format!(
            "{} is not a number of the type `{}`",
            crate::mongosh::value(&value),
            std::any::type_name::<K>(),
        ))
    })
}

/// A function that reads a number from a plain value. It returns `None` if the value is not a number.
type ReadNumber = fn(&Bson) -> Option<Bson>;

/// Returns the function that reads keys of type `K`, if `K` is a numeric type.
fn number_type<K: 'static>() -> Option<ReadNumber> {
    macro_rules! is_any_of {
        ($($type:ty)*) => { $(is_type::<K, $type>())||* };
    }
    if is_any_of!(i8 i16 i32 i64 u8 u16 u32 u64) {
        Some(whole_number)
    } else if is_any_of!(f32 f64) {
        Some(real_number)
    } else {
        None
    }
}

fn whole_number(value: &Bson) -> Option<Bson> {
    match value {
        Bson::Int32(_) | Bson::Int64(_) => Some(value.clone()),
        other => number_text(other)?.parse().ok().map(Bson::Int64),
    }
}

fn real_number(value: &Bson) -> Option<Bson> {
    match value {
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) => Some(value.clone()),
        other => number_text(other)?.parse().ok().map(Bson::Double),
    }
}

fn number_text(value: &Bson) -> Option<&str> {
    match value {
        Bson::String(text) => Some(text),
        Bson::Document(number) if number.len() == 1 => number.get_str(PRECISE_NUMBER).ok(),
        _ => None,
    }
}

pub(super) fn is_type<K: 'static, T: 'static>() -> bool {
    TypeId::of::<K>() == TypeId::of::<T>()
}

/// Converts a value of type `T` to type `K`. Returns `None` if `T` and `K` are different types.
pub(super) fn as_type<T: 'static, K: 'static>(value: T) -> Option<K> {
    let mut value = Some(value);
    (&mut value as &mut dyn Any)
        .downcast_mut::<Option<K>>()
        .and_then(Option::take)
}
