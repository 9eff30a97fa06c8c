//! Array field types for operators that compare elements.

use mongodb::bson::Bson;

use super::{ArrayType, Field, FieldOf, encode_items};
use crate::{
    error::Result,
    model::derive_traits::InArray,
    value::{codec::AsSerde, presence::Presence},
};

/// A field type that is stored as an array. Array filters accept fixed-length and variable-length arrays.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as an array",
    label = "not an array",
    note = "arrays are `Vec`, `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]`, `SmallVec` with the feature `smallvec`, and options of them"
)]
pub trait ArrayElements: Sized {
    /// The type of one element.
    type Item;

    /// Encodes elements exactly as the array's own type encodes them.
    #[doc(hidden)]
    fn encode<M, F: FieldOf<M, Value = Self>>(
        field: F,
        items: Vec<Self::Item>,
    ) -> Result<Vec<Bson>>;
}

#[diagnostic::do_not_recommend]
impl<A: ArrayType> ArrayElements for A {
    type Item = A::Item;

    fn encode<M, F: FieldOf<M, Value = Self>>(field: F, items: Vec<A::Item>) -> Result<Vec<Bson>> {
        encode_items(field, items)
    }
}

macro_rules! fixed_length {
    ($array:ty, $whole:expr) => {
        #[diagnostic::do_not_recommend]
        impl<T: Clone, const N: usize> ArrayElements for $array {
            type Item = T;

            fn encode<M, F: FieldOf<M, Value = Self>>(
                field: F,
                items: Vec<T>,
            ) -> Result<Vec<Bson>> {
                let encode = |array: [T; N]| field.encode(&$whole(array));
                encode_in_arrays(&items, encode)
            }
        }
    };
}
fixed_length!([T; N], std::convert::identity);
fixed_length!(Option<[T; N]>, Some);
fixed_length!(Presence<[T; N]>, Presence::Value);

/// Encodes elements in groups of `N`, because the codec accepts only fixed-length arrays. The last group is padded with
/// copies of its last element, which are removed after the encoding.
fn encode_in_arrays<T: Clone, const N: usize>(
    items: &[T],
    encode: impl Fn([T; N]) -> Result<Bson>,
) -> Result<Vec<Bson>> {
    let mut encoded = Vec::new();
    for chunk in items.chunks(N.max(1)) {
        let Some(last) = chunk.last() else { continue };
        let item = |at: usize| chunk.get(at).unwrap_or(last).clone();
        if let Bson::Array(mut items) = encode(std::array::from_fn(item))? {
            items.truncate(chunk.len());
            encoded.extend(items);
        }
    }
    Ok(encoded)
}

impl<M, P, O, T: ArrayElements, const I: usize, R> Field<M, P, O, T, I, AsSerde, R> {
    /// Returns a handle for the elements of an array, for use in `distinct`, comparisons and sorts.
    ///
    /// The handle has the same path as the array.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/query_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// // Each tag that occurs in an order.
    /// let tags: Vec<String> = Order::distinct(&odm, Order::fields().tags.each()).await?;
    /// # Ok(()) }
    /// # Ok(()) }
    /// ```
    pub const fn each(self) -> Field<M, InArray<P>, O, T::Item, I> {
        Field::NEW
    }
}
