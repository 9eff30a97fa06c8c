//! Typed filters, which wrap plain filter documents.

mod array;
mod combine;
mod element_filter;
#[cfg(feature = "geo")]
pub(crate) mod geo;
mod ignore_case;
mod operand;
mod text;

use std::marker::PhantomData;

use mongodb::bson::{Bson, Document, doc};

pub(crate) use element_filter::{ElementCondition, ElementFields};
pub use element_filter::{ElementFilter, RelationFilter, RelationScope};
use operand::EncodedOperand;

use super::field::{Field, FieldOf, InDocuments, Operand};
use crate::{
    error::{Result, cloned_result},
    model::derive_traits::{HasFields, Path, Queried},
};

/// A filter on documents of type `M`.
///
/// You build a filter from field handles and combine filters with `&`, `|` and `!`. `into()` converts a plain
/// `Document` to a filter.
///
/// # Sends
///
/// Nothing. The filter is sent by the call that uses it.
///
/// # Errors
///
/// If an operand cannot be encoded, the filter stores the error, and the call that uses the filter fails with it.
///
/// # Examples
///
/// ```
/// # use mongo_odm::prelude::*;
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "parts")]
/// # struct Part { #[serde(rename = "_id")] id: Id<Part>, name: String, qty: i64, price: f64 }
/// let part = Part::fields();
/// let cheap = part.price.lt(1.0) & (part.qty.gt(0) | !part.name.eq("grommet"));
/// assert_eq!(
///     cheap.into_document().unwrap(),
///     doc! { "$and": [
///         { "price": { "$lt": 1.0 } },
///         { "$or": [{ "qty": { "$gt": 0_i64 } }, { "$nor": [{ "name": "grommet" }] }] },
///     ] }
/// );
/// ```
#[derive(Debug)]
#[must_use = "a filter does nothing until a query uses it"]
pub struct Filter<M: ?Sized> {
    document: Result<Document>,
    of: PhantomData<fn() -> M>,
}

impl<M: ?Sized> Clone for Filter<M> {
    fn clone(&self) -> Self {
        Self::new(cloned_result(&self.document))
    }
}

impl<M: ?Sized> Filter<M> {
    /// Returns a filter that matches every document.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Filter::<Order>::all();
    /// assert_eq!(filter.into_document()?, doc! {});
    /// # Ok(()) }
    /// ```
    pub fn all() -> Self {
        Self::new(Ok(Document::new()))
    }

    pub(crate) fn new(document: Result<Document>) -> Self {
        Self {
            document,
            of: PhantomData,
        }
    }

    /// Returns the filter document for the server.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode) if serde cannot write an operand as BSON.
    ///
    /// # Examples
    ///
    /// See [`Filter`](Self).
    pub fn into_document(self) -> Result<Document> {
        self.document
    }
}

/// Combines two filter documents under `$and` or `$or`. A chain of the same operator remains one flat array.
pub(crate) fn merge(operator: &str, left: Document, right: Document) -> Document {
    if operator == "$and" && left.is_empty() {
        return right;
    }
    if operator == "$and" && right.is_empty() {
        return left;
    }
    let mut clauses = into_clauses(operator, left);
    clauses.extend(into_clauses(operator, right));
    let mut document = Document::new();
    document.insert(operator, clauses);
    document
}

fn into_clauses(operator: &str, mut filter: Document) -> Vec<Bson> {
    if filter.len() == 1
        && let Some(Bson::Array(clauses)) = filter.get_mut(operator)
    {
        return std::mem::take(clauses);
    }
    vec![Bson::Document(filter)]
}

impl<M: ?Sized> From<Document> for Filter<M> {
    fn from(document: Document) -> Self {
        Self::new(Ok(document))
    }
}

/// A type that converts to a filter on documents of type `M`: a [`Filter`] or a plain `Document`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a filter of `{M}`",
    label = "expected a filter of `{M}`",
    note = "compare a field of `{M}`: `{M}::fields().name.eq(..)`; join filters with `&` and `|` in the place of `&&` and `||`; a plain document is `doc! {{ .. }}`; \
            for an id, write `{M}::fields().id.eq(id)`, or call `{M}::get(odm, id)`, `update` or `delete`, which take ids"
)]
pub trait IntoFilter<M: ?Sized> {
    /// Converts the value to a filter.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use mongo_odm::{Documents, IntoFilter};
    ///
    /// async fn count_sold(odm: &Odm, filter: impl IntoFilter<Book>) -> mongo_odm::Result<u64> {
    ///     Book::count(odm).filter(filter.into_filter() & Book::fields().sold.gt(0)).await
    /// }
    /// let sold = count_sold(&odm, Book::fields().title.starts_with("The")).await?;
    /// # Ok(()) }
    /// ```
    fn into_filter(self) -> Filter<M>;
}

#[diagnostic::do_not_recommend]
impl<M: ?Sized> IntoFilter<M> for Filter<M> {
    fn into_filter(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<M: ?Sized> IntoFilter<M> for Document {
    fn into_filter(self) -> Filter<M> {
        Filter::from(self)
    }
}

/// Methods that return a filter on one field. An operand is encoded exactly as the field stores its values.
///
/// A comparison with an array, or with a field inside an array, is true if at least one element matches. If several
/// conditions must be true for the same element, use `elem_match`.
impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R>
where
    P: Path,
    O: HasFields + 'static,
    T: 'static,
    Self: FieldOf<M, Value = T>,
{
    /// `{field: value}`: the stored value equals the operand. The operand `None` also matches a missing field, and so
    /// does an operand that serde would omit (`skip_serializing_if`).
    ///
    /// A struct is compared without its copies, because the stored copies can be newer than those in the operand.
    ///
    /// # Limits
    ///
    /// Arrays and documents are equal only if their elements have the same order. The order of a `HashSet` or a `HashMap`
    /// is random, so `eq`, `ne`, `is_in` and `is_not_in` do not find an equal set or map. Declare the field as a
    /// `BTreeSet` or a `BTreeMap`, or combine `contains_all` with `size`.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().customer.eq("ann");
    /// assert_eq!(filter.into_document()?, doc! { "customer": "ann" });
    /// # Ok(()) }
    /// ```
    pub fn eq(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        let operand = self.operand(value);
        self.on_field(operand.map(|operand| operand.filter(&FieldOf::path(self))))
    }

    /// `$ne`: neither the stored value nor an element of a stored array equals the operand. A struct is compared as in
    /// [`eq`](Self::eq).
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().customer.ne("ann");
    /// assert_eq!(filter.into_document()?, doc! { "customer": { "$ne": "ann" } });
    /// # Ok(()) }
    /// ```
    pub fn ne(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        match self.operand(value) {
            Ok(operand) if operand.is_plain() => self.operator("$ne", operand.value),
            Ok(operand) => {
                let equal = operand.filter(&FieldOf::path(self));
                self.on_field(Ok(doc! { "$nor": [equal] }))
            }
            Err(error) => Filter::new(Err(error)),
        }
    }

    /// `$gt`: the stored value is greater than the operand. Only values of the operand's BSON type are compared,
    /// so a missing field does not match.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().total.gt(100);
    /// assert_eq!(filter.into_document()?, doc! { "total": { "$gt": 100_i64 } });
    /// # Ok(()) }
    /// ```
    pub fn gt(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.compare("$gt", value)
    }

    /// `$gte`: the stored value is greater than or equal to the operand.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let order = Order::fields();
    /// let filter = order.total.gte(100) & order.total.lt(200);
    /// assert_eq!(filter.into_document()?, doc! { "$and": [{ "total": { "$gte": 100_i64 } }, { "total": { "$lt": 200_i64 } }] });
    /// # Ok(()) }
    /// ```
    pub fn gte(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.compare("$gte", value)
    }

    /// `$lt`: the stored value is less than the operand.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().due.lt(DateTime::from_millis(0));
    /// assert_eq!(filter.into_document()?, doc! { "due": { "$lt": DateTime::from_millis(0) } });
    /// # Ok(()) }
    /// ```
    pub fn lt(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.compare("$lt", value)
    }

    /// `$lte`: the stored value is less than or equal to the operand.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().lines.qty.lte(3);
    /// assert_eq!(filter.into_document()?, doc! { "lines.qty": { "$lte": 3_i64 } });
    /// # Ok(()) }
    /// ```
    pub fn lte(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.compare("$lte", value)
    }

    /// `$in`: the stored value equals one of the operands. Structs are compared as in [`eq`](Self::eq).
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().customer.is_in(["ann", "bob"]);
    /// assert_eq!(filter.into_document()?, doc! { "customer": { "$in": ["ann", "bob"] } });
    /// # Ok(()) }
    /// ```
    pub fn is_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.compare_all(["$in", "$or"], values)
    }

    /// `$nin`: neither the stored value nor an element of a stored array equals one of the operands. Structs are compared
    /// as in [`eq`](Self::eq).
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().customer.is_not_in(["ann", "bob"]);
    /// assert_eq!(filter.into_document()?, doc! { "customer": { "$nin": ["ann", "bob"] } });
    /// # Ok(()) }
    /// ```
    #[doc(alias("nin", "not_in"))]
    pub fn is_not_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.compare_all(["$nin", "$nor"], values)
    }

    /// `$exists: true`: the document has the field, even if its value is null.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().note.exists();
    /// assert_eq!(filter.into_document()?, doc! { "note": { "$exists": true } });
    /// # Ok(()) }
    /// ```
    pub fn exists(self) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.operator("$exists", true.into())
    }

    /// `$exists: false`: the document does not have the field. If the field is inside an array, no element has the field.
    /// A stored null does not match. To match both, use `eq(None)`.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().note.is_missing();
    /// assert_eq!(filter.into_document()?, doc! { "note": { "$exists": false } });
    /// # Ok(()) }
    /// ```
    pub fn is_missing(self) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.operator("$exists", false.into())
    }

    /// `$type: "null"`: the document has the field, and its value is null. A missing field does not match. To match
    /// both, use `eq(None)`.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let filter = Order::fields().note.is_null();
    /// assert_eq!(filter.into_document()?, doc! { "note": { "$type": "null" } });
    /// # Ok(()) }
    /// ```
    pub fn is_null(self) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        let is_array = FieldOf::shape(self).is_some_and(|shape| shape.array);
        if is_array && P::array_of_element().is_none() && P::innermost_array().is_none() {
            // The server also compares the elements of an array, so the filter excludes arrays.
            let only_null = doc! { "$type": "null", "$not": { "$type": "array" } };
            return Filter::from(doc! { FieldOf::path(self): only_null });
        }
        self.operator("$type", "null".into())
    }

    fn compare(self, operator: &str, value: impl Operand<T>) -> Filter<M> {
        match self.encode(&value.into_value()) {
            Ok(value) => self.operator(operator, value),
            Err(error) => Filter::new(Err(error)),
        }
    }

    /// Compares the field with several values. The filter uses an operator on the field (`$in`). If the server cannot
    /// compare the values correctly, the filter uses an operator between filters (`$or`) instead.
    fn compare_all<V: Operand<T>>(
        self,
        [operator, of_filters]: [&str; 2],
        values: impl IntoIterator<Item = V>,
    ) -> Filter<M> {
        let operands: Result<Vec<_>> = values.into_iter().map(|it| self.operand(it)).collect();
        let operands = match operands {
            Ok(operands) => operands,
            Err(error) => return Filter::new(Err(error)),
        };
        if operands.iter().all(EncodedOperand::is_plain) {
            let values = operands.into_iter().map(|operand| operand.value);
            return self.operator(operator, values.collect::<Vec<_>>().into());
        }
        let path = FieldOf::path(self);
        let filters: Vec<_> = operands.into_iter().map(|it| it.filter(&path)).collect();
        self.on_field(Ok(doc! { of_filters: filters }))
    }

    fn operator(self, operator: &str, value: Bson) -> Filter<M> {
        let mut condition = Document::new();
        condition.insert(operator, value);
        self.on_field(Ok(doc! { FieldOf::path(self): condition }))
    }

    /// Returns a filter that contains a condition on this field.
    fn on_field(self, filter: Result<Document>) -> Filter<M> {
        Filter::new(FieldOf::check_search(self).and(filter))
    }
}
