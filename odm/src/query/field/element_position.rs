//! Handles for single array elements, for use in updates.

use std::marker::PhantomData;

use mongodb::bson::Document;

use super::{ArrayElements, Field, OfArray, permitted_updates::OnePlace};
use crate::{
    model::{
        derive_traits::{At, FieldSet, HasFields, Path, Queried, add_struct},
        shape::FieldShape,
    },
    value::codec::AsSerde,
};

/// The handle for one or more elements of an array. The array is field number `I` of `O`, and `E` is the position.
///
/// The handle works like any other handle, and its path ends with the position.
pub type ElementOf<M, P, O, T, const I: usize, E> =
    Field<M, Positioned<At<P, O, I>, E>, Element, <T as ArrayElements>::Item, 0, AsSerde, OfArray>;

/// A type that represents a position in an array.
pub trait Position: 'static {
    /// Appends the position to a path.
    fn push(path: &mut String);
}

/// The position `N`, counted from 0.
#[derive(Debug)]
pub struct Nth<const N: u32>;

/// The first element that the filter of the update matched: `$`.
#[derive(Debug)]
pub struct Matched;

/// Every element: `$[]`.
#[derive(Debug)]
pub struct Every;

/// The elements that match the array filter for this identifier: `$[r]`.
#[derive(Debug)]
pub struct Named<const NAME: char>;

impl<const N: u32> Position for Nth<N> {
    fn push(path: &mut String) {
        path.push_str(&N.to_string());
    }
}

impl Position for Matched {
    fn push(path: &mut String) {
        path.push('$');
    }
}

impl Position for Every {
    fn push(path: &mut String) {
        path.push_str("$[]");
    }
}

impl<const NAME: char> Position for Named<NAME> {
    fn push(path: &mut String) {
        path.extend(["$[", NAME.encode_utf8(&mut [0; 4]), "]"]);
    }
}

/// Implemented by identifiers that the server accepts in `$[r]`: lowercase letters.
#[diagnostic::on_unimplemented(
    message = "the name of elements is one lowercase letter",
    label = "not a lowercase letter",
    note = "write `named::<'r'>()`"
)]
pub trait Lowercase {}

macro_rules! lowercase {
    ($($name:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Lowercase for Named<$name> {}
    )*};
}
lowercase! {
    'a' 'b' 'c' 'd' 'e' 'f' 'g' 'h' 'i' 'j' 'k' 'l' 'm' 'n' 'o' 'p' 'q' 'r' 's' 't' 'u' 'v' 'w' 'x' 'y' 'z'
}

/// The path of the elements at the position `E` in the array at the path `A`.
pub struct Positioned<A, E>(PhantomData<fn() -> (A, E)>);

impl<P: Path, O: HasFields + 'static, const I: usize, E: Position> Path
    for Positioned<At<P, O, I>, E>
{
    const ARRAYS: usize = P::ARRAYS;
    const AT_TOP: bool = false;
    const MAY_BE_MISSING: bool = At::<P, O, I>::MAY_BE_MISSING;
    const IN_OPTION: bool = At::<P, O, I>::IN_OPTION;
    const ALIASED: bool = At::<P, O, I>::ALIASED;

    fn push(path: &mut String) {
        At::<P, O, I>::push(path);
        path.push('.');
        E::push(path);
    }

    fn innermost_array() -> Option<String> {
        P::innermost_array()
    }

    fn array_of_element() -> Option<&'static FieldShape> {
        O::__ODM_FIELDS.get(I)
    }

    fn add_presence(conditions: &mut Document) {
        add_struct::<Self>(conditions);
    }
}

/// A position makes the path unambiguous, so updates may write fields inside the element.
#[diagnostic::do_not_recommend]
impl<M, P: OnePlace<M>, O, E, const I: usize> OnePlace<M> for Positioned<At<P, O, I>, E> {}

#[diagnostic::do_not_recommend]
impl<A: Queried, const N: u32> Queried for Positioned<A, Nth<N>> {}

/// The path of an array element in an array filter. The path consists of the identifier only.
pub struct Condition<A, const NAME: char>(PhantomData<fn() -> A>);

impl<P: 'static, O: HasFields + 'static, const I: usize, const NAME: char> Path
    for Condition<At<P, O, I>, NAME>
{
    const ARRAYS: usize = 0;
    const AT_TOP: bool = false;
    const MAY_BE_MISSING: bool = false;
    const IN_OPTION: bool = false;
    const ALIASED: bool = false;

    fn push(path: &mut String) {
        path.push(NAME);
    }

    fn array_of_element() -> Option<&'static FieldShape> {
        O::__ODM_FIELDS.get(I)
    }
}

#[diagnostic::do_not_recommend]
impl<A, const NAME: char> Queried for Condition<A, NAME> {}

/// A virtual struct whose only field is the array element. The virtual struct adds nothing to the path.
#[derive(Debug)]
pub struct Element;

/// An empty set of handles. The virtual struct has no named fields, because an array element is selected by its
/// position.
#[derive(Debug)]
pub struct NoFields;

impl FieldSet for NoFields {
    const NEW: Self = Self;
    const REF: &'static Self = &Self;
}

#[diagnostic::do_not_recommend]
impl HasFields for Element {
    type __OdmFields<M: 'static, P: Path> = NoFields;

    const __ODM_NAME: &'static str = "element";
    const __ODM_FIELDS: &'static [FieldShape] = &[FieldShape::new("element", "element").flatten()];
}

/// Methods that select array elements for an update. The update changes only the selected elements.
impl<M, P, O, T, const I: usize, R> Field<M, P, O, T, I, AsSerde, R> {
    /// `parts.2`: the element at a position, counted from 0.
    ///
    /// If an update writes to a position after the end, the server extends the array and fills the gap with nulls.
    /// You can also use the handle in a filter or a sort.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// assert_eq!(Order::fields().tags.at::<2>().path(), "tags.2");
    /// # Ok(()) }
    /// ```
    pub const fn at<const N: u32>(self) -> ElementOf<M, P, O, T, I, Nth<N>>
    where
        T: ArrayElements,
    {
        Field::NEW
    }

    /// `parts.$`: the first element that the filter of the update matches. The filter must have a condition on this
    /// array.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/query_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Order>) -> mongo_odm::Result<()> {
    /// let lines = Order::fields().lines;
    /// Order::update(&odm, id)
    ///     .filter(lines.product.eq("bolt"))
    ///     .inc(lines.matched().qty, 1)
    ///     .await?;
    /// # Ok(()) }
    /// # Ok(()) }
    /// ```
    pub const fn matched(self) -> ElementOf<M, P, O, T, I, Matched>
    where
        T: ArrayElements,
    {
        Field::NEW
    }

    /// `parts.$[]`: every element.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().inc(Order::fields().lines.every().qty, 1);
    /// // { "$inc": { "lines.$[].qty": 1 } }
    /// # assert_eq!(operators(update), doc! { "$inc": { "lines.$[].qty": 1_i64 } });
    /// # Ok(()) }
    /// ```
    pub const fn every(self) -> ElementOf<M, P, O, T, I, Every>
    where
        T: ArrayElements,
    {
        Field::NEW
    }

    /// `parts.$[p]`: the elements that match a condition. The identifier is one lowercase letter.
    ///
    /// Build the condition with [`when`](Field::when), and pass it to the update's `array_filter`.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/query_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Order>) -> mongo_odm::Result<()> {
    /// let line = Order::fields().lines.named::<'l'>();
    /// Order::update(&odm, id)
    ///     .set(line.product, "Bolt M8")
    ///     .array_filter(line.when(|line| line.qty.gt(10)))
    ///     .await?;
    /// # Ok(()) }
    /// # Ok(()) }
    /// ```
    pub const fn named<const NAME: char>(self) -> ElementOf<M, P, O, T, I, Named<NAME>>
    where
        T: ArrayElements,
        Named<NAME>: Lowercase,
    {
        Field::NEW
    }
}
