//! Typed handles for stored fields.
//!
//! `Product::fields().parts.name` is a zero-sized value. The value's type contains the model, the path, the
//! struct that declares the field, the field's Rust type and its serde encoding. If a field stores an embedded
//! struct, its handle dereferences to the handles of that struct's fields.

mod array_elements;
mod copy_type;
mod derive_checks;
mod element_position;
mod equality_without_copies;
mod generic_parameter;
mod group_value;
mod habits;
mod operand;
pub(in crate::query) mod operand_mistakes;
mod permitted_updates;
mod source_and_key_checks;
mod summary_type;
mod text_search;
mod type_probe;
mod type_traits;

use std::{any::Any, fmt, marker::PhantomData, ops::Deref};

use mongodb::bson::Bson;

pub use array_elements::ArrayElements;
#[doc(hidden)]
pub use copy_type::{OneEmbedded, SameAs, reference_to};
#[doc(hidden)]
pub use derive_checks::{EmbedsView, KeepsKeys, ProjectsField, inside};
pub use element_position::ElementOf;
#[doc(hidden)]
pub use element_position::{
    Condition, Element, Every, Matched, Named, NoFields, Nth, Position, Positioned,
};
pub(crate) use equality_without_copies::{SameElements, same_element, same_elements, same_value};
pub use generic_parameter::FieldType;
pub use group_value::{GroupValue, MeanOf, StoredAs};
pub use operand::{Amount, Operand};
pub use permitted_updates::{Changeable, Removable, Writable};
#[doc(hidden)]
pub use permitted_updates::{
    Defaulted, Flattened, FollowsChildren, FollowsSource, Free, Identity, InDocuments, OfArray,
    SetByLibrary, WrittenByCodec,
};
pub(crate) use source_and_key_checks::is_text;
#[doc(hidden)]
pub use source_and_key_checks::{
    Compared, Source, compared, is_native, key_of, native_form, source,
};
#[doc(hidden)]
pub use summary_type::{Average, Count, Extreme, Mean, RollupOf, Sum, check_count};
pub(crate) use text_search::escape_pattern;
pub use text_search::{PartedType, TextType};
#[doc(hidden)]
pub use type_probe::{Back, TypeProbe, TypeProbeFallback};
#[doc(hidden)]
pub use type_traits::{ArrayOfLinks, HoldsItems, check_date, check_deletion_date};
pub use type_traits::{ArrayType, Dated, EmbedType, Numeric};

#[doc(hidden)]
pub use crate::model::derive_traits::{At, FieldSet, InArray, Root};
pub use crate::model::derive_traits::{HasFields, Path, Queried};
use crate::{
    error::{Error, Result},
    model::shape::{FieldShape, FieldValue},
    value::codec::{AsSerde, Codec, decode_with, encode_with},
};

/// A typed handle for a stored field.
///
/// Handles build plain documents: filters (`eq`, `gt`, `contains`, ..), sorts (`asc`, `desc`) and updates (`set`,
/// `inc`, `push`, ..). Handles send nothing. You get handles from a model's `fields()`: `Part::fields().name`.
///
/// | parameter | meaning |
/// |---|---|
/// | `M` | the model of the document |
/// | `O`, `P` | the struct that declares the field, and the path of this struct in the document |
/// | `T` | the Rust type of the field |
/// | `I` | the position of the field in `O` |
/// | `C` | the codec of the values |
/// | `R` | the role, which determines the permitted updates |
///
/// # Examples
///
/// ```
#[doc = include_str!("../docs/stock_models.txt")]
/// let part = Part::fields();
/// assert_eq!(part.name.path(), "name");
/// assert_eq!(part.qty.gt(3).into_document().unwrap(), doc! { "qty": { "$gt": 3_i64 } });
/// ```
pub struct Field<M, P, O, T, const I: usize, C = AsSerde, R = Free>(Says<(M, P, O, T, C, R)>);

/// A zero-sized marker that depends on types without owning values of these types.
type Says<T> = PhantomData<fn() -> T>;

impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R> {
    /// The only value of this type.
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
    /// Returns the stored path. Its segments are separated by dots: `parts.name`.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// assert_eq!(Order::fields().lines.qty.path(), "lines.qty");
    /// # Ok(()) }
    /// ```
    pub fn path(&self) -> String {
        let mut path = String::new();
        At::<P, O, I>::push(&mut path);
        path
    }

    /// Returns the field's description, which the derive emits.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/library_models.txt")]
    /// # use mongo_odm::field::FieldOf;
    /// assert_eq!(Book::fields().title.shape().map(|field| field.name), Some("title"));
    /// ```
    pub fn shape(&self) -> Option<&'static FieldShape> {
        O::__ODM_FIELDS.get(I)
    }
}

/// Lets you access the fields of an embedded struct through the handle of the struct.
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

/// A handle for any field in documents of type `M`.
///
/// Only [`Field`] implements this trait. Use the trait as a bound on a function that accepts every handle of a
/// model. The trait requires `Send` and `Sync`, so you can spawn an `async` function that takes a field handle as an
/// argument.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm::{action::UpdateReport, field::{Changeable, FieldOf}, prelude::*};
///
/// async fn add<M, F>(odm: Odm, id: M::Id, field: F, by: i64) -> mongo_odm::Result<UpdateReport>
/// where
///     M: Model,
///     F: FieldOf<M, Value = i64> + Changeable<M>,
/// {
///     M::update(&odm, id).inc(field, by).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a field of `{M}`",
    label = "not a field of `{M}`",
    note = "fields are named `{M}::fields().name`; an update has the field and the value as two arguments, and a document of \
            operators is added with `.with(document)`"
)]
pub trait FieldOf<M>: Copy + Send + Sync {
    /// The Rust type of the field.
    type Value;

    /// The path of the struct that declares the field.
    #[doc(hidden)]
    type Place;

    /// The codec, which defines how the field's values are encoded.
    #[doc(hidden)]
    type Codec: Codec<Self::Value>;

    /// The role, which determines the permitted updates.
    #[doc(hidden)]
    type Role;

    /// The number of arrays around the field.
    #[doc(hidden)]
    const ARRAYS: usize;

    /// Returns the stored path.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/library_models.txt")]
    /// use mongo_odm::field::FieldOf;
    ///
    /// assert_eq!(FieldOf::path(Book::fields().title), "title");
    /// ```
    fn path(self) -> String;

    /// Returns the description of the field.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/library_models.txt")]
    /// use mongo_odm::field::FieldOf;
    ///
    /// fn is_optional<M>(field: impl FieldOf<M>) -> bool {
    ///     field.shape().is_some_and(|shape| shape.optional)
    /// }
    /// assert!(!is_optional(Book::fields().title));
    /// ```
    fn shape(self) -> Option<&'static FieldShape>;

    /// Encodes a value exactly as the field stores it.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] if serde cannot write the value as BSON.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/library_models.txt")]
    /// use mongo_odm::{bson::Bson, field::FieldOf};
    ///
    /// assert_eq!(Book::fields().sold.encode(&12)?, Bson::Int64(12));
    /// # Ok::<(), mongo_odm::Error>(())
    /// ```
    fn encode(self, value: &Self::Value) -> Result<Bson>;

    /// Returns whether serde omits the field if it has this value.
    #[doc(hidden)]
    fn skips(self, value: &Self::Value) -> bool;

    /// Rejects a field of structs in an array of arrays, because the server does not search such an array.
    #[doc(hidden)]
    fn check_search(self) -> Result<()>;

    /// Decodes a stored value, or returns serde's error message.
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

    const ARRAYS: usize = P::ARRAYS;

    fn path(self) -> String {
        Field::path(&self)
    }

    fn shape(self) -> Option<&'static FieldShape> {
        Field::shape(&self)
    }

    fn encode(self, value: &T) -> Result<Bson> {
        // Serde encodes an `ObjectId` through a string. Joins encode many object ids, so this function bypasses
        // serde.
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

    fn check_search(self) -> Result<()> {
        let Some(array) = P::array_of_arrays() else {
            return Ok(());
        };
        Err(Error::invalid(format!(
            "MongoDB does not search the array of arrays `{array}`, so it does not find `{}`; write a position \
             (`at::<0>()`), or store an array of structs that contain the inner arrays",
            Field::path(&self)
        )))
    }

    fn decode(value: Bson) -> Result<T, String> {
        decode_with::<T, C>(value)
    }
}

/// Encodes elements with the codec of an array field, by encoding an array that contains these elements.
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
