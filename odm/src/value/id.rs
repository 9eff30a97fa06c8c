//! Typed ids of documents.

mod bson_form;
mod from_bson;

pub use from_bson::KeyMismatch;

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
    str::FromStr,
};

use mongodb::bson::{Bson, oid::ObjectId};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

use super::key::{read_key, write_key};

/// The id of a document of model `T`. A field of this type in another document is a reference to that document.
///
/// Only the key is stored. The key is an `ObjectId` unless you declare a different type: `Id<Part>`, `Id<Country,
/// i32>`, `Id<Student, String>`. `Vec<Id<Part>>` is an array of child references.
///
/// # JSON
///
/// An id over an `ObjectId`, a UUID, a `DateTime` or a `Decimal128` is a string in JSON. An id over an integer is a
/// number. Ids are read from the same form and from extended JSON: `{ "$oid": ".." }`. Paths and query strings contain
/// the text of the key.
///
/// # Limits
///
/// - In BSON, an id can be read only from a value of the key's BSON type. An integer key can be read from a 32-bit or a
///   64-bit integer. The text of an `ObjectId` is a different id from the `ObjectId` itself.
/// - In BSON, an id can be a map key only if its key is a `String`. In JSON, every id that is a string or an integer
///   can be a map key.
/// - An untagged enum of an id and a text is ambiguous in JSON, because the text of an id is also a text.
/// - Formats that are neither BSON nor JSON contain the key as serde writes it.
///
/// # Examples
///
/// ```
/// use mongo_odm::Id;
///
/// struct Part;
/// struct Country;
/// let id: Id<Part> = Id::new();
/// let country: Id<Country, i32> = Id::from_key(45);
/// assert_eq!(*country.key(), 45);
/// assert_eq!(id.to_string().len(), 24);
/// assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
/// ```
pub struct Id<T: ?Sized, K = ObjectId> {
    key: K,
    target: PhantomData<fn() -> T>,
}

impl<T: ?Sized> Id<T> {
    /// Returns a new, unique id. The client generates the id without sending anything.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Id;
    ///
    /// struct Part;
    /// let (first, second) = (Id::<Part>::new(), Id::<Part>::new());
    /// assert_ne!(first, second);
    /// ```
    pub fn new() -> Self {
        Self::from_key(ObjectId::new())
    }
}

impl<T: ?Sized> Default for Id<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: ?Sized, K> Id<T, K> {
    /// Creates an id from a key that is known to identify a document of model `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Id;
    ///
    /// struct Country;
    /// let id: Id<Country, i32> = Id::from_key(45);
    /// assert_eq!(id, Id::from_key(45));
    /// ```
    pub const fn from_key(key: K) -> Self {
        Self {
            key,
            target: PhantomData,
        }
    }

    /// Returns the stored key.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Id;
    ///
    /// struct Country;
    /// let id = Id::<Country, i32>::from_key(45);
    /// assert_eq!(id.key(), &45);
    /// ```
    pub const fn key(&self) -> &K {
        &self.key
    }

    /// Converts the id to its stored key.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Id;
    ///
    /// struct Country;
    /// let id: Id<Country, String> = Id::from_key("fi".to_owned());
    /// assert_eq!(id.into_key(), "fi");
    /// ```
    pub fn into_key(self) -> K {
        self.key
    }
}

impl<T: ?Sized, K> From<K> for Id<T, K> {
    fn from(key: K) -> Self {
        Self::from_key(key)
    }
}

impl<T: ?Sized, K: Into<Bson>> From<Id<T, K>> for Bson {
    fn from(id: Id<T, K>) -> Self {
        id.key.into()
    }
}

impl<T: ?Sized, K: FromStr> FromStr for Id<T, K> {
    type Err = K::Err;

    fn from_str(text: &str) -> Result<Self, K::Err> {
        text.parse().map(Self::from_key)
    }
}

impl<T: ?Sized, K: Serialize + 'static> Serialize for Id<T, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_key(&self.key, serializer)
    }
}

impl<'de, T: ?Sized, K: Serialize + DeserializeOwned + 'static> Deserialize<'de> for Id<T, K> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_key(deserializer).map(Self::from_key)
    }
}

// These impls are not derived, because a derive would require that `T` implements the same trait, although an id does
// not contain a `T`.

impl<T: ?Sized, K: Clone> Clone for Id<T, K> {
    fn clone(&self) -> Self {
        Self::from_key(self.key.clone())
    }
}

impl<T: ?Sized, K: Copy> Copy for Id<T, K> {}

impl<T: ?Sized, K: fmt::Debug> fmt::Debug for Id<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Id").field(&self.key).finish()
    }
}

impl<T: ?Sized, K: fmt::Display> fmt::Display for Id<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

impl<T: ?Sized, K: PartialEq> PartialEq for Id<T, K> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<T: ?Sized, K: Eq> Eq for Id<T, K> {}

impl<T: ?Sized, K: PartialOrd> PartialOrd for Id<T, K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.key.partial_cmp(&other.key)
    }
}

impl<T: ?Sized, K: Ord> Ord for Id<T, K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl<T: ?Sized, K: Hash> Hash for Id<T, K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}
