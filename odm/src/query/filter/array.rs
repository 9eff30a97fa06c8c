//! Filters on array fields.

use mongodb::bson::{Bson, Document, doc};

use super::{Filter, IntoFilter, operand::left_out};
use crate::{
    model::{
        derive_traits::{FieldSet, HasFields, Path, Queried, Root},
        shape::FieldValue,
    },
    query::field::{
        ArrayElements, Field, FieldOf, InDocuments, Operand, SameElements, same_elements,
    },
    value::key::is_operator_or_pattern,
};

/// Methods that return a filter on an array field.
impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R>
where
    P: Path,
    O: HasFields + 'static,
    T: 'static,
    Self: FieldOf<M, Value = T>,
{
    /// `$in`: the array contains at least one of the elements. Copies inside the elements are not compared. Without
    /// elements, the filter matches no document.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let filter = Order::fields().tags.contains_any(["gift", "urgent"]);
    /// assert_eq!(filter.into_document()?, doc! { "tags": { "$in": ["gift", "urgent"] } });
    /// # Ok(()) }
    /// ```
    pub fn contains_any<V: Operand<T::Item>>(
        self,
        elements: impl IntoIterator<Item = V>,
    ) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
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

    /// `$all`: the array contains all of the elements. Copies inside the elements are not compared. Without elements, the
    /// filter matches no document.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let filter = Order::fields().tags.contains_all(["gift", "urgent"]);
    /// assert_eq!(filter.into_document()?, doc! { "tags": { "$all": ["gift", "urgent"] } });
    /// # Ok(()) }
    /// ```
    pub fn contains_all<V: Operand<T::Item>>(
        self,
        elements: impl IntoIterator<Item = V>,
    ) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: ArrayElements,
    {
        self.elements("$all", elements, |path, same| {
            let of_structs = same.structs.into_iter().map(|it| doc! { "$elemMatch": it });
            let all: Vec<Document> = of_structs.chain(same.has_none.then(has_null)).collect();
            doc! { path: { "$all": all } }
        })
    }

    /// `$size`: the array has exactly this many elements. If serde leaves out an empty array (`skip_serializing_if`),
    /// `size(0)` also matches a missing field.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let filter = Order::fields().lines.size(1);
    /// assert_eq!(filter.into_document()?, doc! { "lines": { "$size": 1_i64 } });
    /// # Ok(()) }
    /// ```
    pub fn size(self, elements: u32) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: ArrayElements,
    {
        // The server rejects a larger number, and no array has so many elements.
        let sized = doc! { "$size": i64::from(elements).min(i32::MAX.into()) };
        let path = FieldOf::path(self);
        let skips = FieldOf::shape(self).and_then(|shape| shape.skips);
        let empty = Bson::Array(Vec::new());
        if elements == 0 && skips.is_some_and(|it| it.skips(FieldValue::Stored(&empty))) {
            let missing = left_out::<P>(&path);
            return self.on_field(Ok(doc! { "$or": [{ path: sized }, missing] }));
        }
        self.on_field(Ok(doc! { path: sized }))
    }

    /// `$elemMatch`: at least one element satisfies all conditions. You build the conditions from the handles of the
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
        R: InDocuments<M>,
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
        let path = FieldOf::path(self);
        if let Some(same) = same_elements(FieldOf::shape(self), &values) {
            return self.on_field(Ok(without_copies(path, same)));
        }
        let is_ambiguous = |value: &Bson| {
            matches!(value, Bson::Array(_) | Bson::Null) || is_operator_or_pattern(value)
        };
        if values.iter().any(is_ambiguous) {
            return self.on_field(Ok(of_elements(operator, &path, values)));
        }
        self.operator(operator, values.into())
    }
}

/// Returns a condition that an array satisfies if it contains null.
fn has_null() -> Document {
    doc! { "$elemMatch": { "$eq": Bson::Null } }
}

/// Returns a filter whose conditions apply only to array elements. Without this restriction, the server would also
/// compare an operand that is an array or null with the whole field. The server would interpret a pattern instead of
/// comparing it.
fn of_elements(operator: &str, path: &str, values: Vec<Bson>) -> Document {
    let equal = |value: Bson| doc! { "$elemMatch": { "$eq": value } };
    let all = values.into_iter().map(equal);
    if operator == "$in" {
        let any: Vec<Document> = all.map(|condition| doc! { path: condition }).collect();
        return doc! { "$or": any };
    }
    doc! { path: { operator: all.collect::<Vec<_>>() } }
}
