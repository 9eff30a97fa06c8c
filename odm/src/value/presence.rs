//! Fields that may be missing, null or there, each of them kept.

use std::{fmt, marker::PhantomData};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Visitor, ser::Error};

/// The value of a field that may be missing, or null, and stays what it is when it is saved.
///
/// An `Option` is one `None` for both, and is saved as one of them. It stands wherever an `Option`
/// does: `#[embed]`, `#[refs]`, `#[parent_ref]` and copies take it, and the values below it are those of
/// the struct or array inside. It needs both attributes of the example: without `default` a missing
/// field is an error of decoding, without `skip_serializing_if` one of encoding.
///
/// # Examples
///
/// ```
/// use mongo_odm::{Presence, prelude::*};
///
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "parts")]
/// # struct Part { #[serde(rename = "_id")] id: Id<Part> }
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "kits")]
/// struct Kit {
///     #[serde(rename = "_id")]
///     id: Id<Kit>,
///     #[serde(default, skip_serializing_if = "Presence::is_missing")]
///     #[refs(many)]
///     parts: Presence<Vec<Id<Part>>>,
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Presence<T> {
    /// The document does not have the field.
    #[default]
    Missing,
    /// The field is null.
    Null,
    /// The field has a value.
    Value(T),
}

impl<T> Presence<T> {
    /// Returns whether the field is missing; for `skip_serializing_if`.
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    /// Returns the value, if there is one.
    pub const fn as_ref(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing | Self::Null => None,
        }
    }

    /// Returns the value to change, if there is one.
    pub const fn as_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing | Self::Null => None,
        }
    }

    /// Turns the value into another one, if there is one.
    pub fn map<U>(self, to: impl FnOnce(T) -> U) -> Presence<U> {
        match self {
            Self::Missing => Presence::Missing,
            Self::Null => Presence::Null,
            Self::Value(value) => Presence::Value(to(value)),
        }
    }

    /// Returns the value, if there is one.
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing | Self::Null => None,
        }
    }
}

impl<T> From<T> for Presence<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: Serialize> Serialize for Presence<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_missing() {
            return Err(S::Error::custom(
                "a missing value is not written; give the field `skip_serializing_if = \"Presence::is_missing\"`, in an update `unset` it, and in a filter ask whether it `exists`",
            ));
        }
        serializer.serialize_newtype_struct("Presence", &self.as_ref())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Presence<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As an option, what is missing would be read as null.
        deserializer.deserialize_newtype_struct("Presence", NullOr(PhantomData))
    }
}

/// Reads a value that is there: null or not.
struct NullOr<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NullOr<T> {
    type Value = Presence<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        Option::deserialize(from).map(|value| value.map_or(Presence::Null, Presence::Value))
    }
}
