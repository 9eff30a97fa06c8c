//! Typed handles of stored fields.
//!
//! `Product::fields().parts.name` is a value of no size whose type says everything: the document it
//! belongs to, the path, the struct that declares it, the Rust type and how serde encodes it. A
//! handle of a field that embeds a struct leads on to the handles of that struct.

mod array_elements;
mod copy_type;
mod derive_checks;
mod element_position;
mod equality_without_copies;
mod generic_parameter;
mod operand;
mod operand_mistakes;
mod permitted_updates;
mod source_and_key_checks;
mod summary_type;
mod text_search;
mod type_probe;
mod type_traits;

use std::{any::Any, fmt, marker::PhantomData, ops::Deref};

use mongodb::bson::Bson;

pub use array_elements::ArrayElements;
pub use copy_type::{OneEmbedded, SameAs, reference_to};
#[doc(hidden)]
pub use derive_checks::inside;
pub use derive_checks::{EmbedsView, KeepsKeys, ProjectsField};
pub use element_position::{
    Condition, Element, ElementOf, Every, Matched, Named, NoFields, Nth, Position, Positioned,
};
pub(crate) use equality_without_copies::{SameElements, same_element, same_elements, same_value};
pub use generic_parameter::FieldType;
pub use operand::{Amount, Operand};
pub use permitted_updates::{
    Changeable, Defaulted, Flattened, FollowsChildren, FollowsSource, Free, Identity, OfArray,
    Removable, Writable,
};
#[doc(hidden)]
pub use source_and_key_checks::{Compared, Source, compared, is_native, key_of, source};
pub use summary_type::{Average, Count, Extreme, Mean, RollupOf, Sum, check_count};
pub(crate) use text_search::escape_pattern;
pub use text_search::{PartedType, TextType};
pub use type_probe::{Back, TypeProbe, TypeProbeFallback};
pub use type_traits::{ArrayOfLinks, ArrayType, Dated, EmbedType, HoldsItems, Numeric};

pub use crate::model::derive_traits::{At, FieldSet, HasFields, InArray, Path, Queried, Root};
use crate::{
    error::{Error, Result},
    model::shape::{FieldShape, FieldValue},
    value::codec::{AsSerde, Codec, decode_with, encode_with},
};

/// The typed handle of a stored field.
///
/// `M` is the document, `P` the place of the struct `O` in it, `T` the Rust type of the field, `I`
/// its position in `O`, `C` its codec, `R` its role: what updates may do with it.
///
/// Handles build pure documents: filters (`eq`, `gt`, `contains`, ..), sorts (`asc`, `desc`) and
/// updates (`set`, `inc`, `push`, ..). Nothing is sent to the server.
pub struct Field<M, P, O, T, const I: usize, C = AsSerde, R = Free>(Says<(M, P, O, T, C, R)>);

/// A field of no size that mentions types without owning values of them.
type Says<T> = PhantomData<fn() -> T>;

impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R> {
    /// The handle; it has no size.
    pub const NEW: Self = Self(PhantomData);
}

impl<M, P, O, T, const I: usize, C, R> Clone for Field<M, P, O, T, I, C, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, P, O, T, const I: usize, C, R> Copy for Field<M, P, O, T, I, C, R> {}

impl<M, P: Path, O: HasFields + 'static, T, const I: usize, C, R> fmt::Debug
    for Field<M, P, O, T, I, C, R>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Field({})", self.path())
    }
}

impl<M, P: Path, O: HasFields + 'static, T, const I: usize, C, R> Field<M, P, O, T, I, C, R> {
    /// Returns the stored path, dotted: `parts.name`.
    pub fn path(&self) -> String {
        let mut path = String::new();
        At::<P, O, I>::push(&mut path);
        path
    }

    /// Returns the description of the field.
    pub fn shape(&self) -> Option<&'static FieldShape> {
        O::__ODM_FIELDS.get(I)
    }
}

/// From a field that embeds a struct to the fields of that struct.
impl<M, P, O, T, const I: usize, C, R> Deref for Field<M, P, O, T, I, C, R>
where
    M: 'static,
    P: Path,
    O: HasFields + 'static,
    T: EmbedType,
{
    type Target = <T::Embedded as HasFields>::__OdmFields<M, T::Place<At<P, O, I>>>;

    fn deref(&self) -> &Self::Target {
        <Self::Target as FieldSet>::REF
    }
}

/// A handle of some field of documents of type `M`.
///
/// Implemented by [`Field`] and by nothing else; it lets a function take any handle of a model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a field of `{M}`",
    label = "not a field of `{M}`",
    note = "fields are named `{M}::fields().name`"
)]
pub trait FieldOf<M>: Copy {
    /// The Rust type of the field.
    type Value;

    /// Where the struct with the field stands.
    #[doc(hidden)]
    type Place;

    /// How serde writes the values.
    #[doc(hidden)]
    type Codec;

    /// What updates may do with the field.
    #[doc(hidden)]
    type Role;

    /// Returns the stored path.
    fn path(self) -> String;

    /// Returns the description of the field.
    fn shape(self) -> Option<&'static FieldShape>;

    /// Encodes a value exactly as the field stores it.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] if serde cannot write the value as BSON.
    fn encode(self, value: &Self::Value) -> Result<Bson>;

    /// Whether serde leaves the value out of a document.
    #[doc(hidden)]
    fn skips(self, value: &Self::Value) -> bool;

    /// Decodes a value as the field stores it; the error is serde's message.
    #[doc(hidden)]
    fn decode(value: Bson) -> Result<Self::Value, String>;
}

#[diagnostic::do_not_recommend]
impl<M, P: Path, O: HasFields + 'static, T: 'static, const I: usize, C: Codec<T>, R> FieldOf<M>
    for Field<M, P, O, T, I, C, R>
{
    type Value = T;

    type Place = P;

    type Codec = C;

    type Role = R;

    fn path(self) -> String {
        Field::path(&self)
    }

    fn shape(self) -> Option<&'static FieldShape> {
        Field::shape(&self)
    }

    fn encode(self, value: &T) -> Result<Bson> {
        // The one type for which serde takes a detour, through a string; joins are full of them.
        if C::PLAIN
            && let Some(id) = (value as &dyn Any).downcast_ref::<mongodb::bson::oid::ObjectId>()
        {
            return Ok(Bson::ObjectId(*id));
        }
        encode_with::<T, C>(value).map_err(|source| {
            Error::encode(format!("a value for `{}`", Field::path(&self)), source)
        })
    }

    fn skips(self, value: &T) -> bool {
        let skips = Field::shape(&self).and_then(|shape| shape.skips);
        skips.is_some_and(|it| it.skips(FieldValue::Typed(value)))
    }

    fn decode(value: Bson) -> Result<T, String> {
        decode_with::<T, C>(value)
    }
}

/// Encodes elements as the array's own codec does, by encoding an array of them.
pub(crate) fn encode_items<M, F>(
    field: F,
    items: Vec<<F::Value as ArrayType>::Item>,
) -> Result<Vec<Bson>>
where
    F: FieldOf<M, Value: ArrayType>,
{
    match field.encode(&F::Value::from_items(items))? {
        Bson::Array(items) => Ok(items),
        other => Err(Error::invalid(format!(
            "`{}` is declared as an array, but its codec writes {}; use a plain document",
            field.path(),
            crate::mongosh::value(&other)
        ))),
    }
}
