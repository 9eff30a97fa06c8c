//! Constants about a concrete field type, for descriptions and for the checks of the derive.
//!
//! `TypeProbe<T>` has an answer for every type: an inherent constant wins over the constant of a trait if its bound
//! holds. So a field of a wrong type is one error, that of a check with a message of its own.
//!
//! - `EMBED`: the embedded struct.
//! - `IN_MAP`: the embedded struct in a map. Nothing may be declared in it.
//! - `FOREIGN`: whether the type belongs to another crate, and serde would store it as text although a BSON type
//!   exists.

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

/// Asks the compiler what a concrete field type is, inside a `const`.
///
/// An inherent constant wins over one of a trait where its bound holds; the derive names
/// `TypeProbe::<T>::EMBED` without knowing whether `T` embeds anything.
#[derive(Debug)]
pub struct TypeProbe<T>(PhantomData<fn() -> T>);

/// The answers for types that are no embedded structs, no arrays, no options, no references.
pub trait TypeProbeFallback {
    /// The type.
    type Asked;
    /// No embedded struct.
    const EMBED: Option<EmbedShape> = None;
    /// No array.
    const ARRAY: bool = false;
    /// No array that takes elements.
    const GROWS: bool = false;
    /// No date.
    const DATE: bool = false;
    /// No fields that serde would write in the place of the struct.
    const FLAT: &'static [FieldShape] = &[];
    /// No map of embedded structs.
    const IN_MAP: Option<&'static StructShape> = None;
    /// No `Option`.
    const OPTION: bool = false;
    /// Serde reads no document without the field, unless it has a default.
    const MAY_BE_MISSING: bool = false;
    /// No pair of equal types.
    const SAME: bool = false;
    /// No number.
    const NUMBER: bool = false;
    /// No text.
    const TEXT: bool = false;
    /// No other type that is known to be stored as something else than a string.
    const TEXTLESS: bool = false;
    /// No type of another crate for which there is a BSON type.
    const FOREIGN: bool = false;
    /// No model.
    const MODEL: bool = false;
    /// No key at all.
    const ONE_KEY: bool = false;
    /// No array of keys.
    const MANY_KEYS: bool = false;
    /// No arrays of keys inside one another.
    const KEY_ARRAYS: usize = 0;
    /// No keys to hand over.
    const EACH_KEY: EachKey<Self::Asked> = |_, _| {};
    /// No path to keys.
    const INNER_PATH: fn() -> String = String::new;
    /// No path to keys.
    const PUSH_INNER_PATH: fn(&mut String) = |_| {};
    /// No reference.
    const REFERENCE: bool = false;
    /// No enum of references.
    const POLYMORPHIC: bool = false;
    /// No field that keys are compared with.
    const KEY: Option<KeyShape> = None;
    /// No path in a target.
    const TARGET_PATH: fn() -> String = String::new;
    /// No model that it leads to.
    const LEADS_TO_MODEL: bool = false;
    /// No model that it leads to. A program with such a reference does not compile.
    const TARGET: fn() -> &'static ModelShape = || unreachable!("a reference to no model");
    /// No fields of a model that it leads to.
    const TARGET_FIELDS: &'static [FieldShape] = &[];
    /// Nothing that leads to the model.
    const LEADS: bool = false;
    /// No field that refers back.
    const REFERS_BACK: bool = false;
    /// Nothing that serde reads. A program that reads it does not compile: serde says why.
    const READ: ReadAs<Self::Asked> = |_, _, _| unreachable!("serde refuses the struct");
}

impl<T> TypeProbeFallback for TypeProbe<T> {
    type Asked = T;
}

/// Hands over the keys of a field.
type EachKey<T> = fn(&T, &mut dyn FnMut(KeySlot));

/// The field number `I` of what `L` leads to, and whether it refers to `M`.
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
    /// An array that takes elements and loses them.
    pub const GROWS: bool = true;
}

impl<T: Dated> TypeProbe<T> {
    /// A date.
    pub const DATE: bool = true;
}

impl<T: Dated> TypeProbe<Vec<T>> {
    /// Dates, of which the first counts.
    pub const DATE: bool = true;
}

impl<T: EmbedType> TypeProbe<T> {
    /// The fields that serde writes in the place of the struct, if it is flattened.
    pub const FLAT: &'static [FieldShape] = <T::Embedded as HasFields>::__ODM_FIELDS;
}

impl<T: EmbedsInMap> TypeProbe<T> {
    /// The shape of the struct in a map.
    pub const IN_MAP: Option<&'static StructShape> = Some(<T::Embedded as Embedded>::SHAPE);
}

impl<T> TypeProbe<Option<T>> {
    /// An `Option`, which may be null.
    pub const OPTION: bool = true;
    /// Serde reads none.
    pub const MAY_BE_MISSING: bool = true;
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
    /// How many arrays of keys are inside one another.
    pub const KEY_ARRAYS: usize = T::__ODM_ARRAYS;
    /// Hands over its keys.
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
    /// The field of the target that keys are compared with.
    pub const KEY: Option<KeyShape> = T::__ODM_KEY;
    /// Returns the stored path in the target that keys are compared with.
    pub const TARGET_PATH: fn() -> String = T::target_path;
}

impl<T: Polymorphic> TypeProbe<T> {
    /// An enum of references.
    pub const POLYMORPHIC: bool = true;
}

impl<L: Leads> TypeProbe<L> {
    /// It leads to a model.
    pub const LEADS_TO_MODEL: bool = true;
    /// The description of the model.
    pub const TARGET: fn() -> &'static ModelShape = || <L::Target as Described>::SHAPE;
    /// The fields of the model.
    pub const TARGET_FIELDS: &'static [FieldShape] = <L::Target as HasFields>::__ODM_FIELDS;
}

impl<L: LeadsOnlyTo<M>, M> TypeProbe<(L, M)> {
    /// It leads to the model.
    pub const LEADS: bool = true;
}

impl<L: Leads<Target: Refers<M, I>>, M, const I: usize> TypeProbe<Back<L, M, I>> {
    /// The field refers to the model.
    pub const REFERS_BACK: bool = true;
}
