//! Traits that group field types: arrays, embedded structs, numbers and dates.

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    hash::{BuildHasher, Hash},
};

use mongodb::bson::{Binary, DateTime, Timestamp, Uuid, oid::ObjectId};

use crate::{
    containers::{for_arrays, for_pointers},
    model::{
        derive_traits::{Embedded, HasFields, InArray, Path},
        reference::Held,
        shape::{Containers, FieldShape},
    },
    value::{id::Id, presence::Presence},
};

/// A field type that contains an embedded struct: the struct itself, or an option or an array of such structs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` embeds no struct",
    label = "no embedded struct",
    note = "`#[embed]`, and a path that goes on, need a struct with `#[derive(Embedded)]`, or an `Option`, `Box` or `Vec` of it (or another list); maps and other values need no attribute"
)]
pub trait EmbedType {
    /// The embedded struct.
    type Embedded: Embedded;

    /// The path below which the struct's fields are stored, for a field at the path `P`. If the field is an array of
    /// structs, this is a path inside the array; otherwise, it is `P` itself.
    #[doc(hidden)]
    type Place<P: Path>: Path;

    /// The containers around the struct, such as `Option` and `Vec`.
    #[doc(hidden)]
    const CONTAINERS: Containers;
}

#[diagnostic::do_not_recommend]
impl<E: Embedded> EmbedType for E {
    type Embedded = E;
    type Place<P: Path> = P;
    const CONTAINERS: Containers = Containers::NONE;
}

#[diagnostic::do_not_recommend]
impl<T: EmbedType> EmbedType for Option<T> {
    type Embedded = T::Embedded;
    type Place<P: Path> = T::Place<P>;
    const CONTAINERS: Containers = T::CONTAINERS.in_option();
}

#[diagnostic::do_not_recommend]
impl<T: EmbedType> EmbedType for Presence<T> {
    type Embedded = T::Embedded;
    type Place<P: Path> = T::Place<P>;
    const CONTAINERS: Containers = T::CONTAINERS.in_presence();
}

/// Implements a trait without methods for options of types that have the trait.
macro_rules! in_options {
    ($marker:ident) => {
        #[diagnostic::do_not_recommend]
        impl<T: $marker> $marker for Option<T> {}

        #[diagnostic::do_not_recommend]
        impl<T: $marker> $marker for Presence<T> {}
    };
}

macro_rules! embeds_array {
    ([$($generics:tt)*] $array:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: EmbedType, $($generics)*> EmbedType for $array {
            type Embedded = T::Embedded;
            type Place<P: Path> = InArray<T::Place<P>>;
            const CONTAINERS: Containers = T::CONTAINERS.in_array();
        }
    };
}
for_arrays!(embeds_array);

macro_rules! embeds_behind {
    ($pointer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: EmbedType> EmbedType for $pointer {
            type Embedded = T::Embedded;
            type Place<P: Path> = T::Place<P>;
            const CONTAINERS: Containers = T::CONTAINERS.in_pointer();
        }
    };
}
for_pointers!(embeds_behind);

/// A field type that is stored as an array, whether its length is fixed or variable.
pub trait StoredAsArray {}

macro_rules! stored_as_array {
    ([$($generics:tt)*] $array:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T, $($generics)*> StoredAsArray for $array {}
    };
}
for_arrays!(stored_as_array);

in_options!(StoredAsArray);

/// A sequence of bytes that a codec such as `serde_bytes` can store as one binary value. Without a codec, serde stores
/// an array of numbers.
pub trait Bytes {}

#[diagnostic::do_not_recommend]
impl Bytes for Vec<u8> {}

#[diagnostic::do_not_recommend]
impl<const N: usize> Bytes for [u8; N] {}

#[diagnostic::do_not_recommend]
impl Bytes for Box<[u8]> {}

in_options!(Bytes);

macro_rules! array_behind {
    ($pointer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: StoredAsArray> StoredAsArray for $pointer {}

        #[diagnostic::do_not_recommend]
        impl<T: ArrayType> ArrayType for $pointer {
            type Item = T::Item;

            fn from_items(items: Vec<T::Item>) -> Self {
                T::from_items(items).into()
            }
        }
    };
}
for_pointers!(array_behind);

/// A field type for links: an array of structs that each contain an id and a kind.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array of links",
    label = "not an array of links",
    note = "write `Vec<Link>` with `#[derive(Embedded)] struct Link {{ target: String, doc_type: String }}`, or `#[links(form = \"ids\")]` for an array of ids"
)]
pub trait ArrayOfLinks {
    /// The shapes of one link's fields.
    const __ODM_FIELDS: &'static [FieldShape];
}

#[diagnostic::do_not_recommend]
impl<T: ArrayType<Item: HasFields>> ArrayOfLinks for T {
    const __ODM_FIELDS: &'static [FieldShape] = <T::Item as HasFields>::__ODM_FIELDS;
}

/// A field type that is stored as a variable-length array.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as an array",
    label = "not an array",
    note = "arrays that take elements are `Vec`, `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `SmallVec` with the feature `smallvec`, and options of them; `[T; N]` always has as many"
)]
pub trait ArrayType {
    /// The type of one element.
    type Item;

    /// Collects elements into the field's own type, so that the field's codec can encode them.
    #[doc(hidden)]
    fn from_items(items: Vec<Self::Item>) -> Self;
}

macro_rules! arrays {
    ($($(#[$feature:meta])? [$($generics:tt)*] $array:ty;)*) => {$(
        $(#[$feature])?
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ArrayType for $array {
            type Item = T;

            fn from_items(items: Vec<T>) -> Self {
                items.into_iter().collect()
            }
        }
    )*};
}
arrays! {
    [T] Vec<T>;
    [T] VecDeque<T>;
    [T] Box<[T]>;
    [T: Eq + Hash, S: BuildHasher + Default] HashSet<T, S>;
    [T: Ord] BTreeSet<T>;
    #[cfg(feature = "smallvec")]
    [T, const N: usize] smallvec::SmallVec<[T; N]>;
}

#[diagnostic::do_not_recommend]
impl<A: ArrayType> ArrayType for Option<A> {
    type Item = A::Item;

    fn from_items(items: Vec<A::Item>) -> Self {
        Some(A::from_items(items))
    }
}

#[diagnostic::do_not_recommend]
impl<A: ArrayType> ArrayType for Presence<A> {
    type Item = A::Item;

    fn from_items(items: Vec<A::Item>) -> Self {
        Self::Value(A::from_items(items))
    }
}

/// A field type that is stored as a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as a number",
    label = "not a number",
    note = "numbers are integers, floats and `Decimal128`, `rust_decimal::Decimal` with the feature `rust_decimal`, and options of them"
)]
pub trait Numeric {}

macro_rules! numeric {
    ($($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Numeric for $type {}
    )*};
}
numeric!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 mongodb::bson::Decimal128);

#[cfg(feature = "rust_decimal")]
#[diagnostic::do_not_recommend]
impl Numeric for rust_decimal::Decimal {}

in_options!(Numeric);

/// A field type that is a date.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as a date",
    label = "not a date",
    note = "make the field a `DateTime`, or a date of `chrono`, `time` or `jiff` with the feature of that name and `#[serde(with = \"mongo_odm::with::native\")]`"
)]
pub trait Dated {}

macro_rules! dated {
    ($($(#[$feature:meta])? $type:ty;)*) => {$(
        $(#[$feature])?
        #[diagnostic::do_not_recommend]
        impl Dated for $type {}
    )*};
}
dated! {
    DateTime;
    #[cfg(feature = "time")] time::OffsetDateTime;
    #[cfg(feature = "jiff")] jiff::Timestamp;
    #[cfg(feature = "jiff")] jiff::ZonedDateTime;
}

#[cfg(feature = "chrono")]
#[diagnostic::do_not_recommend]
impl<Zone: chrono::TimeZone> Dated for chrono::DateTime<Zone> {}

in_options!(Dated);

/// Checks that a field of type `T` can store a date.
pub const fn check_date<T: Dated>() {}

/// The type of a `#[deleted_at]` field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the time at which a document was deleted",
    label = "not an optional date",
    note = "make the field an `Option<DateTime>`, because the field of a document that is not deleted is null"
)]
pub trait DeletionDate {}

#[diagnostic::do_not_recommend]
impl<T: Dated> DeletionDate for Option<T> {}

/// Checks that a field of type `T` can store the time at which a document was deleted.
pub const fn check_deletion_date<T: DeletionDate>() {}

/// A field type that is known to be stored neither as a string nor as a number.
pub trait Textless {}

macro_rules! textless {
    ($($type:ty)*) => {$( impl Textless for $type {} )*};
}
textless!(bool ObjectId DateTime Uuid Binary Timestamp);

#[diagnostic::do_not_recommend]
impl<M> Textless for Id<M> {}

in_options!(Textless);

/// Implemented if the field of a relation is an array. The compiler checks this bound only if your
/// code calls a method of the relation.
#[diagnostic::on_unimplemented(
    message = "this relation has no array",
    label = "the field is no array",
    note = "the error at the field of the relation says what to write"
)]
pub trait HoldsItems {
    /// The type of the array.
    type Array: ArrayType<Item = Self::Item>;

    /// The type of one element.
    type Item;
}

#[diagnostic::do_not_recommend]
impl<T: ArrayType> HoldsItems for Held<'_, T> {
    type Array = T;
    type Item = T::Item;
}
