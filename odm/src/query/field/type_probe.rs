//! Constants about a concrete field type, for descriptions and for the checks of the derive.
//!
//! `TypeProbe<T>` has each constant for every type: an inherent constant takes precedence over a trait's constant if
//! its bound is fulfilled. So a field of a wrong type causes only one error, with the message of a check.
//!
//! - `EMBED`: the embedded struct.
//! - `IN_MAP`: the embedded struct in a map. It cannot contain declarations.
//! - `FOREIGN`: whether the type belongs to another crate and serde would store it as text although a matching BSON
//!   type exists.

use std::marker::PhantomData;

use super::{
    text_search::TextType,
    type_traits::{ArrayType, Dated, EmbedType, EmbedsInMap, Numeric, StoredAsArray, Textless},
};
use crate::{
    model::{
        derive_traits::{Described, Embedded, HasFields, ReadAs, Readable, read_projection},
        reference::{KeySlot, Keys, Leads, LeadsOnlyTo, Polymorphic, Reference, Refers},
        shape::{EmbedShape, EmbeddedStruct, FieldShape, KeyShape, ModelShape, StructShape},
    },
    value::{
        presence::Presence,
        with::{AsText, Stored},
    },
};

/// Facts about a concrete field type, inside a `const`.
///
/// An inherent constant takes precedence over a trait constant if its bound is fulfilled. The derive writes
/// `TypeProbe::<T>::EMBED` without knowing whether `T` embeds a struct.
#[derive(Debug)]
pub struct TypeProbe<T>(PhantomData<fn() -> T>);

/// The constants of types that do not fulfil the bounds: they are not embedded structs, arrays, options or references.
pub trait TypeProbeFallback {
    /// The type.
    type Asked;
    /// No embedded struct.
    const EMBED: Option<EmbedShape> = None;
    /// No array.
    const ARRAY: bool = false;
    /// No array with variable length.
    const GROWS: bool = false;
    /// No date.
    const DATE: bool = false;
    /// Empty: serde does not write fields in the place of the struct.
    const FLAT: &'static [FieldShape] = &[];
    /// No map of embedded structs.
    const IN_MAP: Option<&'static StructShape> = None;
    /// No `Option`.
    const OPTION: bool = false;
    /// False: serde rejects a document without the field, unless the field has a default.
    const MAY_BE_MISSING: bool = false;
    /// False: the types are not equal.
    const SAME: bool = false;
    /// No number.
    const NUMBER: bool = false;
    /// No text.
    const TEXT: bool = false;
    /// False: the type is not known to be stored as another BSON type than a string.
    const TEXTLESS: bool = false;
    /// False: not a type of another crate with a matching BSON type.
    const FOREIGN: bool = false;
    /// No model.
    const MODEL: bool = false;
    /// False: not a key.
    const ONE_KEY: bool = false;
    /// No array of keys.
    const MANY_KEYS: bool = false;
    /// No arrays of keys inside one another.
    const KEY_ARRAYS: usize = 0;
    /// Does nothing: the type does not store keys.
    const EACH_KEY: EachKey<Self::Asked> = |_, _| {};
    /// Returns an empty path: the type does not store keys.
    const INNER_PATH: fn() -> String = String::new;
    /// Appends nothing: the type does not store keys.
    const PUSH_INNER_PATH: fn(&mut String) = |_| {};
    /// No reference.
    const REFERENCE: bool = false;
    /// False: not an enum of references.
    const POLYMORPHIC: bool = false;
    /// The keys are not compared with another field.
    const KEY: Option<KeyShape> = None;
    /// Returns an empty path: the type is not a reference.
    const TARGET_PATH: fn() -> String = String::new;
    /// False: the type does not refer to a model.
    const LEADS_TO_MODEL: bool = false;
    /// Panics. It is never called, because a program with such a reference does not compile.
    const TARGET: fn() -> &'static ModelShape = || unreachable!("a reference to no model");
    /// Empty: there is no target model.
    const TARGET_FIELDS: &'static [FieldShape] = &[];
    /// False: the type does not refer to the model.
    const LEADS: bool = false;
    /// False: the field does not refer back.
    const REFERS_BACK: bool = false;
    /// Panics. It is never called, because a program that reads the type does not compile: the compiler reports serde's
    /// bound.
    const READ: ReadAs<Self::Asked> = |_, _, _| unreachable!("serde refuses the struct");
}

impl<T> TypeProbeFallback for TypeProbe<T> {
    type Asked = T;
}

/// A function that passes the keys of a field to a callback.
type EachKey<T> = fn(&T, &mut dyn FnMut(KeySlot));

/// Field number `I` of the target of `L`, to check whether it refers to `M`.
#[derive(Debug)]
pub struct Back<L, M, const I: usize>(PhantomData<fn() -> (L, M)>);

impl<T: Readable> TypeProbe<T> {
    /// Reads a document.
    pub const READ: ReadAs<T> = read_projection::<T>;
}

impl<T: EmbedType> TypeProbe<T> {
    /// The shape of the embedded struct.
    pub const EMBED: Option<EmbedShape> =
        Some(|| EmbeddedStruct::new(<T::Embedded as Embedded>::SHAPE, T::CONTAINERS));
}

impl<T: StoredAsArray> TypeProbe<T> {
    /// An array.
    pub const ARRAY: bool = true;
}

impl<T: ArrayType> TypeProbe<T> {
    /// True: an array with variable length.
    pub const GROWS: bool = true;
}

impl<T: Dated> TypeProbe<T> {
    /// A date.
    pub const DATE: bool = true;
}

impl<T: Dated> TypeProbe<Vec<T>> {
    /// True: the first date counts.
    pub const DATE: bool = true;
}

impl<T: EmbedType> TypeProbe<T> {
    /// The fields that serde writes in the place of a flattened struct.
    pub const FLAT: &'static [FieldShape] = <T::Embedded as HasFields>::__ODM_FIELDS;
}

impl<T: EmbedsInMap> TypeProbe<T> {
    /// The shape of the struct in a map.
    pub const IN_MAP: Option<&'static StructShape> = Some(<T::Embedded as Embedded>::SHAPE);
}

impl<T> TypeProbe<Option<T>> {
    /// An `Option`, which may be null.
    pub const OPTION: bool = true;
    /// True: serde reads a missing field as `None`.
    pub const MAY_BE_MISSING: bool = true;
}

impl<T> TypeProbe<Presence<T>> {
    /// True: the value may be null.
    pub const OPTION: bool = true;
}

impl<T: Stored<AsText>> TypeProbe<T> {
    /// True: without `with`, serde stores this type of another crate as text or as plain bytes.
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

impl<T: TextType> TypeProbe<T> {
    /// A text.
    pub const TEXT: bool = true;
}

impl<T: Textless> TypeProbe<T> {
    /// Neither a string nor a number.
    pub const TEXTLESS: bool = true;
}

impl<T: Described> TypeProbe<T> {
    /// A model.
    pub const MODEL: bool = true;
}

impl<T: Keys> TypeProbe<T> {
    /// One key.
    pub const ONE_KEY: bool = !T::__ODM_MANY;
    /// An array of keys.
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
    /// A reference.
    pub const REFERENCE: bool = true;
    /// The field of the target that is compared with the keys.
    pub const KEY: Option<KeyShape> = T::__ODM_KEY;
    /// Returns the stored path in the target that is compared with the keys.
    pub const TARGET_PATH: fn() -> String = T::target_path;
}

impl<T: Polymorphic> TypeProbe<T> {
    /// An enum of references.
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
    /// The field refers to the model.
    pub const REFERS_BACK: bool = true;
}
