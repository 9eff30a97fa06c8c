//! Filters on the array element that contains an owner's key.

use mongodb::bson::Document;

use super::{Filter, IntoFilter};
use crate::{
    error::{Result, cloned_result},
    model::derive_traits::{FieldSet, HasFields, Path, Queried, Root},
    query::field::{ArrayElements, EmbedType, Field, FieldOf},
};

/// The embedded struct that each element of an array contains. `A` is the type of the array.
type ElementOf<A> = <<A as ArrayElements>::Item as EmbedType>::Embedded;

/// Field handles for the elements of an array of embedded structs. `A` is the type of the array.
pub(crate) type ElementFields<A> = <ElementOf<A> as HasFields>::__OdmFields<ElementOf<A>, Root>;

/// A condition on the array element that contains an owner's key.
///
/// A join can find documents that contain the keys of several owners. A [`Filter`] applies to such a document as a
/// whole: `elem_match` is true if any element matches, even if that element belongs to another owner. An
/// `ElementFilter` applies only to the element that contains the owner's key.
///
/// Declare an `ElementFilter` as the `filter` of a `has_many` or `has_one`. To add such a condition to a single load or
/// join, call [`filter_element`](crate::relation::RelationQuery::filter_element).
///
/// # Examples
///
/// ```
/// use mongo_odm::{ElementFilter, prelude::*};
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(
///     collection = "products",
///     has_many(orders = "Order.lines.product"),
///     has_many(rushed = "Order.lines.product", filter = "Order::rushed")
/// )]
/// struct Product {
///     #[serde(rename = "_id")]
///     id: Id<Product>,
/// }
///
/// #[derive(Debug, Serialize, Deserialize, Embedded)]
/// struct Line {
///     #[refs(one)]
///     product: Id<Product>,
///     rush: bool,
/// }
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "orders")]
/// struct Order {
///     #[serde(rename = "_id")]
///     id: Id<Order>,
///     lines: Vec<Line>,
/// }
///
/// impl Order {
///     fn rushed() -> ElementFilter<Order> {
///         ElementFilter::new(Order::fields().lines, |line| line.rush.eq(true))
///     }
/// }
///
/// # async fn example(odm: Odm, products: Vec<Product>) -> mongo_odm::Result<()> {
/// let rushed = Product::join_rushed(&products, &odm).await?;
/// let slow = Product::join_orders(&products, &odm)
///     .filter_element(Order::fields().lines, |line| line.rush.eq(false))
///     .await?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
#[must_use = "a filter does nothing until a query uses it"]
pub struct ElementFilter<M> {
    array: String,
    condition: Result<Document>,
    whole: Filter<M>,
}

impl<M> Clone for ElementFilter<M> {
    fn clone(&self) -> Self {
        Self {
            array: self.array.clone(),
            condition: cloned_result(&self.condition),
            whole: self.whole.clone(),
        }
    }
}

impl<M> ElementFilter<M> {
    /// Returns a condition on the elements of `array` that contain the owner's key. You build the condition from
    /// the handles of the embedded struct.
    ///
    /// # Examples
    ///
    /// See [`ElementFilter`](Self).
    pub fn new<P, O, A, const I: usize, C, F>(
        array: Field<M, P, O, A, I, C>,
        condition: impl FnOnce(ElementFields<A>) -> F,
    ) -> Self
    where
        P: Path + Queried,
        O: HasFields + 'static,
        A: ArrayElements<Item: EmbedType<Embedded: 'static>> + 'static,
        Field<M, P, O, A, I, C>: FieldOf<M>,
        F: IntoFilter<ElementOf<A>>,
    {
        let condition = condition(<ElementFields<A> as FieldSet>::NEW);
        Self {
            array: FieldOf::path(array),
            condition: condition.into_filter().into_document(),
            whole: Filter::all(),
        }
    }

    /// Adds a filter that applies to the whole document.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::{ElementFilter, prelude::*};
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "products")]
    /// # struct Product { #[serde(rename = "_id")] id: Id<Product> }
    /// # #[derive(Debug, Serialize, Deserialize, Embedded)]
    /// # struct Line { #[refs(one)] product: Id<Product>, rush: bool }
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: Id<Order>, paid: bool, lines: Vec<Line> }
    /// let order = Order::fields();
    /// let rushed = ElementFilter::new(order.lines, |line| line.rush.eq(true)).and(order.paid.eq(true));
    /// ```
    pub fn and(mut self, filter: impl IntoFilter<M>) -> Self {
        self.whole = self.whole.and(filter.into_filter());
        self
    }
}

/// The conditions of a relation or a single call: a filter on the related documents, and a condition on the array
/// element that contains the key.
#[derive(Debug)]
pub struct RelationScope {
    pub(crate) whole: Document,
    pub(crate) element: Option<ElementCondition>,
}

/// A condition on the elements of an array.
#[derive(Clone, Debug)]
pub(crate) struct ElementCondition {
    pub(crate) array: String,
    pub(crate) condition: Document,
}

/// A type that `has_many` and `has_one` accept as `filter`: a [`Filter`] or an [`ElementFilter`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a filter of `{M}`",
    label = "expected a filter of `{M}`",
    note = "return a `Filter<{M}>`, or an `ElementFilter<{M}>` for a condition on the element with the key of the owner"
)]
pub trait RelationFilter<M> {
    /// Converts the value to the conditions of a relation.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode) if serde cannot write an operand as BSON.
    #[doc(hidden)]
    fn into_scope(self) -> Result<RelationScope>;
}

#[diagnostic::do_not_recommend]
impl<M> RelationFilter<M> for Filter<M> {
    fn into_scope(self) -> Result<RelationScope> {
        Ok(RelationScope {
            whole: self.into_document()?,
            element: None,
        })
    }
}

#[diagnostic::do_not_recommend]
impl<M> RelationFilter<M> for ElementFilter<M> {
    fn into_scope(self) -> Result<RelationScope> {
        Ok(RelationScope {
            whole: self.whole.into_document()?,
            element: Some(ElementCondition {
                array: self.array,
                condition: self.condition?,
            }),
        })
    }
}
