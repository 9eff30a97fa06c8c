//! References: values that identify other documents by their keys.

mod method_bounds;
mod polymorphic;
mod two_way_method_bounds;

pub use method_bounds::{Held, HoldsKeys, Leads, LeadsOnlyTo, Of};
pub use polymorphic::{Polymorphic, PolymorphicTo, Several};
pub use two_way_method_bounds::{AreMirrored, ArraysAtBothEnds, IsFollowed, KeyThere};

use mongodb::bson::Decimal128;

use super::{
    derive_traits::{Described, Holds},
    shape::KeyShape,
};
use crate::{
    containers::{for_arrays, for_pointers},
    error::EncodeError,
    value::{
        id::Id,
        key::{AnyKey, JoinKey, Key},
        presence::Presence,
    },
};

/// One key of a reference in the form that joins compare, or the error if the key cannot be written as BSON.
pub type KeySlot = Result<JoinKey, EncodeError>;

/// A value that contains keys: an id, a plain key, an array or an option of these, or an embedded struct that contains
/// one reference.
///
/// The keys keep their stored order, and repeated keys are not removed. A null inside an array counts as one key.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no keys",
    label = "no keys",
    note = "a reference is an `Id<Model>`, a plain key with `to = \"Model\"`, an `Option` or `Vec` of them (or another list or set), or an `Embedded` with exactly one reference"
)]
pub trait Keys {
    /// The type of one key.
    type Key: Key;

    /// The model that the keys are known to identify. The type is `Unknown` for plain keys.
    type Knows;

    /// Whether the value may contain more than one key.
    const __ODM_MANY: bool;

    /// Number of arrays that are directly nested around the keys. An array of embedded structs that contain arrays
    /// counts as one array.
    const __ODM_ARRAYS: usize = 0;

    /// Calls a function for every key, in stored order.
    #[doc(hidden)]
    fn each_key(&self, found: &mut dyn FnMut(KeySlot));

    /// Appends the stored path from this value to its keys.
    ///
    /// Nothing is appended for a plain key. For an embedded struct that stores its key in `id`, `.id` is appended.
    #[doc(hidden)]
    fn push_inner_path(path: &mut String);
}

#[diagnostic::do_not_recommend]
impl<K: Key> Keys for K {
    type Key = K;
    type Knows = Unknown;
    const __ODM_MANY: bool = false;

    fn each_key(&self, found: &mut dyn FnMut(KeySlot)) {
        found(self.join_key());
    }

    fn push_inner_path(_: &mut String) {}
}

#[diagnostic::do_not_recommend]
impl<T: 'static, K: Key> Keys for Id<T, K> {
    type Key = K;
    type Knows = Known<T>;
    const __ODM_MANY: bool = false;

    fn each_key(&self, found: &mut dyn FnMut(KeySlot)) {
        found(self.key().join_key());
    }

    fn push_inner_path(_: &mut String) {}
}

macro_rules! keys_of_nullable {
    ($nullable:ident) => {
        /// A missing or null value counts as one null key, which keeps its position and never matches a document.
        #[diagnostic::do_not_recommend]
        impl<R: Keys> Keys for $nullable<R> {
            type Key = R::Key;
            type Knows = R::Knows;
            const __ODM_MANY: bool = R::__ODM_MANY;
            const __ODM_ARRAYS: usize = R::__ODM_ARRAYS;

            fn each_key(&self, found: &mut dyn FnMut(KeySlot)) {
                each_of_option(self.as_ref(), found);
            }

            fn push_inner_path(path: &mut String) {
                R::push_inner_path(path);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<R: Reference> Reference for $nullable<R> {
            type Target = R::Target;
            const __ODM_KEY: Option<KeyShape> = R::__ODM_KEY;
        }
    };
}
keys_of_nullable!(Option);
keys_of_nullable!(Presence);

macro_rules! keys_of_array {
    ([$($generics:tt)*] $array:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: Keys, $($generics)*> Keys for $array {
            type Key = T::Key;
            type Knows = T::Knows;
            const __ODM_MANY: bool = true;
            const __ODM_ARRAYS: usize = T::__ODM_ARRAYS + 1;

            fn each_key(&self, found: &mut dyn FnMut(KeySlot)) {
                for reference in self {
                    reference.each_key(found);
                }
            }

            fn push_inner_path(path: &mut String) {
                T::push_inner_path(path);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Reference, $($generics)*> Reference for $array {
            type Target = T::Target;
            const __ODM_KEY: Option<KeyShape> = T::__ODM_KEY;
        }
    };
}
for_arrays!(keys_of_array);

macro_rules! keys_behind {
    ([$($generics:tt)*] $pointer:ty: $value:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Keys for $pointer
        where
            $value: Keys,
        {
            type Key = <$value as Keys>::Key;
            type Knows = <$value as Keys>::Knows;
            const __ODM_MANY: bool = <$value as Keys>::__ODM_MANY;
            const __ODM_ARRAYS: usize = <$value as Keys>::__ODM_ARRAYS;

            fn each_key(&self, found: &mut dyn FnMut(KeySlot)) {
                <$value as Keys>::each_key(self, found);
            }

            fn push_inner_path(path: &mut String) {
                <$value as Keys>::push_inner_path(path);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Reference for $pointer
        where
            $value: Reference,
        {
            type Target = <$value as Reference>::Target;
            const __ODM_KEY: Option<KeyShape> = <$value as Reference>::__ODM_KEY;
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*, Of> FromKey<Of> for $pointer
        where
            $value: FromKey<Of>,
        {
            fn from_key(key: &Of) -> Self {
                <$value as FromKey<Of>>::from_key(key).into()
            }
        }
    };
    ($pointer:ty) => {
        keys_behind!([T] $pointer: T);
    };
}
for_pointers!(keys_behind);
keys_behind!([M, K] Box<Id<M, K>>: Id<M, K>);

fn each_of_option<R: Keys>(reference: Option<&R>, found: &mut dyn FnMut(KeySlot)) {
    match reference {
        Some(reference) => reference.each_key(found),
        // An absent array does not contain keys. An absent single key counts as one null key.
        None if R::__ODM_MANY => {}
        None => found(Ok(JoinKey::NULL)),
    }
}

/// A reference that can be created from the key of its target.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not made of a key of type `{K}`",
    label = "the key is a `{K}`",
    note = "in a struct with `from` the reference is an `Id<Model>`, a plain key or an `Option` of one"
)]
pub trait FromKey<K> {
    /// Creates a reference to the document that has this key.
    fn from_key(key: &K) -> Self;
}

#[diagnostic::do_not_recommend]
impl<K: Key> FromKey<K> for K {
    fn from_key(key: &K) -> Self {
        key.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<T, K: Key> FromKey<K> for Id<T, K> {
    fn from_key(key: &K) -> Self {
        Self::from_key(key.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<R: FromKey<K>, K> FromKey<K> for Option<R> {
    fn from_key(key: &K) -> Self {
        Some(R::from_key(key))
    }
}

#[diagnostic::do_not_recommend]
impl<R: FromKey<K>, K> FromKey<K> for Presence<R> {
    fn from_key(key: &K) -> Self {
        Self::Value(R::from_key(key))
    }
}

/// A reference whose type determines its target: `Id<Part>`, and arrays, options and embedded structs that contain an
/// `Id<Part>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what it refers to",
    label = "not a reference",
    note = "use `Id<Model>`, `Option` or `Vec` of it, or an `Embedded` with exactly one reference; a plain key needs `to = \"Model\"` or `to = \"Model.field\"`, an enum of references `polymorphic`"
)]
pub trait Reference: Keys {
    /// The target model.
    type Target;

    /// The target's field with which the keys are compared. `None` means the `_id`.
    const __ODM_KEY: Option<KeyShape> = None;

    /// Returns the stored path of the target's field with which the keys are compared.
    #[doc(hidden)]
    fn target_path() -> String {
        Self::__ODM_KEY.map_or_else(|| "_id".to_owned(), |key| (key.path)())
    }
}

impl<T: Described, K: KeyFor<T::Key>> Reference for Id<T, K> {
    type Target = T;
}

/// Marker type for keys that identify documents of the model `T`.
#[derive(Debug)]
pub struct Known<T>(std::marker::PhantomData<fn() -> T>);

/// Marker type for plain keys, whose type does not determine a target.
#[derive(Debug)]
pub struct Unknown;

/// Implemented for keys that the attribute `to = ".."` can declare as references to `M`.
#[diagnostic::on_unimplemented(
    message = "the ids in this field do not identify `{M}`",
    label = "ids of another model than `{M}`",
    note = "remove `to`, or name the model of the ids in it"
)]
pub trait MayKnow<M> {}

#[diagnostic::do_not_recommend]
impl<M> MayKnow<M> for Known<M> {}
#[diagnostic::do_not_recommend]
impl<M> MayKnow<M> for Unknown {}

/// Implemented for structs in which field number `I` is a reference to `M`.
#[diagnostic::on_unimplemented(
    message = "this field of `{Self}` is no reference to the model",
    label = "no reference to it",
    note = "add `#[parent_ref]`, `#[refs(one)]` or `#[refs(many)]` to the field in `{Self}`, or name a field that has one and refers to the model; a polymorphic reference has no other direction"
)]
pub trait Refers<M, const I: usize> {}

// `do_not_recommend` prevents the compiler from listing the impls that the derives emit.
#[diagnostic::do_not_recommend]
impl<M, O: DeclaresReference<M, I>, const I: usize> Refers<M, I> for O {}

/// Equivalent to `Refers`. The derive implements this trait for every reference.
pub trait DeclaresReference<M, const I: usize> {}

/// Implemented for those target types of a reference that include the documents of `M`.
#[diagnostic::on_unimplemented(
    message = "this field is a reference to `{Self}`, not to `{M}`",
    label = "does not refer to `{M}`",
    note = "name a field with `#[parent_ref]`, `#[refs(one)]` or `#[refs(many)]` whose target is `{M}`, or an enum over several kinds of which it is one"
)]
pub trait LeadsTo<M> {}

#[diagnostic::do_not_recommend]
impl<M, T: Holds<M>> LeadsTo<M> for T {}

/// A key that can be compared with keys of type `K`. The key type is `K` itself or [`AnyKey`]. If `K` is a number
/// type, the key can be of any number type.
///
/// If the target stores an `Option<K>`, null and missing values in the target never equal a key.
#[diagnostic::on_unimplemented(
    message = "a key of type `{Self}` never equals one of type `{K}`",
    label = "the target stores `{K}`",
    note = "use the key type of the target, or `AnyKey` where the stored types are mixed"
)]
pub trait KeyFor<K>: Key {}

#[diagnostic::do_not_recommend]
impl<K: Key> KeyFor<K> for K {}

#[diagnostic::do_not_recommend]
impl<K: Key> KeyFor<Option<K>> for K {}

#[diagnostic::do_not_recommend]
impl<K: Key> KeyFor<Presence<K>> for K {}

/// The server compares numbers of different types by value, and so do joins.
macro_rules! number_key_for {
    ($key:ty: $($stored:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KeyFor<$stored> for $key {}
        #[diagnostic::do_not_recommend]
        impl KeyFor<Option<$stored>> for $key {}
        #[diagnostic::do_not_recommend]
        impl KeyFor<Presence<$stored>> for $key {}
    )*};
}
number_key_for!(i8: i16 i32 i64 u8 u16 u32 u64 f32 f64 Decimal128);
number_key_for!(i16: i8 i32 i64 u8 u16 u32 u64 f32 f64 Decimal128);
number_key_for!(i32: i8 i16 i64 u8 u16 u32 u64 f32 f64 Decimal128);
number_key_for!(i64: i8 i16 i32 u8 u16 u32 u64 f32 f64 Decimal128);
number_key_for!(u8: i8 i16 i32 i64 u16 u32 u64 f32 f64 Decimal128);
number_key_for!(u16: i8 i16 i32 i64 u8 u32 u64 f32 f64 Decimal128);
number_key_for!(u32: i8 i16 i32 i64 u8 u16 u64 f32 f64 Decimal128);
number_key_for!(u64: i8 i16 i32 i64 u8 u16 u32 f32 f64 Decimal128);
number_key_for!(f32: i8 i16 i32 i64 u8 u16 u32 u64 f64 Decimal128);
number_key_for!(f64: i8 i16 i32 i64 u8 u16 u32 u64 f32 Decimal128);
number_key_for!(Decimal128: i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

macro_rules! any_key_for {
    ($($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KeyFor<$type> for AnyKey {}
        #[diagnostic::do_not_recommend]
        impl KeyFor<Option<$type>> for AnyKey {}
        #[diagnostic::do_not_recommend]
        impl KeyFor<Presence<$type>> for AnyKey {}
    )*};
}
any_key_for!(
    mongodb::bson::oid::ObjectId mongodb::bson::Uuid mongodb::bson::DateTime Decimal128
    String char bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64
);
#[cfg(feature = "uuid")]
any_key_for!(uuid::Uuid);
