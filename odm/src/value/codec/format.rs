//! Detects whether serde reads or writes BSON or JSON, because the form of keys and dates depends on the format.
//!
//! The library detects a format by the error type of the (de)serializer, not by `is_human_readable`. For flattened
//! structs and tagged enums, serde reads the values from a buffer. The buffer always claims to be human-readable, but
//! its error type is that of the original format. So the code that reads ids and fields with `mongo_odm::with` can
//! always distinguish BSON from JSON.

use mongodb::bson::{self, Bson, Decimal128, RawBson};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error, ser::SerializeStruct};

/// The error type of BSON deserializers. Serde's buffers for flattened structs and tagged enums have the same error
/// type. No other property of a buffer distinguishes BSON from JSON.
type ReadError = <bson::de::Deserializer as Deserializer<'static>>::Error;
type WriteError = <bson::ser::Serializer as Serializer>::Error;

/// The error type of `serde_json`. All of its readers and writers have this error type, even those for the keys of
/// objects.
type JsonError = serde_json::Error;

pub(crate) fn reads_bson<'de, D: Deserializer<'de>>() -> bool {
    typeid::of::<D::Error>() == typeid::of::<ReadError>()
}

pub(crate) fn writes_bson<S: Serializer>() -> bool {
    typeid::of::<S::Error>() == typeid::of::<WriteError>()
}

pub(crate) fn reads_json<'de, D: Deserializer<'de>>() -> bool {
    typeid::of::<D::Error>() == typeid::of::<JsonError>()
}

pub(crate) fn writes_json<S: Serializer>() -> bool {
    typeid::of::<S::Error>() == typeid::of::<JsonError>()
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

/// Writes a BSON value in its stored form, even into one of serde's buffers.
///
/// If a serializer claims to be human-readable, the driver writes a decimal as text. Serde's buffers make this claim,
/// and the driver's BSON serializer then rejects the text. So this function always writes the bytes of a decimal.
pub(crate) fn write_stored<S: Serializer>(value: &Bson, serializer: S) -> Result<S::Ok, S::Error> {
    let Bson::Decimal128(decimal) = value else {
        return value.serialize(serializer);
    };
    let mut fields = serializer.serialize_struct("$numberDecimal", 1)?;
    fields.serialize_field("$numberDecimalBytes", &DecimalBytes(*decimal))?;
    fields.end()
}

struct DecimalBytes(Decimal128);

impl Serialize for DecimalBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0.bytes())
    }
}
