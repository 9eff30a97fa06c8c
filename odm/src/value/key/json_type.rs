//! The JSON types of keys.

/// The JSON type of an id, which [`Key::JSON`](super::Key::JSON) declares for each type of key.
///
/// The features `schemars` and `utoipa` use this type to describe ids. The type does not change how serde reads and
/// writes ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonType {
    /// A string of 24 hexadecimal digits.
    ObjectId,
    /// A string that contains a UUID.
    Uuid,
    /// A string that contains a date in the format of RFC 3339.
    Date,
    /// A string that contains a decimal number.
    Decimal,
    /// Any string.
    String,
    /// An integer that fits into 32 bits.
    Int32,
    /// An integer that fits into 64 bits.
    Int64,
    /// A number.
    Double,
    /// A boolean.
    Boolean,
    /// Any value.
    Any,
}

#[cfg(any(feature = "schemars", feature = "utoipa"))]
impl JsonType {
    /// Returns the values of `type` and `format` in JSON Schema, or `None` if every value is permitted.
    pub(crate) const fn names(self) -> Option<(&'static str, Option<&'static str>)> {
        Some(match self {
            Self::ObjectId | Self::String => ("string", None),
            Self::Uuid => ("string", Some("uuid")),
            Self::Date => ("string", Some("date-time")),
            Self::Decimal => ("string", Some("decimal")),
            Self::Int32 => ("integer", Some("int32")),
            Self::Int64 => ("integer", Some("int64")),
            Self::Double => ("number", Some("double")),
            Self::Boolean => ("boolean", None),
            Self::Any => return None,
        })
    }

    /// Returns the regular expression that every string of this type matches.
    pub(crate) const fn pattern(self) -> Option<&'static str> {
        match self {
            Self::ObjectId => Some("^[0-9a-fA-F]{24}$"),
            _ => None,
        }
    }

    /// Returns the name of the schema that describes ids of this type. Schemas that have the same name are equal.
    pub(crate) const fn id_name(self) -> &'static str {
        match self {
            Self::ObjectId => "Id",
            Self::Uuid => "IdUuid",
            Self::Date => "IdDate",
            Self::Decimal => "IdDecimal",
            Self::String => "IdString",
            Self::Int32 => "IdInt32",
            Self::Int64 => "IdInt64",
            Self::Double => "IdDouble",
            Self::Boolean => "IdBoolean",
            Self::Any => "IdAny",
        }
    }
}
