//! Constants that describe a field's type, for shapes and for the checks that the derive emits.
//!
//! `TypeProbe<T>` provides every constant for every type. If `T` satisfies the bound of an inherent constant, that
//! constant takes precedence over the one from the fallback trait. Because every constant exists for every type, a
//! field of a wrong type causes only one compiler error: the error of a check.
//!
//! - `EMBED`: the embedded struct.
//! - `FORM`, `TRACED_FORM`, `NATIVE_FORM`: the BSON types of the stored values.
//! - `FOLLOWED`: whether the library finds the embedded struct. A struct that it does not find cannot contain
//!   declarations.
//! - `FLAT`: the fields of the embedded struct.
//! - `FOREIGN`: whether the type belongs to another crate and serde would store it as text although a matching BSON
//!   type exists.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::{
    text_search::TextType,
    type_traits::{ArrayType, Bytes, Dated, EmbedType, Numeric, StoredAsArray, Textless},
};
use crate::{
    model::{
        derive_traits::{Described, Embedded, HasFields, ReadAs, Readable, read_projection},
        reference::{KeySlot, Keys, Leads, LeadsOnlyTo, Polymorphic, Reference, Refers},
        shape::{EmbedShape, EmbeddedStruct, FieldShape, KeyShape, KindShape, ModelShape},
    },
    query::given::NewId,
    value::{
        bson_form::{DescribeForm, HasBsonForm, traced_form},
        key::NewKey,
        presence::Presence,
        with::{AsNative, AsText, Stored},
    },
};

/// Provides properties of a field type in `const` code.
///
/// If `T` satisfies the bound of an inherent constant, that constant takes precedence over the one from the fallback
/// trait. So the derive writes `TypeProbe::<T>::EMBED` without knowing whether `T` embeds a struct.
#[derive(Debug)]
pub struct TypeProbe<T>(PhantomData<fn() -> T>);

/// The constants for types that do not satisfy the bounds, for example because they are not embedded structs, arrays,
/// options or references.
pub trait TypeProbeFallback {
    /// The type that the probe describes.
    type Asked;
    /// `None`: the type does not embed a struct.
    const EMBED: Option<EmbedShape> = None;
    /// False: the library does not find embedded structs in the type.
    const FOLLOWED: bool = false;
    /// False: the type is not an array.
    const ARRAY: bool = false;
    /// False: the type is not a sequence of bytes.
    const BYTES: bool = false;
    /// False: the type is not a variable-length array.
    const GROWS: bool = false;
    /// False: the type is not a date.
    const DATE: bool = false;
    /// Empty: the type is not a struct that serde could flatten.
    const FLAT: &'static [FieldShape] = &[];
    /// Empty: the type does not have typed fields.
    const FIELDS: &'static [FieldShape] = &[];
    /// `None`: the library does not know the stored form of the type.
    const FORM: Option<DescribeForm> = None;
    /// `None`: the type has no `Deserialize` impl that could be traced.
    const TRACED_FORM: Option<DescribeForm> = None;
    /// `None`: `with::native` cannot store the type.
    const NATIVE_FORM: Option<DescribeForm> = None;
    /// False: the type is not an `Option`.
    const OPTION: bool = false;
    /// False: serde rejects a document without the field, unless the field has a default.
    const MAY_BE_MISSING: bool = false;
    /// False: the types are not equal.
    const SAME: bool = false;
    /// False: the type is not a number.
    const NUMBER: bool = false;
    /// False: the type is not stored as a string.
    const TEXT: bool = false;
    /// False: the probe cannot rule out that the type is stored as a string or a number.
    const TEXTLESS: bool = false;
    /// False: the type does not belong to another crate, or has no matching BSON type.
    const FOREIGN: bool = false;
    /// False: `mongo_odm::with` cannot store the type as text.
    const TEXT_FORM: bool = false;
    /// False: the type is not a model.
    const MODEL: bool = false;
    /// `None`: the type is not a model with a kind.
    const KIND: Option<KindShape<'static>> = None;
    /// `None`: the type is not a model, or the library cannot generate its ids.
    const NEW_ID: Option<NewId> = None;
    /// False: the type is not a single key.
    const ONE_KEY: bool = false;
    /// False: the type is not an array of keys.
    const MANY_KEYS: bool = false;
    /// Zero: the type does not contain arrays of keys.
    const KEY_ARRAYS: usize = 0;
    /// Does nothing: the type does not store keys.
    const EACH_KEY: EachKey<Self::Asked> = |_, _| {};
    /// Returns an empty path: the type does not store keys.
    const INNER_PATH: fn() -> String = String::new;
    /// Appends nothing: the type does not store keys.
    const PUSH_INNER_PATH: fn(&mut String) = |_| {};
    /// False: the type is not a reference.
    const REFERENCE: bool = false;
    /// False: the type is not an enum of references.
    const POLYMORPHIC: bool = false;
    /// `None`: the type does not refer to a field other than `_id`.
    const KEY: Option<KeyShape> = None;
    /// Returns an empty path: the type is not a reference.
    const TARGET_PATH: fn() -> String = String::new;
    /// False: the type does not refer to a model.
    const LEADS_TO_MODEL: bool = false;
    /// Panics. The function is never called, because a program that contains a reference without a target model does
    /// not compile.
    const TARGET: fn() -> &'static ModelShape = || unreachable!("a reference to no model");
    /// Empty: there is no target model.
    const TARGET_FIELDS: &'static [FieldShape] = &[];
    /// False: the type does not refer to the model.
    const LEADS: bool = false;
    /// False: the field does not refer back to the model.
    const REFERS_BACK: bool = false;
    /// Panics. The function is never called, because the compiler rejects a program that reads this type, and reports
    /// the missing serde impl.
    const READ: ReadAs<Self::Asked> = |_, _, _| unreachable!("serde refuses the struct");
}

impl<T> TypeProbeFallback for TypeProbe<T> {
    type Asked = T;
}

/// A function that passes the keys of a field to a callback.
type EachKey<T> = fn(&T, &mut dyn FnMut(KeySlot));

/// Field number `I` of the target of `L`. The probe checks whether this field refers to `M`.
#[derive(Debug)]
pub struct Back<L, M, const I: usize>(PhantomData<fn() -> (L, M)>);

impl<T: Readable> TypeProbe<T> {
    /// The function that reads a document into the type.
    pub const READ: ReadAs<T> = read_projection::<T>;
}

impl<T: EmbedType> TypeProbe<T> {
    /// The shape of the embedded struct.
    pub const EMBED: Option<EmbedShape> =
        Some(|| EmbeddedStruct::new(<T::Embedded as Embedded>::SHAPE, T::CONTAINERS));
    /// True, unless the structs are in an array of arrays, in which the library does not find them.
    pub const FOLLOWED: bool = T::CONTAINERS.arrays < 2;
}

impl<T: HasFields> TypeProbe<T> {
    /// The fields of the model or struct.
    pub const FIELDS: &'static [FieldShape] = T::__ODM_FIELDS;
}

impl<T: HasBsonForm> TypeProbe<T> {
    /// Returns the stored form of a type that the library knows.
    pub const FORM: Option<DescribeForm> = Some(T::bson_form);
}

impl<T: DeserializeOwned> TypeProbe<T> {
    /// Returns the stored form that the type's `Deserialize` impl requests.
    pub const TRACED_FORM: Option<DescribeForm> = Some(traced_form::<T>);
}

impl<T: Stored<AsNative>> TypeProbe<T> {
    /// Returns the form in which `with::native` stores the type.
    pub const NATIVE_FORM: Option<DescribeForm> = Some(T::bson_form);
}

impl<T: StoredAsArray> TypeProbe<T> {
    /// True: the type is an array.
    pub const ARRAY: bool = true;
}

impl<T: Bytes> TypeProbe<T> {
    /// True: a codec can store the type as one binary value.
    pub const BYTES: bool = true;
}

impl<T: ArrayType> TypeProbe<T> {
    /// True: the type is a variable-length array.
    pub const GROWS: bool = true;
}

impl<T: Dated> TypeProbe<T> {
    /// True: the type is a date.
    pub const DATE: bool = true;
}

impl<T: Dated> TypeProbe<Vec<T>> {
    /// True: a TTL index uses the earliest date in the array.
    pub const DATE: bool = true;
}

impl<T: EmbedType> TypeProbe<T> {
    /// The fields of the embedded struct. If the struct is flattened, serde writes these fields instead of the struct.
    pub const FLAT: &'static [FieldShape] = <T::Embedded as HasFields>::__ODM_FIELDS;
}

impl<T> TypeProbe<Option<T>> {
    /// True: the type is an `Option`, so the value may be null.
    pub const OPTION: bool = true;
    /// True: serde reads a missing field as `None`.
    pub const MAY_BE_MISSING: bool = true;
}

impl<T> TypeProbe<Presence<T>> {
    /// True: the value may be null.
    pub const OPTION: bool = true;
}

impl<T: Stored<AsText>> TypeProbe<T> {
    /// Whether serde stores the type as text or as plain bytes if the field has no `with`.
    pub const FOREIGN: bool = !T::OF_DRIVER;
    /// True: a field of this type can be stored as text.
    pub const TEXT_FORM: bool = true;
}

impl<T> TypeProbe<(T, T)> {
    /// True: both types are equal.
    pub const SAME: bool = true;
}

impl<T: Numeric> TypeProbe<T> {
    /// True: the type is a number.
    pub const NUMBER: bool = true;
}

impl<T: TextType> TypeProbe<T> {
    /// True: the type is stored as a string.
    pub const TEXT: bool = true;
}

impl<T: Textless> TypeProbe<T> {
    /// True: the type is stored neither as a string nor as a number.
    pub const TEXTLESS: bool = true;
}

impl<T: Described> TypeProbe<T> {
    /// True: the type is a model.
    pub const MODEL: bool = true;
    /// The kind of the model.
    pub const KIND: Option<KindShape<'static>> = T::SHAPE.kind;
}

impl<T: Described<Key: NewKey>> TypeProbe<T> {
    /// Returns a new `_id` of the model.
    pub const NEW_ID: Option<NewId> = Some(<T::Key as NewKey>::new_key);
}

impl<T: Keys> TypeProbe<T> {
    /// True if the value is one key.
    pub const ONE_KEY: bool = !T::__ODM_MANY;
    /// True if the value is an array of keys.
    pub const MANY_KEYS: bool = T::__ODM_MANY;
    /// Number of nested arrays around the keys.
    pub const KEY_ARRAYS: usize = T::__ODM_ARRAYS;
    /// Passes the keys to a callback.
    pub const EACH_KEY: EachKey<T> = T::each_key;
    /// Appends the stored path from the value to its keys.
    pub const PUSH_INNER_PATH: fn(&mut String) = T::push_inner_path;
    /// Returns the stored path from the value to its keys.
    pub const INNER_PATH: fn() -> String = || {
        let mut path = String::new();
        T::push_inner_path(&mut path);
        path
    };
}

impl<T: Reference> TypeProbe<T> {
    /// True: the type is a reference.
    pub const REFERENCE: bool = true;
    /// The target's field with which the keys are compared.
    pub const KEY: Option<KeyShape> = T::__ODM_KEY;
    /// Returns the stored path of the target's field with which the keys are compared.
    pub const TARGET_PATH: fn() -> String = T::target_path;
}

impl<T: Polymorphic> TypeProbe<T> {
    /// True: the type is an enum of references.
    pub const POLYMORPHIC: bool = true;
}

impl<L: Leads> TypeProbe<L> {
    /// True: the type refers to a model.
    pub const LEADS_TO_MODEL: bool = true;
    /// The description of the model.
    pub const TARGET: fn() -> &'static ModelShape = || <L::Target as Described>::SHAPE;
    /// The fields of the model.
    pub const TARGET_FIELDS: &'static [FieldShape] = <L::Target as HasFields>::__ODM_FIELDS;
}

impl<L: LeadsOnlyTo<M>, M> TypeProbe<(L, M)> {
    /// True: the type refers to the model.
    pub const LEADS: bool = true;
}

impl<L: Leads<Target: Refers<M, I>>, M, const I: usize> TypeProbe<Back<L, M, I>> {
    /// True: the field refers back to the model.
    pub const REFERS_BACK: bool = true;
}
