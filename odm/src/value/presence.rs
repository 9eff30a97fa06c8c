//! Fields that distinguish between a missing value, null and a value.

use std::{fmt, marker::PhantomData};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Visitor, ser::Error};

/// A field that is missing, is null or has a value. If you read and save a document, the field stays in the same state.
///
/// An `Option` has only `None` for both missing and null, and always saves `None` in the same way. You can use a
/// `Presence` wherever you can use an `Option`: `#[embed]`, `#[refs]`, `#[parent_ref]` and copies accept a `Presence`.
///
/// # Errors
///
/// A `Presence` requires both serde attributes that the example shows. Without `default`, a document that lacks the
/// field cannot be decoded. Without `skip_serializing_if`, a document cannot be encoded if the field is missing.
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
    /// Returns whether the field is missing. Use this method in `skip_serializing_if`.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Presence;
    ///
    /// assert!(Presence::<i32>::Missing.is_missing());
    /// assert!(!Presence::<i32>::Null.is_missing());
    /// ```
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    /// Returns a reference to the value, or `None` if the field is missing or null.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Presence;
    ///
    /// assert_eq!(Presence::Value(2).as_ref(), Some(&2));
    /// assert_eq!(Presence::<i32>::Null.as_ref(), None);
    /// ```
    pub const fn as_ref(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing | Self::Null => None,
        }
    }

    /// Returns a mutable reference to the value, or `None` if the field is missing or null.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Presence;
    ///
    /// let mut qty = Presence::Value(2);
    /// if let Some(qty) = qty.as_mut() {
    ///     *qty += 1;
    /// }
    /// assert_eq!(qty, Presence::Value(3));
    /// ```
    pub const fn as_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing | Self::Null => None,
        }
    }

    /// Applies a function to the value. Missing and null stay unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Presence;
    ///
    /// assert_eq!(Presence::Value(2).map(|it| it + 1), Presence::Value(3));
    /// assert_eq!(Presence::Null.map(|it: i32| it + 1), Presence::Null);
    /// ```
    pub fn map<U>(self, to: impl FnOnce(T) -> U) -> Presence<U> {
        match self {
            Self::Missing => Presence::Missing,
            Self::Null => Presence::Null,
            Self::Value(value) => Presence::Value(to(value)),
        }
    }

    /// Returns the value, or `None` if the field is missing or null.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Presence;
    ///
    /// assert_eq!(Presence::Value(2).into_option(), Some(2));
    /// assert_eq!(Presence::<i32>::Missing.into_option(), None);
    /// ```
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
                "a missing value cannot be written; add `skip_serializing_if = \"Presence::is_missing\"` to the field; in an update, use `unset`; in a filter, use `is_missing`; for a schema of `utoipa`, move `#[serde(default)]` from the struct to its fields",
            ));
        }
        serializer.serialize_newtype_struct("Presence", &self.as_ref())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Presence<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Serde would read a missing field of an option type as null. Therefore `Presence` is read as a newtype.
        deserializer.deserialize_newtype_struct("Presence", NullOr(PhantomData))
    }
}

/// Reads a field that exists. The value is null or a `T`.
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
