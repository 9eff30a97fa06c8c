//! Field types that can be used as type arguments of generic embedded structs. Each type describes its own stored
//! form.

use std::{borrow::Cow, marker::PhantomData, sync::Arc};

use mongodb::bson::{
    Binary, Bson, DateTime, Decimal128, Document, RawDocumentBuf, Timestamp, Uuid, oid::ObjectId,
};

use crate::{
    containers::{for_arrays, for_pointers},
    model::{
        derive_traits::Embedded,
        shape::{Containers, EmbedShape, EmbeddedStruct, StructShape},
    },
    value::{id::Id, key::AnyKey, presence::Presence},
};

/// A type that can be used as a type argument of a generic [`Embedded`](derive@crate::Embedded) struct.
///
/// The derive sees only the name of the parameter, so the type argument must describe its own stored form. The library
/// implements this trait for plain values, ids, every `Embedded` struct, and options and arrays of them. If your own
/// type is stored as one value, such as an enum whose variants contain no data, write an empty `impl` for it.
///
/// # Examples
///
/// ```
/// use mongo_odm::{field::FieldType, prelude::*};
///
/// #[derive(Debug, Serialize, Deserialize, Embedded)]
/// struct Range<T> {
///     from: T,
///     to: Option<T>,
/// }
///
/// #[derive(Debug, Serialize, Deserialize)]
/// enum Grade {
///     Good,
///     Bad,
/// }
///
/// impl FieldType for Grade {}
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "parts")]
/// struct Part {
///     #[serde(rename = "_id")]
///     id: Id<Part>,
///     sizes: Range<i64>,
///     grades: Vec<Range<Grade>>,
/// }
///
/// assert_eq!(Part::fields().sizes.from.path(), "sizes.from");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what is stored of it in a generic struct",
    label = "not known in a generic struct",
    note = "add `#[derive(Embedded)]` to a struct of your own, or `impl mongo_odm::field::FieldType for T {{}}` to a type `T` that is stored as one value; \
            dates and decimals of other crates need `#[serde(with = \"..\")]` at the field of the generic struct, and maps a struct without parameters"
)]
pub trait FieldType {
    /// Whether the type is stored as an array.
    #[doc(hidden)]
    const __ODM_ARRAY: bool = false;

    /// Whether the value may be null.
    #[doc(hidden)]
    const __ODM_OPTION: bool = false;

    /// The embedded struct and the containers around it, if the type contains an embedded struct.
    #[doc(hidden)]
    const __ODM_EMBED: Option<EmbedShape> = None;
}

#[diagnostic::do_not_recommend]
impl<E: Embedded> FieldType for E {
    const __ODM_EMBED: Option<EmbedShape> =
        Some(|| EmbeddedStruct::new(E::SHAPE, Containers::NONE));
}

macro_rules! values {
    ($($value:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl FieldType for $value {}
    )*};
}
values!(bool char i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
values!(String Box<str> Arc<str> Cow<'static, str>);
values!(Binary Bson DateTime Decimal128 Document RawDocumentBuf Timestamp Uuid ObjectId AnyKey);
// The values of these types are stored as text without a codec.
#[cfg(feature = "chrono")]
values!(chrono::NaiveDate chrono::NaiveDateTime chrono::NaiveTime);

#[diagnostic::do_not_recommend]
impl<M, K> FieldType for Id<M, K> {}

/// A marker of a type parameter, which serde stores as null.
#[diagnostic::do_not_recommend]
impl<T: ?Sized> FieldType for PhantomData<T> {}

/// Returns the shape of a container (`outer`), or `None` if the container's content does not embed a struct.
const fn embed_if_inner(inner: Option<EmbedShape>, outer: EmbedShape) -> Option<EmbedShape> {
    match inner {
        Some(_) => Some(outer),
        None => None,
    }
}

/// Returns the struct that `T` embeds, with one more container around it.
fn embedded_in<T: FieldType>(change: fn(Containers) -> Containers) -> EmbeddedStruct {
    let embedded = T::__ODM_EMBED.map(|embedded| embedded());
    let embedded = embedded.unwrap_or(EmbeddedStruct::new(NOTHING, Containers::NONE));
    EmbeddedStruct::new(embedded.shape, change(embedded.containers))
}

/// A placeholder for types that do not embed a struct. No code reads this placeholder.
const NOTHING: &StructShape = &StructShape::new("", &[]);

#[diagnostic::do_not_recommend]
impl<T: FieldType> FieldType for Option<T> {
    const __ODM_ARRAY: bool = T::__ODM_ARRAY;
    const __ODM_OPTION: bool = true;
    const __ODM_EMBED: Option<EmbedShape> =
        embed_if_inner(T::__ODM_EMBED, || embedded_in::<T>(Containers::in_option));
}

#[diagnostic::do_not_recommend]
impl<T: FieldType> FieldType for Presence<T> {
    const __ODM_ARRAY: bool = T::__ODM_ARRAY;
    const __ODM_OPTION: bool = true;
    const __ODM_EMBED: Option<EmbedShape> =
        embed_if_inner(T::__ODM_EMBED, || embedded_in::<T>(Containers::in_presence));
}

macro_rules! array {
    ([$($generics:tt)*] $array:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: FieldType, $($generics)*> FieldType for $array {
            const __ODM_ARRAY: bool = true;
            const __ODM_EMBED: Option<EmbedShape> =
                embed_if_inner(T::__ODM_EMBED, || embedded_in::<T>(Containers::in_array));
        }
    };
}
for_arrays!(array);

macro_rules! behind {
    ($pointer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: FieldType> FieldType for $pointer {
            const __ODM_ARRAY: bool = T::__ODM_ARRAY;
            const __ODM_EMBED: Option<EmbedShape> =
                embed_if_inner(T::__ODM_EMBED, || embedded_in::<T>(Containers::in_pointer));
        }
    };
}
for_pointers!(behind);
