//! Filters on strings, and on the elements of an array.

use mongodb::bson::doc;

use super::Filter;
use crate::{
    model::derive_traits::{HasFields, Path, Queried},
    query::field::{Field, FieldOf, InDocuments, Operand, PartedType, TextType, escape_pattern},
};

/// Methods that return a filter on a part of a field: on text in a string, or on an element of an array.
impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R>
where
    P: Path,
    O: HasFields + 'static,
    T: 'static,
    Self: FieldOf<M, Value = T>,
{
    /// Matches an array that contains the element, or a string that contains the operand.
    ///
    /// - Array: `{field: element}`. Copies inside the element are not compared.
    /// - String: `$regex` with the escaped operand. The operand is not interpreted as a pattern.
    ///
    /// # Index
    ///
    /// An index on an array finds the matching documents directly. With an index on a string, the server checks every
    /// string in the index, but reads only the matching documents.
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
        R: InDocuments<M>,
        T: PartedType,
    {
        let path = FieldOf::path(self);
        let condition = T::condition(self, part.into_value());
        self.on_field(condition.map(|condition| doc! { path: condition }))
    }

    /// `$regex`: the string begins with the operand, which is escaped.
    ///
    /// # Index
    ///
    /// An index on the field finds the matching strings directly.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let filter = Order::fields().customer.starts_with("Mc.");
    /// assert_eq!(filter.into_document()?, doc! { "customer": { "$regex": r"^Mc\." } });
    /// # Ok(()) }
    /// ```
    pub fn starts_with(self, text: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
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
    /// The server checks every string. If the field has an index, the server checks the strings in the index, and reads
    /// only the matching documents.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let filter = Order::fields().customer.ends_with(" Ltd");
    /// assert_eq!(filter.into_document()?, doc! { "customer": { "$regex": r" Ltd\z" } });
    /// # Ok(()) }
    /// ```
    pub fn ends_with(self, text: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: TextType,
    {
        let ending = escape_pattern(text.as_ref());
        self.operator("$regex", format!(r"{ending}\z").into())
    }

    /// `$regex`: the string matches a pattern in the server's syntax (PCRE), with options such as `"i"`.
    ///
    /// To search for a string literally, use [`contains`](Self::contains) or [`starts_with`](Self::starts_with).
    ///
    /// # Index
    ///
    /// The server checks every string. If the field has an index, the server checks the strings in the index, and reads
    /// only the matching documents. If the pattern begins with `^` and is case-sensitive, the server can skip a part of
    /// the index.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let filter = Order::fields().customer.matches("^mc[a-z]+", "i");
    /// assert_eq!(filter.into_document()?, doc! { "customer": { "$regex": "^mc[a-z]+", "$options": "i" } });
    /// # Ok(()) }
    /// ```
    #[doc(alias("regex", "like"))]
    pub fn matches(self, pattern: impl AsRef<str>, options: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        let regex = doc! { "$regex": pattern.as_ref(), "$options": options.as_ref() };
        self.on_field(Ok(doc! { FieldOf::path(self): regex }))
    }
}
