#![doc = include_str!("../docs/rustdoc_links.md")]
#![doc = include_str!("../docs/types.md")]

#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
pub(crate) mod bson_date;
#[cfg(feature = "chrono")]
mod chrono;
mod driver;
#[cfg(feature = "jiff")]
mod jiff;
mod native_or_text;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "uuid")]
mod uuid;

use mongodb::bson::Bson;

pub(crate) use native_or_text::read_extended;
pub use native_or_text::{AsNative, AsText, Stored};

use super::bson_form::BsonForm;

/// A type from the driver that `with` writes to JSON as a string, or a type from another crate. Without `with`, serde
/// would store the types from other crates as text or as plain bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type that `mongo_odm::with` knows",
    label = "neither a date nor a decimal nor a UUID",
    note = "the types of `chrono`, `time`, `jiff`, `rust_decimal` and `uuid` are known with the feature of that name, alone, in an `Option` and in a `Vec`"
)]
pub trait Foreign: Sized {
    /// Whether the type is from the driver. The driver stores such a type in its BSON type even without `with`.
    #[doc(hidden)]
    const OF_DRIVER: bool = false;

    /// Converts the value to text.
    ///
    /// # Errors
    ///
    /// An error message if the text form cannot represent the value.
    #[doc(hidden)]
    fn to_text(&self) -> Result<String, String>;

    /// Parses the value from text.
    ///
    /// # Errors
    ///
    /// An error message if the string does not represent a value of this type.
    #[doc(hidden)]
    fn from_text(text: &str) -> Result<Self, String>;
}

/// A type that has a matching BSON type.
#[diagnostic::on_unimplemented(
    message = "there is no BSON type for `{Self}`",
    label = "no BSON type of its own",
    note = "`mongo_odm::with::native` stores dates, decimals and UUIDs; a `ZonedDateTime` has a time zone besides, which `mongo_odm::with::text` keeps"
)]
pub trait Native: Foreign {
    /// The name of the BSON type, for error messages.
    const BSON_TYPE: &'static str;

    /// The stored form, for validators.
    #[doc(hidden)]
    const FORM: BsonForm = BsonForm::Any;

    /// Converts the value to its BSON type.
    ///
    /// # Errors
    ///
    /// An error message if the BSON type cannot represent the value.
    #[doc(hidden)]
    fn to_bson(&self) -> Result<Bson, String>;

    /// Reads the value, but only if it has this BSON type.
    #[doc(hidden)]
    fn from_bson(value: &Bson) -> Option<Self>;
}

/// Stores dates as BSON dates, decimals as `Decimal128`, and UUIDs as binary data of subtype 4.
///
/// Write `#[serde(with = "mongo_odm::with::native")]` on a field of one of these types, or of an `Option` or a `Vec` of
/// such a type. In BSON, the field can be read only from the matching BSON type. In JSON and all other formats, the
/// value has the same text form as with [`text`]. In JSON, the value can also be read from extended JSON, such as
/// `{ "$date": "2026-03-01T12:00:00Z" }`.
///
/// You can also use this module for the driver's types `DateTime`, `Decimal128`, `ObjectId` and `Uuid`. Without `with`,
/// the driver writes `DateTime`, `Decimal128` and `ObjectId` to JSON as extended JSON.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "chrono")]
/// # mod example {
/// # use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize)]
/// struct Visit {
///     #[serde(with = "mongo_odm::with::native")]
///     time: chrono::DateTime<chrono::Utc>,
///     #[serde(with = "mongo_odm::with::native")]
///     stored: mongo_odm::bson::DateTime,
/// }
/// # }
/// ```
pub mod native {
    use serde::{Deserializer, Serializer};

    use super::{AsNative, Stored};

    /// Writes a value in its BSON type, or as text if the format is not BSON.
    ///
    /// # Errors
    ///
    /// The serializer's error, or an error if the BSON type cannot represent the value.
    ///
    /// # Examples
    ///
    /// See [`native`](self).
    pub fn serialize<T: Stored<AsNative>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.write(serializer)
    }

    /// Reads a value from its BSON type, or from text if the format is not BSON.
    ///
    /// # Errors
    ///
    /// The deserializer's error, or an error if the type of the stored value does not match the codec.
    ///
    /// # Examples
    ///
    /// See [`native`](self).
    pub fn deserialize<'de, T: Stored<AsNative>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        T::read(deserializer)
    }
}

/// Stores values as text in every format: dates in the format of RFC 3339, and decimals and UUIDs in their usual
/// notation.
///
/// Write `#[serde(with = "mongo_odm::with::text")]` on a field whose type is a date, a decimal or a UUID, or an
/// `Option` or a `Vec` of such a type.
///
/// # Limits
///
/// The server compares and sorts the values as text.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "uuid")]
/// # mod example {
/// # use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize)]
/// struct Device {
///     #[serde(with = "mongo_odm::with::text")]
///     serial: uuid::Uuid,
/// }
/// # }
/// ```
pub mod text {
    use serde::{Deserializer, Serializer};

    use super::{AsText, Stored};

    /// Writes a value as text.
    ///
    /// # Errors
    ///
    /// The serializer's error, or an error if the text form cannot represent the value.
    ///
    /// # Examples
    ///
    /// See [`text`](self).
    pub fn serialize<T: Stored<AsText>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.write(serializer)
    }

    /// Reads a value from text.
    ///
    /// # Errors
    ///
    /// The deserializer's error, or an error if the stored value is not a string in this form.
    ///
    /// # Examples
    ///
    /// See [`text`](self).
    pub fn deserialize<'de, T: Stored<AsText>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        T::read(deserializer)
    }
}
