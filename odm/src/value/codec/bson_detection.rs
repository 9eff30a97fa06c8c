//! Detects the format that serde reads or writes, because the stored form of keys and dates depends on the format.
//!
//! BSON is detected by the error type of the (de)serializer, not by `is_human_readable`. For flattened structs and
//! tagged enums, serde buffers the values and reads them from the buffer. The buffer always claims to be
//! human-readable, but it keeps the error type. So ids and the types of `with` distinguish BSON from JSON everywhere.

use mongodb::bson::{self, Bson, RawBson};
use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// The error types of all BSON readers and writers. Serde's buffers for flattened structs and tagged enums keep them.
/// No other property of a buffer distinguishes BSON from JSON.
type ReadError = <bson::de::Deserializer as Deserializer<'static>>::Error;
type WriteError = <bson::ser::Serializer as Serializer>::Error;

pub(crate) fn reads_bson<'de, D: Deserializer<'de>>() -> bool {
    typeid::of::<D::Error>() == typeid::of::<ReadError>()
}

pub(crate) fn writes_bson<S: Serializer>() -> bool {
    typeid::of::<S::Error>() == typeid::of::<WriteError>()
}

/// Reads a BSON value as it is stored.
pub(crate) fn read_stored<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RawBson, D::Error> {
    if !deserializer.is_human_readable() {
        return RawBson::deserialize(deserializer);
    }
    // The source is a `Bson` or one of serde's buffers, not bytes.
    let value = Bson::deserialize(deserializer)?;
    RawBson::try_from(value).map_err(Error::custom)
}
