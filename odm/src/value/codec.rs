//! Encodes and decodes BSON in the same way for both major versions of `bson` that the driver supports.
//!
//! All values, including operands of filters and updates, are encoded and decoded in the same way as by the driver's
//! `insert_one` and cursors. The format is raw BSON, which tells serde that it is not human-readable. The driver's
//! conversion functions, such as `serialize_to_bson`, tell serde that the format is human-readable. A `Uuid` would then
//! become a string instead of binary data, and a filter that contains the string would never match.

mod bson_version;
mod decode_error_path;
mod format;
mod hex;
mod object_id;
mod raw_elements;

use std::{any::Any, cell::Cell};

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_path_to_error::Segment;

use super::path::join;
use crate::error::{EncodeError, Error, Result};
use bson_version::decode_bytes;
use decode_error_path::{DecodeAgain, failing_path};
pub(crate) use format::{
    read_stored, reads_bson, reads_json, write_stored, writes_bson, writes_json,
};
pub(crate) use hex::{read_hex, write_hex};
pub(crate) use object_id::read_object_id;
pub(crate) use raw_elements::{document_from_elements, elements};

/// Encodes a struct or map as the document that the driver would insert for it.
pub(crate) fn encode_document<T: Serialize>(value: &T) -> Result<RawDocumentBuf, EncodeError> {
    bson_version::encode_raw(value).map_err(EncodeError)
}

/// Encodes one value as it would be stored in a field.
pub(crate) fn encode_value<T: Serialize + ?Sized>(value: &T) -> Result<Bson, EncodeError> {
    #[derive(Serialize)]
    struct Wrap<'a, T: ?Sized> {
        v: &'a T,
    }
    let raw = encode_document(&Wrap { v: value })?;
    let mut document = Document::try_from(&*raw).map_err(|error| EncodeError(error.to_string()))?;
    // Serde can skip a value, for example `()` in some positions. In that case, null is stored.
    Ok(document.remove("v").unwrap_or(Bson::Null))
}

/// Decodes one value as it would be read from a field.
pub(crate) fn decode_value<T: DeserializeOwned>(value: Bson) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Wrap<T> {
        v: T,
    }
    let mut document = Document::new();
    document.insert("v", value);
    let raw = RawDocumentBuf::try_from(&document).map_err(|error| error.to_string())?;
    decode_bytes::<Wrap<T>>(raw.as_bytes()).map(|wrap| wrap.v)
}

/// Decodes a document of a collection. An error contains the collection, the `_id`, and the path of the value that does
/// not match its type.
pub(crate) fn decode<T: DeserializeOwned>(collection: &str, raw: &RawDocument) -> Result<T> {
    decode_part(collection, raw, raw)
}

/// Decodes a part of a document. An error contains the `_id` of the whole document.
pub(crate) fn decode_part<T: DeserializeOwned>(
    collection: &str,
    raw: &RawDocument,
    whole: &RawDocument,
) -> Result<T> {
    decode_bytes(raw.as_bytes()).map_err(|message| {
        let error = DecodeError {
            type_name: short_type_name::<T>(),
            collection,
            raw,
            whole,
            message,
        };
        error.located(&|bytes| decode_bytes::<T>(bytes).err())
    })
}

/// The data for the error about a document that does not match its Rust type.
struct DecodeError<'a> {
    type_name: &'static str,
    collection: &'a str,
    raw: &'a RawDocument,
    whole: &'a RawDocument,
    message: String,
}

impl DecodeError<'_> {
    #[cold]
    fn located(self, again: DecodeAgain<'_>) -> Error {
        let id = match self.whole.get("_id") {
            Ok(Some(id)) => Bson::try_from(id).ok(),
            _ => None,
        };
        let path = failing_path(self.raw, &self.message, again);
        Error::Decode {
            type_name: self.type_name,
            collection: self.collection.to_owned(),
            id: id.map(Box::new),
            path: path.unwrap_or_else(|| "(document)".to_owned()),
            message: self.message,
        }
    }
}

thread_local! {
    /// The path of the value that serde could not write. The driver's functions accept a value but not a serializer, so
    /// the value's own `Serialize` impl stores the path in this variable.
    static FAILED_AT: Cell<Option<String>> = const { Cell::new(None) };
}

/// Formats a path as in a filter: `fans.0.name`. Returns `None` if the path is empty.
fn dotted(path: &serde_path_to_error::Path) -> Option<String> {
    let mut dotted = String::new();
    for segment in path {
        let segment = match segment {
            Segment::Seq { index } => index.to_string(),
            Segment::Map { key } => key.clone(),
            Segment::Enum { variant } => variant.clone(),
            Segment::Unknown => "?".to_owned(),
        };
        dotted = join(&dotted, &segment);
    }
    (!dotted.is_empty()).then_some(dotted)
}

/// Finds the path of the value that cannot be written. The function encodes the struct again and tracks the path.
pub(crate) fn unwritable_path<T: Serialize>(value: &T) -> Option<String> {
    struct Tracked<'a, T>(&'a T);
    impl<T: Serialize> Serialize for Tracked<'_, T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serde_path_to_error::serialize(self.0, serializer).map_err(|error| {
                FAILED_AT.set(dotted(error.path()));
                error.into_inner()
            })
        }
    }
    FAILED_AT.take();
    let _ = encode_document(&Tracked(value));
    FAILED_AT.take()
}

/// Returns the name of a type without its module path.
pub(crate) fn short_type_name<T>() -> &'static str {
    short(std::any::type_name::<T>())
}

fn short(name: &'static str) -> &'static str {
    let end = name.find('<').unwrap_or(name.len());
    let start = name
        .get(..end)
        .and_then(|head| head.rfind("::"))
        .map_or(0, |at| at + 2);
    name.get(start..).unwrap_or(name)
}

/// Defines how a field's values are encoded.
///
/// [`AsSerde`] is the type's own serde form. For a field that has `#[serde(with = "..")]`, the derive implements this
/// trait.
pub trait Codec<T> {
    /// The codec as a type that does not depend on the field: [`AsSerde`], or a [`CodecPath`].
    #[doc(hidden)]
    type Form;

    /// Whether the codec is the type's own serde form.
    #[doc(hidden)]
    const PLAIN: bool = false;

    /// Writes a value of the field.
    ///
    /// # Errors
    ///
    /// The error that the serializer or the value's own `serialize` function returned.
    #[doc(hidden)]
    fn serialize<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads a value of the field.
    ///
    /// # Errors
    ///
    /// The error that the deserializer or the value's own `deserialize` function returned.
    #[doc(hidden)]
    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>;
}

/// The codec of a field that does not have `#[serde(with = "..")]`. Values are encoded in the type's own serde form.
#[derive(Clone, Copy, Debug)]
pub struct AsSerde;

/// The codec with the path that `#[serde(with = "..")]` contains. The parameter is the hash of the path.
#[derive(Clone, Copy, Debug)]
pub struct CodecPath<const HASH: u64>;

impl<T: Serialize + DeserializeOwned> Codec<T> for AsSerde {
    type Form = Self;

    const PLAIN: bool = true;

    fn serialize<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// Encodes a field's value with the field's own codec.
pub(crate) fn encode_with<T, C: Codec<T>>(value: &T) -> Result<Bson, EncodeError> {
    struct Coded<'a, T, C>(&'a T, std::marker::PhantomData<C>);
    impl<T, C: Codec<T>> Serialize for Coded<'_, T, C> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            C::serialize(self.0, serializer)
        }
    }
    encode_value(&Coded(value, std::marker::PhantomData::<C>))
}

/// A field's value: either the value in the application or the stored value.
#[derive(Clone, Copy, Debug)]
pub enum FieldValue<'v> {
    /// The value in the application, which has the field's type.
    Typed(&'v (dyn Any + 'static)),
    /// The stored value, which might not fit the field's type.
    Stored(&'v Bson),
}

/// Returns whether a `skip_serializing_if` predicate is true for a value. The result is false for a stored value that
/// the field's type cannot represent.
pub fn skips<T: 'static, C: Codec<T>>(value: FieldValue<'_>, skips: impl Fn(&T) -> bool) -> bool {
    match value {
        FieldValue::Typed(value) => value.downcast_ref().is_some_and(skips),
        FieldValue::Stored(value) => {
            decode_with::<T, C>(value.clone()).is_ok_and(|value| skips(&value))
        }
    }
}

/// Decodes a field's value with the field's own codec.
pub(crate) fn decode_with<T, C: Codec<T>>(value: Bson) -> Result<T, String> {
    struct Coded<T, C>(T, std::marker::PhantomData<C>);
    impl<'de, T, C: Codec<T>> Deserialize<'de> for Coded<T, C> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            C::deserialize(deserializer).map(|value| Self(value, std::marker::PhantomData))
        }
    }
    decode_value::<Coded<T, C>>(value).map(|coded| coded.0)
}
