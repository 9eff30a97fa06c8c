//! What the type of a field tells: an array, an embedded struct, a number.

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    hash::{BuildHasher, Hash},
    marker::PhantomData,
};

use mongodb::bson::{Binary, DateTime, Timestamp, Uuid, oid::ObjectId};

use crate::{
    described::{Embedded, HasFields},
    id::Id,
    presence::Presence,
    shape::{EmbedShape, FieldShape},
    with::{AsText, Stored},
};

/// A field type that holds an embedded struct: the struct, an option or an array of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` embeds no struct",
    label = "no embedded struct",
    note = "`#[embed]` is for a struct with `#[derive(Embedded)]`, and for an `Option` or `Vec` of it; other values need no attribute"
)]
pub trait EmbedType {
    /// The embedded struct.
    type Embedded: Embedded;
}

#[diagnostic::do_not_recommend]
impl<E: Embedded> EmbedType for E {
    type Embedded = E;
}

impl<T: EmbedType> EmbedType for Option<T> {
    type Embedded = T::Embedded;
}

impl<T: EmbedType> EmbedType for Presence<T> {
    type Embedded = T::Embedded;
}

impl<T: EmbedType> EmbedType for Vec<T> {
    type Embedded = T::Embedded;
}

/// A field type that holds links: an array of structs with an id and a kind.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array of links",
    label = "not an array of links",
    note = "write `Vec<Link>` with `#[derive(Embedded)] struct Link {{ target: String, doc_type: String }}`, or `#[links(form = \"ids\")]` for an array of ids"
)]
pub trait ArrayOfLinks {
    /// The descriptions of the fields of a link.
    const FIELDS: &'static [FieldShape];
}

impl<T: ArrayType<Item: HasFields>> ArrayOfLinks for T {
    const FIELDS: &'static [FieldShape] = <T::Item as HasFields>::FIELDS;
}

/// A field type that is stored as an array.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as an array",
    label = "not an array",
    note = "arrays are `Vec`, `VecDeque`, `HashSet`, `BTreeSet` and options of them"
)]
pub trait ArrayType {
    /// The type of one element.
    type Item;

    /// Collects elements into the field's own type, so that they are encoded as it encodes them.
    fn from_items(items: Vec<Self::Item>) -> Self;
}

impl<T> ArrayType for Vec<T> {
    type Item = T;

    fn from_items(items: Vec<T>) -> Self {
        items
    }
}

impl<T> ArrayType for VecDeque<T> {
    type Item = T;

    fn from_items(items: Vec<T>) -> Self {
        items.into()
    }
}

impl<T: Eq + Hash, S: BuildHasher + Default> ArrayType for HashSet<T, S> {
    type Item = T;

    fn from_items(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Ord> ArrayType for BTreeSet<T> {
    type Item = T;

    fn from_items(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<A: ArrayType> ArrayType for Option<A> {
    type Item = A::Item;

    fn from_items(items: Vec<A::Item>) -> Self {
        Some(A::from_items(items))
    }
}

impl<A: ArrayType> ArrayType for Presence<A> {
    type Item = A::Item;

    fn from_items(items: Vec<A::Item>) -> Self {
        Self::Value(A::from_items(items))
    }
}

/// A field type that is stored as a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as a number",
    label = "not a number"
)]
pub trait Numeric {}

macro_rules! numeric {
    ($($type:ty)*) => {$( impl Numeric for $type {} )*};
}
numeric!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 mongodb::bson::Decimal128);

#[cfg(feature = "rust_decimal")]
impl Numeric for rust_decimal::Decimal {}

impl<T: Numeric> Numeric for Option<T> {}

impl<T: Numeric> Numeric for Presence<T> {}

/// Asks the compiler what a concrete field type is, inside a `const`.
///
/// An inherent constant wins over one of a trait where its bound holds; the derive names
/// `TypeProbe::<T>::EMBED` without knowing whether `T` embeds anything.
#[derive(Debug)]
pub struct TypeProbe<T>(PhantomData<fn() -> T>);

/// The answers for types that are no embedded structs, no arrays, no options.
pub trait TypeProbeFallback {
    /// No embedded struct.
    const EMBED: Option<EmbedShape> = None;
    /// No array.
    const ARRAY: bool = false;
    /// No `Option`.
    const OPTION: bool = false;
    /// No pair of equal types.
    const SAME: bool = false;
    /// No number.
    const NUMBER: bool = false;
    /// No other type that is known to be stored as something else than a string.
    const TEXTLESS: bool = false;
    /// No type of another crate for which there is a BSON type.
    const FOREIGN: bool = false;
}

impl<T> TypeProbeFallback for TypeProbe<T> {}

impl<T: EmbedType> TypeProbe<T> {
    /// The shape of the embedded struct.
    pub const EMBED: Option<EmbedShape> = Some(|| <T::Embedded as Embedded>::SHAPE);
}

impl<T: ArrayType> TypeProbe<T> {
    /// An array.
    pub const ARRAY: bool = true;
}

impl<T> TypeProbe<Option<T>> {
    /// An `Option`, which may be null.
    pub const OPTION: bool = true;
}

impl<T> TypeProbe<Presence<T>> {
    /// May be null.
    pub const OPTION: bool = true;
}

impl<T: Stored<AsText>> TypeProbe<T> {
    /// A type of another crate that serde alone stores as text or as plain bytes.
    pub const FOREIGN: bool = true;
}

impl<T> TypeProbe<(T, T)> {
    /// A pair of equal types.
    pub const SAME: bool = true;
}

impl<T: Numeric> TypeProbe<T> {
    /// A number.
    pub const NUMBER: bool = true;
}

/// A field type that is stored neither as a string nor as a number.
pub trait Textless {}

macro_rules! textless {
    ($($type:ty)*) => {$( impl Textless for $type {} )*};
}
textless!(bool ObjectId DateTime Uuid Binary Timestamp);

impl<M> Textless for Id<M> {}

impl<T: Textless> Textless for Option<T> {}

impl<T: Textless> Textless for Presence<T> {}

impl<T: Textless> TypeProbe<T> {
    /// Neither a string nor a number.
    pub const TEXTLESS: bool = true;
}
