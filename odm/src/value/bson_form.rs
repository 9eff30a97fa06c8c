//! The BSON types in which serde stores the values of a Rust type.
//!
//! `HasBsonForm` defines the form of the library's own types, of the driver's types, and of containers. The form of any
//! other type is traced from its `Deserialize` impl (`bson_form::trace`). If neither source determines the form, the
//! form is `Any`.

mod trace;

use mongodb::bson::{
    Binary, DateTime, Decimal128, Document, Regex, Timestamp, Uuid, oid::ObjectId,
};

pub(crate) use trace::{traced_form, traces};

use super::presence::Presence;
use crate::containers::{for_arrays, for_maps, for_pointers};

/// The BSON types in which serde stores the values of a Rust type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BsonForm {
    /// A value of any type, because the types are not known.
    Any,
    /// A value of one of these types, under the server's names.
    Types(&'static [&'static str]),
    /// One of these strings.
    Names(Vec<&'static str>),
    /// A document.
    Document,
    /// An array, and the form of its elements.
    Array(Box<Self>),
    /// Null, or a value of this form.
    Nullable(Box<Self>),
}

/// A function that returns the form of a type.
pub(crate) type DescribeForm = fn() -> BsonForm;

impl BsonForm {
    pub(crate) const STRING: Self = Self::Types(&["string"]);
    pub(crate) const BOOL: Self = Self::Types(&["bool"]);
    /// The types of integers. The driver reads both types into each Rust integer type, and `$inc` can change `int` to
    /// `long`.
    pub(crate) const INTEGER: Self = Self::Types(&["int", "long"]);
    /// The types from which a float can be read. A double cannot be read into an integer.
    pub(crate) const FLOAT: Self = Self::Types(&["int", "long", "double"]);

    /// Returns whether the value, or an element of the array, can have a BSON type. `name` is the server's name of the
    /// type.
    pub(crate) fn can_be(&self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Types(types) => types.contains(&name),
            Self::Names(_) => name == "string",
            Self::Document => name == "object",
            Self::Array(inner) | Self::Nullable(inner) => inner.can_be(name),
        }
    }

    /// Lists the strings in which the value, or an element of the array, is stored. Returns `None` if other strings are
    /// possible.
    pub(crate) fn names(&self) -> Option<&[&'static str]> {
        match self {
            Self::Names(names) => Some(names),
            Self::Array(inner) | Self::Nullable(inner) => inner.names(),
            Self::Any | Self::Types(_) | Self::Document => None,
        }
    }

    /// Whether the value can be missing, null or an array.
    pub(crate) const fn is_nullable_or_array(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Nullable(_))
    }

    pub(crate) fn array(item: Self) -> Self {
        Self::Array(Box::new(item))
    }

    pub(crate) fn nullable(value: Self) -> Self {
        Self::Nullable(Box::new(value))
    }
}

/// A type whose stored form the library defines.
pub trait HasBsonForm {
    /// Returns the stored form.
    fn bson_form() -> BsonForm;
}

macro_rules! forms {
    ($($type:ty: $form:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl HasBsonForm for $type {
            fn bson_form() -> BsonForm {
                $form
            }
        }
    )*};
}
forms! {
    String: BsonForm::STRING;
    char: BsonForm::STRING;
    bool: BsonForm::BOOL;
    i8: BsonForm::INTEGER;
    i16: BsonForm::INTEGER;
    i32: BsonForm::INTEGER;
    i64: BsonForm::INTEGER;
    isize: BsonForm::INTEGER;
    u8: BsonForm::INTEGER;
    u16: BsonForm::INTEGER;
    u32: BsonForm::INTEGER;
    u64: BsonForm::INTEGER;
    usize: BsonForm::INTEGER;
    f32: BsonForm::FLOAT;
    f64: BsonForm::FLOAT;
    ObjectId: BsonForm::Types(&["objectId"]);
    DateTime: BsonForm::Types(&["date"]);
    Decimal128: BsonForm::Types(&["decimal"]);
    Uuid: BsonForm::Types(&["binData"]);
    Binary: BsonForm::Types(&["binData"]);
    Timestamp: BsonForm::Types(&["timestamp"]);
    Regex: BsonForm::Types(&["regex"]);
    Document: BsonForm::Document;
}

#[diagnostic::do_not_recommend]
impl<T: HasBsonForm> HasBsonForm for Option<T> {
    fn bson_form() -> BsonForm {
        BsonForm::nullable(T::bson_form())
    }
}

#[diagnostic::do_not_recommend]
impl<T: HasBsonForm> HasBsonForm for Presence<T> {
    fn bson_form() -> BsonForm {
        BsonForm::nullable(T::bson_form())
    }
}

macro_rules! array_form {
    ([$($generics:tt)*] $array:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: HasBsonForm, $($generics)*> HasBsonForm for $array {
            fn bson_form() -> BsonForm {
                BsonForm::array(T::bson_form())
            }
        }
    };
}
for_arrays!(array_form);

macro_rules! map_form {
    ([$($generics:tt)*] $map:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T, $($generics)*> HasBsonForm for $map {
            fn bson_form() -> BsonForm {
                BsonForm::Document
            }
        }
    };
}
for_maps!(map_form);

macro_rules! form_behind {
    ($pointer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: HasBsonForm> HasBsonForm for $pointer {
            fn bson_form() -> BsonForm {
                T::bson_form()
            }
        }
    };
}
for_pointers!(form_behind);
