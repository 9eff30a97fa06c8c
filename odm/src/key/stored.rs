//! Ids as BSON stores them: each is read from its own BSON type alone.
//!
//! The types of keys accept more: an `ObjectId` also the text of one, a `Uuid` also the text or
//! another binary subtype. A document that is read under such an id is saved under another one.

use mongodb::bson::{Bson, RawBson};
use serde::{Deserializer, de::Error};

use super::{JoinKey, Key};
use crate::codec::{decode_value, read_stored, reads_bson};

/// Reads the key of an id; from BSON only a value that the key itself is stored as.
#[inline]
pub(crate) fn read_key<'de, K: Key, D: Deserializer<'de>>(deserializer: D) -> Result<K, D::Error> {
    if !reads_bson::<D>() {
        return K::deserialize(deserializer);
    }
    K::read_stored(deserializer)
}

/// Reads a value of BSON, and makes a key of it.
pub(crate) fn read<'de, K, D: Deserializer<'de>>(
    deserializer: D,
    key: fn(RawBson) -> Result<K, RawBson>,
) -> Result<K, D::Error> {
    key(read_stored(deserializer)?).map_err(|stored| Error::custom(refusal::<K>(stored)))
}

/// Decodes a key, and compares what it would be stored as with what is stored.
pub(super) fn same_key<K: Key>(stored: RawBson) -> Result<K, RawBson> {
    let Ok(value) = Bson::try_from(stored.clone()) else {
        return Err(stored);
    };
    let key = decode_value::<K>(value.clone()).ok();
    let written = key.as_ref().and_then(|key| key.join_key().ok());
    key.filter(|_| written == Some(JoinKey::from(value)))
        .ok_or(stored)
}

#[cold]
pub(super) fn refusal<K>(stored: RawBson) -> String {
    let value = Bson::try_from(stored).unwrap_or(Bson::Null);
    format!(
        "{} is stored where `{}` is declared, and an id is read from its own BSON type alone; convert what is stored, or declare an `Id` of the stored type, or of `AnyKey`",
        crate::shell::value(&value),
        crate::codec::short_type_name::<K>(),
    )
}
