//! Writes ids. Reads an id from BSON only if the value has the BSON type in which the library stores the id.
//!
//! The key types themselves are not strict. An `ObjectId` can also be read from its text, and a `Uuid` from its text or
//! from a different binary subtype. If a document that contains such an id were read and saved again, the document
//! would be saved under a different id.
//!
//! The functions in this module do not require `Key`; only `IdOf` and references do. Serde's derive checks in four
//! places whether an id can be written and read. If these checks required `Key`, a newtype without `impl Key` would
//! cause four more errors in addition to the error at the id. So the functions use the `TypeId` to recognize types that
//! are not stored in serde's form.
//!
//! In JSON, ids are plain values: strings, numbers or booleans. In BSON, the same string would be a different key, so
//! different functions read the two formats.

use std::any::Any;

use mongodb::bson::{Bson, RawBson, oid::ObjectId};
use serde::{
    Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error},
};

use super::{
    JoinKey,
    plain_id::{as_type, for_native_keys, is_type, read_plain_key},
};
use crate::value::{
    codec::{
        decode_value, encode_value, read_object_id, read_stored, reads_bson, writes_bson,
        writes_json,
    },
    with::{AsNative, Stored},
};

/// Writes the key of an id. In BSON, the key has its BSON type, and in JSON, it is a plain value. In other formats, it
/// has the form of its `Serialize` impl.
pub(crate) fn write_key<K: Serialize + 'static, S: Serializer>(
    key: &K,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    macro_rules! write_native {
        ($type:ty) => {
            if let Some(key) = (key as &dyn Any).downcast_ref::<$type>() {
                return Stored::<AsNative>::write(key, serializer);
            }
        };
    }
    if writes_bson::<S>() || writes_json::<S>() {
        for_native_keys!(write_native);
    }
    key.serialize(serializer)
}

/// Reads the key of an id. If the format is BSON, only a value in the key's stored form is accepted.
///
/// In other formats, the function also accepts the text of a key, because paths and query strings contain only text.
#[inline]
pub(crate) fn read_key<'de, K, D>(deserializer: D) -> Result<K, D::Error>
where
    K: Serialize + DeserializeOwned + 'static,
    D: Deserializer<'de>,
{
    if !reads_bson::<D>() {
        return if deserializer.is_human_readable() {
            read_plain_key(deserializer)
        } else {
            K::deserialize(deserializer)
        };
    }
    if is_type::<K, ObjectId>() {
        let id = read_object_id(deserializer, refusal::<K>)?;
        return as_type(id).ok_or_else(|| D::Error::custom(refusal::<K>(RawBson::ObjectId(id))));
    }
    #[cfg(feature = "uuid")]
    if is_type::<K, ::uuid::Uuid>() {
        return read(deserializer, uuid);
    }
    if is_type::<K, String>() {
        return read(deserializer, text);
    }
    read(deserializer, same_key)
}

/// Reads a BSON value and converts it to a key with the given function.
fn read<'de, K, D: Deserializer<'de>>(
    deserializer: D,
    key: fn(RawBson) -> Result<K, RawBson>,
) -> Result<K, D::Error> {
    key(read_stored(deserializer)?).map_err(|stored| Error::custom(refusal::<K>(stored)))
}

fn text<K: 'static>(stored: RawBson) -> Result<K, RawBson> {
    match stored {
        RawBson::String(text) => as_type(text).ok_or(RawBson::Null),
        other => Err(other),
    }
}

/// Decodes a key, encodes the key again, and rejects the stored value if the result differs from it.
fn same_key<K: Serialize + DeserializeOwned>(stored: RawBson) -> Result<K, RawBson> {
    let Ok(value) = Bson::try_from(stored.clone()) else {
        return Err(stored);
    };
    let key = decode_value::<K>(value.clone()).ok();
    let written = key.as_ref().and_then(|key| encode_value(key).ok());
    let written = written.map(JoinKey::from);
    key.filter(|_| written == Some(JoinKey::from(value)))
        .ok_or(stored)
}

/// Converts a stored value to a UUID of the crate `uuid`, which serde would read from plain bytes.
#[cfg(feature = "uuid")]
fn uuid<K: 'static>(stored: RawBson) -> Result<K, RawBson> {
    let value = Bson::try_from(stored.clone()).ok();
    let uuid =
        value.and_then(|value| <::uuid::Uuid as crate::value::with::Native>::from_bson(&value));
    uuid.and_then(as_type).ok_or(stored)
}

#[cold]
fn refusal<K>(stored: RawBson) -> String {
    let value = Bson::try_from(stored).unwrap_or(Bson::Null);
    format!(
        "{} is stored where `{}` is declared, and an id is read only from its own BSON type; convert the stored values, or declare an `Id` of the stored type or of `AnyKey`",
        crate::mongosh::value(&value),
        crate::value::codec::short_type_name::<K>(),
    )
}
