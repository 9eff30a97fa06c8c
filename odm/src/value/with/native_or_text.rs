//! Stores values in one of two forms: as a BSON type or as text. The values may be inside an `Option` or a `Vec`.

use std::{borrow::Cow, marker::PhantomData};

use mongodb::bson::Bson;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::Error as _,
    ser::{Error as _, SerializeSeq},
};

use super::{Foreign, Native};
use crate::value::{
    bson_form::{BsonForm, traces},
    codec::{read_stored, reads_bson, reads_json, write_stored, writes_bson},
    presence::Presence,
};

/// Marker type for the form in which [`native`](super::native) stores values.
#[derive(Debug)]
pub struct AsNative;

/// Marker type for the form in which [`text`](super::text) stores values.
#[derive(Debug)]
pub struct AsText;

/// A type that can be stored in the form `Form`: a type of the driver or of another crate, or an `Option` or a `Vec` of
/// such a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type that `mongo_odm::with` stores in this form",
    label = "not stored in this form",
    note = "remove `with`: it is for dates, decimals and UUIDs of the driver or of other crates, with the feature of the crate's name, alone, in an `Option` and in a `Vec`; \
            a date with a time zone is stored by `mongo_odm::with::text`"
)]
pub trait Stored<Form>: Sized {
    /// Whether the type is from the driver. The driver stores such a type in its BSON type even without `with`.
    #[doc(hidden)]
    const OF_DRIVER: bool;

    /// Returns the BSON types of the stored values.
    #[doc(hidden)]
    fn bson_form() -> BsonForm;

    /// Writes the value in this form.
    ///
    /// # Errors
    ///
    /// The serializer's error, or an error if the form cannot represent the value.
    #[doc(hidden)]
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads the value from this form.
    ///
    /// # Errors
    ///
    /// The deserializer's error, or an error if the stored value does not have the form that the codec requires.
    #[doc(hidden)]
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

#[diagnostic::do_not_recommend]
impl<T: Foreign> Stored<AsText> for T {
    const OF_DRIVER: bool = T::OF_DRIVER;

    fn bson_form() -> BsonForm {
        BsonForm::STRING
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_text().map_err(S::Error::custom)?)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        T::from_text(&text).map_err(D::Error::custom)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Native> Stored<AsNative> for T {
    const OF_DRIVER: bool = T::OF_DRIVER;

    fn bson_form() -> BsonForm {
        T::FORM
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !writes_bson::<S>() {
            return Stored::<AsText>::write(self, serializer);
        }
        write_stored(&self.to_bson().map_err(S::Error::custom)?, serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if reads_json::<D>() {
            return read_extended(deserializer);
        }
        if !(reads_bson::<D>() || traces::<D>()) {
            return <T as Stored<AsText>>::read(deserializer);
        }
        let value = Bson::try_from(read_stored(deserializer)?).map_err(D::Error::custom)?;
        T::from_bson(&value).ok_or_else(|| D::Error::custom(unfit::<T>(&value)))
    }
}

/// Returns the message for a stored value that has another BSON type, or that the Rust type cannot represent.
#[cold]
fn unfit<T: Native>(stored: &Bson) -> String {
    let has_type = match (stored, T::FORM) {
        (Bson::DateTime(_), BsonForm::Types(types)) => types.contains(&"date"),
        (Bson::Decimal128(_), BsonForm::Types(types)) => types.contains(&"decimal"),
        _ => false,
    };
    let name = crate::value::codec::short_type_name::<T>();
    let (value, bson_type) = (crate::mongosh::value(stored), T::BSON_TYPE);
    if has_type {
        return format!(
            "{value} is {bson_type} that a `{name}` cannot represent; correct what is stored, or declare the type of \
             the driver, which represents every value"
        );
    }
    format!(
        "{value} is stored where `{name}` is declared as {bson_type}; convert what is stored, or declare \
         `mongo_odm::with::text` if it is text"
    )
}

/// Reads a value from its text form or from extended JSON.
///
/// Rejects a value that has no text form, such as a date after the year 9999. Otherwise, the document could be stored
/// but not written as JSON.
pub(crate) fn read_extended<'de, T: Native, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = Bson::deserialize(deserializer)?;
    let read = match &value {
        Bson::String(text) => T::from_text(text),
        _ => T::from_bson(&value).ok_or_else(|| {
            format!(
                "{} is neither a text nor {} in extended JSON",
                crate::mongosh::value(&value),
                T::BSON_TYPE,
            )
        }),
    };
    let read = read.and_then(|read| read.to_text().map(|_| read));
    read.map_err(D::Error::custom)
}

#[diagnostic::do_not_recommend]
impl<Form, T: Stored<Form>> Stored<Form> for Option<T> {
    const OF_DRIVER: bool = T::OF_DRIVER;

    fn bson_form() -> BsonForm {
        BsonForm::nullable(T::bson_form())
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => serializer.serialize_some(&Written(value, PhantomData)),
            None => serializer.serialize_none(),
        }
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Option::<Read<T, Form>>::deserialize(deserializer)?;
        Ok(value.map(|read| read.0))
    }
}

#[diagnostic::do_not_recommend]
impl<Form, T: Stored<Form>> Stored<Form> for Presence<T> {
    const OF_DRIVER: bool = T::OF_DRIVER;

    fn bson_form() -> BsonForm {
        BsonForm::nullable(T::bson_form())
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Missing => Presence::Missing,
            Self::Null => Presence::Null,
            Self::Value(value) => Presence::Value(Written(value, PhantomData)),
        }
        .serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Presence::<Read<T, Form>>::deserialize(deserializer)?;
        Ok(value.map(|read| read.0))
    }
}

#[diagnostic::do_not_recommend]
impl<Form, T: Stored<Form>> Stored<Form> for Vec<T> {
    const OF_DRIVER: bool = T::OF_DRIVER;

    fn bson_form() -> BsonForm {
        BsonForm::array(T::bson_form())
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(Some(self.len()))?;
        for item in self {
            items.serialize_element(&Written(item, PhantomData))?;
        }
        items.end()
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Vec::<Read<T, Form>>::deserialize(deserializer)?;
        Ok(items.into_iter().map(|read| read.0).collect())
    }
}

/// Serializes a value that is inside an `Option` or a `Vec`.
struct Written<'a, T, Form>(&'a T, PhantomData<Form>);

impl<Form, T: Stored<Form>> Serialize for Written<'_, T, Form> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

/// Deserializes a value that is inside an `Option` or a `Vec`.
struct Read<T, Form>(T, PhantomData<Form>);

impl<'de, Form, T: Stored<Form>> Deserialize<'de> for Read<T, Form> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(|value| Self(value, PhantomData))
    }
}
