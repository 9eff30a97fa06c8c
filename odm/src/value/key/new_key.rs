//! Keys that the library can generate.

use mongodb::bson::{Bson, Uuid, oid::ObjectId};

/// A key type for which the library can generate unique values.
#[doc(hidden)]
pub trait NewKey {
    /// Returns a new, unique key in its stored form.
    fn new_key() -> Bson;
}

impl NewKey for ObjectId {
    fn new_key() -> Bson {
        Self::new().into()
    }
}

impl NewKey for Uuid {
    fn new_key() -> Bson {
        Self::new().into()
    }
}

#[cfg(feature = "uuid")]
impl NewKey for ::uuid::Uuid {
    fn new_key() -> Bson {
        Uuid::new().into()
    }
}
