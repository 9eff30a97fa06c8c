//! Converts keys in errors and join results to typed ids.

use mongodb::bson::Bson;

use super::Id;
use crate::{
    mongosh,
    value::{
        codec::{decode_value, short_type_name},
        key::{JoinKey, Key},
    },
};

/// The error that occurs if a value is not a key of the requested type.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "{} is no key of the type `{wanted}`: {message}",
    mongosh::value(value)
)]
#[non_exhaustive]
pub struct KeyMismatch {
    /// The value that could not be converted.
    pub value: Bson,
    /// The name of the requested key type.
    pub wanted: &'static str,
    /// Serde's error message.
    pub message: String,
}

/// Converts a key that an [`Error`](crate::Error) or a report contains to a typed id.
///
/// # Errors
///
/// [`KeyMismatch`] if the value is not a key of this type.
///
/// # Examples
///
/// ```
/// # use mongo_odm::{Id, bson::Bson};
/// struct Country;
/// let id = Id::<Country, i32>::try_from(Bson::Int64(45)).unwrap();
/// assert_eq!(*id.key(), 45);
/// ```
impl<T: ?Sized, K: Key> TryFrom<Bson> for Id<T, K> {
    type Error = KeyMismatch;

    fn try_from(value: Bson) -> Result<Self, KeyMismatch> {
        // An id is stricter than its key: it is read only from the BSON type in which the library stores the key.
        let message = match decode_value::<Self>(value.clone()) {
            Ok(id) => return Ok(id),
            Err(message) => message,
        };
        let same = same_number(&value).and_then(|same| decode_value::<Self>(same).ok());
        same.ok_or_else(|| KeyMismatch {
            value,
            wanted: short_type_name::<K>(),
            message,
        })
    }
}

/// Converts a number to a different numeric type. A key in an error or a join result does not keep its numeric type,
/// because keys are compared by value.
fn same_number(value: &Bson) -> Option<Bson> {
    match value {
        Bson::Decimal128(decimal) => decimal.to_string().parse().ok().map(Bson::Double),
        Bson::Int64(int) => int.to_string().parse().ok().map(Bson::Decimal128),
        _ => None,
    }
}

/// Converts a key that a join reports, for example because its document is missing, to a typed id.
impl<T: ?Sized, K: Key> TryFrom<JoinKey> for Id<T, K> {
    type Error = KeyMismatch;

    fn try_from(key: JoinKey) -> Result<Self, KeyMismatch> {
        Self::try_from(key.to_bson())
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{Decimal128, Uuid, oid::ObjectId};

    use super::*;
    use crate::value::key::AnyKey;

    struct Part;

    fn there_and_back<K: Key + PartialEq>(key: &K) {
        let join_key = key.join_key().unwrap();
        let id = Id::<Part, K>::try_from(join_key).unwrap();
        assert_eq!(id.key(), key);
    }

    #[test]
    fn a_join_key_becomes_the_id_that_it_was() {
        there_and_back(&ObjectId::new());
        there_and_back(&"SKU-1".to_owned());
        there_and_back(&45_i32);
        there_and_back(&-45_i64);
        there_and_back(&45_u8);
        there_and_back(&1.5_f64);
        there_and_back(&2.0_f64);
        there_and_back(&"2".parse::<Decimal128>().unwrap());
        there_and_back(&Uuid::new());
        there_and_back(&AnyKey("any".into()));
    }

    #[test]
    fn a_key_of_another_type_is_refused_with_both() {
        let error = Id::<Part>::try_from(JoinKey::from(Bson::Int32(7))).unwrap_err();
        assert_eq!(error.value, Bson::Int64(7));
        let text = error.to_string();
        assert!(
            text.starts_with("NumberLong(\"7\") is no key of the type `ObjectId`"),
            "{text}"
        );
    }
}
