//! Typed filters, which wrap plain filter documents.

mod combine;
mod element_filter;

use std::marker::PhantomData;

use mongodb::bson::{Bson, Document, doc};

pub(crate) use element_filter::{ElementCondition, ElementFields};
pub use element_filter::{ElementFilter, RelationFilter, RelationScope};

use super::field::{
    ArrayElements, Field, FieldOf, Operand, PartedType, SameElements, TextType, escape_pattern,
    same_element, same_elements, same_value,
};
use crate::{
    error::{Result, cloned_result},
    model::derive_traits::{FieldSet, HasFields, Path, Queried, Root},
    value::key::equal_to,
};

/// A filter on documents of type `M`.
///
/// You build a filter from field handles and combine filters with `&`, `|` and `!`. A plain `Document` becomes a
/// filter with `into()`.
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

/// Returns the filter `{path: value}`, or `{path: {$eq: value}}` if the server would read the value as an operator or
/// a pattern.
pub(crate) fn equality(path: impl Into<String>, value: Bson) -> Document {
    doc! { path.into(): equal_to(value) }
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
            of an id, write `{M}::fields().id.eq(id)`, or `{M}::get(odm, id)`, `update` and `delete`, which take ids"
)]
pub trait IntoFilter<M: ?Sized> {
    /// Converts the value to a filter.
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
    /// `{field: value}`: the stored value equals the operand. The operand `None` also matches a missing field.
    ///
    /// A struct is compared without its copies, because the stored copies can be newer than those in the operand.
    pub fn eq(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
    {
        let value = self.encode(&value.into_value());
        Filter::new(value.map(|value| {
            let same = self.equal_struct(&value);
            same.unwrap_or_else(|| equality(FieldOf::path(self), value))
        }))
    }

    /// `$ne`: no value equals the operand. A struct is compared as in [`eq`](Self::eq).
    pub fn ne(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
    {
        match self.encode(&value.into_value()) {
            Ok(value) => match self.equal_struct(&value) {
                Some(same) => Filter::from(doc! { "$nor": [same] }),
                None => self.operator("$ne", value),
            },
            Err(error) => Filter::new(Err(error)),
        }
    }

    /// `$gt`: the stored value is greater than the operand. Only values of the operand's BSON type are compared.
    pub fn gt(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
    {
        self.compare("$gt", value)
    }

    /// `$gte`: the stored value is greater than or equal to the operand.
    pub fn gte(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
    {
        self.compare("$gte", value)
    }

    /// `$lt`: the stored value is less than the operand.
    pub fn lt(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
    {
        self.compare("$lt", value)
    }

    /// `$lte`: the stored value is less than or equal to the operand.
    pub fn lte(self, value: impl Operand<T>) -> Filter<M>
    where
        P: Queried,
    {
        self.compare("$lte", value)
    }

    /// `$in`: the stored value equals one of the operands. Structs are compared as in [`eq`](Self::eq).
    pub fn is_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> Filter<M>
    where
        P: Queried,
    {
        self.compare_all(["$in", "$or"], values)
    }

    /// `$nin`: the stored value equals none of the operands. Structs are compared as in [`eq`](Self::eq).
    #[doc(alias("nin", "not_in"))]
    pub fn is_not_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> Filter<M>
    where
        P: Queried,
    {
        self.compare_all(["$nin", "$nor"], values)
    }

    /// `$exists: true`: the document has the field, even if its value is null.
    pub fn exists(self) -> Filter<M>
    where
        P: Queried,
    {
        self.operator("$exists", true.into())
    }

    /// `$exists: false`: the document does not have the field. A stored null does not match. To match both, use
    /// `eq(None)`.
    pub fn is_missing(self) -> Filter<M>
    where
        P: Queried,
    {
        self.operator("$exists", false.into())
    }

    /// `$type: "null"`: the document has the field, and its value is null. A missing field does not match. To match
    /// both, use `eq(None)`.
    pub fn is_null(self) -> Filter<M>
    where
        P: Queried,
    {
        self.operator("$type", "null".into())
    }

    /// Matches an array that contains the element, or a string that contains the operand.
    ///
    /// - Array: `{field: element}`. Copies inside the element are not compared.
    /// - String: `$regex` with the escaped operand. The operand is not interpreted as a pattern.
    ///
    /// # Index
    ///
    /// With an index on an array, the server finds the documents directly. For a string, the server checks every string
    /// in the index, but reads only the matching documents.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "parts")]
    /// # struct Part { #[serde(rename = "_id")] id: Id<Part>, name: String, tags: Vec<String> }
    /// let part = Part::fields();
    /// let filter = part.name.contains("3.5");
    /// assert_eq!(filter.into_document().unwrap(), doc! { "name": { "$regex": r"3\.5" } });
    /// let filter = part.tags.contains("rubber");
    /// assert_eq!(filter.into_document().unwrap(), doc! { "tags": "rubber" });
    /// ```
    #[doc(alias("has", "includes", "like"))]
    pub fn contains(self, part: impl Operand<T::Part>) -> Filter<M>
    where
        P: Queried,
        T: PartedType,
    {
        let path = FieldOf::path(self);
        let condition = T::condition(self, part.into_value());
        Filter::new(condition.map(|condition| doc! { path: condition }))
    }

    /// `$regex`: the string begins with the operand, which is escaped.
    ///
    /// # Index
    ///
    /// The server uses an index on the field to find the strings directly.
    pub fn starts_with(self, text: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
        T: TextType,
    {
        self.operator(
            "$regex",
            format!("^{}", escape_pattern(text.as_ref())).into(),
        )
    }

    /// `$regex`: the string ends with the operand, which is escaped.
    ///
    /// # Index
    ///
    /// The server checks every string. If the field has an index, the server checks the strings there and reads only
    /// the matching documents.
    pub fn ends_with(self, text: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
        T: TextType,
    {
        let ending = escape_pattern(text.as_ref());
        self.operator("$regex", format!(r"{ending}\z").into())
    }

    /// `$regex`: the string matches a pattern in the server's syntax (PCRE), with options such as `"i"`.
    ///
    /// To search for a string literally, use [`contains`](Self::contains) or [`starts_with`](Self::starts_with).
    #[doc(alias("regex", "like"))]
    pub fn matches(self, pattern: impl AsRef<str>, options: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
    {
        let regex = doc! { "$regex": pattern.as_ref(), "$options": options.as_ref() };
        Filter::from(doc! { FieldOf::path(self): regex })
    }

    fn compare(self, operator: &str, value: impl Operand<T>) -> Filter<M> {
        match self.encode(&value.into_value()) {
            Ok(value) => self.operator(operator, value),
            Err(error) => Filter::new(Err(error)),
        }
    }

    /// Returns a filter that compares the field with a struct or a list of structs, but ignores their copies.
    fn equal_struct(self, value: &Bson) -> Option<Document> {
        let (path, array) = (FieldOf::path(self), P::innermost_array());
        if let Some(field) = P::array_of_element() {
            return same_element(field, &path, array.as_deref(), value);
        }
        same_value(FieldOf::shape(self)?, &path, array.as_deref(), value)
    }

    /// Compares the field with several values. The filter uses an operator on the field (`$in`). If the values are
    /// structs that contain copies, it uses an operator between filters (`$or`) instead.
    fn compare_all<V: Operand<T>>(
        self,
        [operator, of_filters]: [&str; 2],
        values: impl IntoIterator<Item = V>,
    ) -> Filter<M> {
        let encoded: Result<Vec<Bson>> = values
            .into_iter()
            .map(|value| self.encode(&value.into_value()))
            .collect();
        let values = match encoded {
            Ok(values) => values,
            Err(error) => return Filter::new(Err(error)),
        };
        let same: Vec<_> = values
            .iter()
            .map(|value| self.equal_struct(value))
            .collect();
        if same.iter().all(Option::is_none) {
            return self.operator(operator, values.into());
        }
        let equal = |(same, value): (Option<Document>, Bson)| {
            same.unwrap_or_else(|| equality(FieldOf::path(self), value))
        };
        let filters: Vec<Document> = same.into_iter().zip(values).map(equal).collect();
        Filter::from(doc! { of_filters: filters })
    }

    fn operator(self, operator: &str, value: Bson) -> Filter<M> {
        let mut condition = Document::new();
        condition.insert(operator, value);
        Filter::from(doc! { FieldOf::path(self): condition })
    }
}

/// Methods that return a filter on an array field.
impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R>
where
    P: Path,
    O: HasFields + 'static,
    T: 'static,
    Self: FieldOf<M, Value = T>,
{
    /// `$in`: the array contains at least one of the elements. Copies inside the elements are not compared.
    pub fn contains_any<V: Operand<T::Item>>(
        self,
        elements: impl IntoIterator<Item = V>,
    ) -> Filter<M>
    where
        P: Queried,
        T: ArrayElements,
    {
        self.elements("$in", elements, |path, same| {
            let of_structs = doc! { "$elemMatch": { "$or": same.structs } };
            if same.has_none {
                return doc! { "$or": [{ &path: of_structs }, { &path: has_null() }] };
            }
            doc! { path: of_structs }
        })
    }

    /// `$all`: the array contains all of the elements. Copies inside the elements are not compared.
    pub fn contains_all<V: Operand<T::Item>>(
        self,
        elements: impl IntoIterator<Item = V>,
    ) -> Filter<M>
    where
        P: Queried,
        T: ArrayElements,
    {
        self.elements("$all", elements, |path, same| {
            let of_structs = same.structs.into_iter().map(|it| doc! { "$elemMatch": it });
            let all: Vec<Document> = of_structs.chain(same.has_none.then(has_null)).collect();
            doc! { path: { "$all": all } }
        })
    }

    /// `$size`: the array has exactly this many elements.
    pub fn size(self, elements: u32) -> Filter<M>
    where
        P: Queried,
        T: ArrayElements,
    {
        self.operator("$size", i64::from(elements).into())
    }

    /// `$elemMatch`: at least one element matches all conditions. You build the conditions from the handles of the
    /// embedded struct.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Embedded)]
    /// # struct Line { part: String, qty: i64 }
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: Id<Order>, #[embed] lines: Vec<Line> }
    /// let lines = Order::fields().lines;
    /// let filter = lines.elem_match(|line| line.part.eq("bolt") & line.qty.gt(10));
    /// ```
    pub fn elem_match<F>(
        self,
        condition: impl FnOnce(<T::Item as HasFields>::__OdmFields<T::Item, Root>) -> F,
    ) -> Filter<M>
    where
        P: Queried,
        T: ArrayElements<Item: HasFields + 'static>,
        F: IntoFilter<T::Item>,
    {
        let fields = <<T::Item as HasFields>::__OdmFields<T::Item, Root> as FieldSet>::NEW;
        match condition(fields).into_filter().into_document() {
            Ok(condition) => self.operator("$elemMatch", condition.into()),
            Err(error) => Filter::new(Err(error)),
        }
    }

    fn elements<V: Operand<T::Item>>(
        self,
        operator: &str,
        elements: impl IntoIterator<Item = V>,
        without_copies: impl FnOnce(String, SameElements) -> Document,
    ) -> Filter<M>
    where
        T: ArrayElements,
    {
        let elements = elements.into_iter().map(Operand::into_value);
        let values = match T::encode(self, elements.collect()) {
            Ok(values) => values,
            Err(error) => return Filter::new(Err(error)),
        };
        match same_elements(FieldOf::shape(self), &values) {
            Some(same) => Filter::from(without_copies(FieldOf::path(self), same)),
            None => self.operator(operator, values.into()),
        }
    }
}

/// Returns the condition for an array that contains null.
fn has_null() -> Document {
    doc! { "$elemMatch": { "$eq": Bson::Null } }
}
