//! Detects whether serde reads or writes BSON, because the stored form of keys and dates depends on the format.
//!
//! BSON is detected by the error type of the (de)serializer, not by `is_human_readable`. For flattened structs and
//! tagged enums, serde reads the values from a buffer. The buffer always claims to be human-readable, but its error
//! type is that of the original format. So ids and the types of `with` can always distinguish BSON from JSON.

use mongodb::bson::{self, Bson, RawBson};
use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// The error type of BSON deserializers. Serde's buffers for flattened structs and tagged enums have the same error
/// type. No other property of a buffer distinguishes BSON from JSON.
type ReadError = <bson::de::Deserializer as Deserializer<'static>>::Error;
type WriteError = <bson::ser::Serializer as Serializer>::Error;

pub(crate) fn reads_bson<'de, D: Deserializer<'de>>() -> bool {
    typeid::of::<D::Error>() == typeid::of::<ReadError>()
}

pub(crate) fn writes_bson<S: Serializer>() -> bool {
    typeid::of::<S::Error>() == typeid::of::<WriteError>()
}

/// Reads a BSON value in its stored form, without any conversion.
pub(crate) fn read_stored<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RawBson, D::Error> {
    if !deserializer.is_human_readable() {
        return RawBson::deserialize(deserializer);
    }
    // The value comes from a `Bson` or from one of serde's buffers, not from bytes.
    let value = Bson::deserialize(deserializer)?;
    RawBson::try_from(value).map_err(Error::custom)
}
