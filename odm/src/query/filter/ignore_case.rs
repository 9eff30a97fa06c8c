//! Case-insensitive filters on strings.

use mongodb::bson::doc;

use super::Filter;
use crate::{
    model::derive_traits::{HasFields, Path, Queried},
    query::field::{Field, FieldOf, InDocuments, TextType, escape_pattern},
};

/// Methods that return a case-insensitive filter on a string. The operand is escaped, so you can pass user input.
///
/// # Index
///
/// The server checks every string. If the field has an index, the server checks the strings in the index, and reads
/// only the matching documents. To find equal strings directly, declare an index that has a collation of strength 2,
/// and set the same collation on the query.
///
/// # Examples
///
/// ```
/// # use mongo_odm::prelude::*;
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "parts")]
/// # struct Part { #[serde(rename = "_id")] id: Id<Part>, name: String }
/// let filter = Part::fields().name.starts_with_ignore_case("M3.5");
/// let expected = doc! { "name": { "$regex": r"^M3\.5", "$options": "i" } };
/// assert_eq!(filter.into_document().unwrap(), expected);
/// ```
impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R>
where
    P: Path,
    O: HasFields + 'static,
    T: 'static,
    Self: FieldOf<M, Value = T>,
{
    /// `$regex` with the option `i`: the string equals the operand, ignoring case.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// let filter = Book::fields().title.eq_ignore_case("moomin");
    /// ```
    #[doc(alias("iexact", "eq_ignore_ascii_case"))]
    pub fn eq_ignore_case(self, text: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: TextType,
    {
        self.ignoring_case("^", text.as_ref(), r"\z")
    }

    /// `$regex` with the option `i`: the string contains the operand, ignoring case.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// let filter = Book::fields().title.contains_ignore_case("moomin");
    /// ```
    #[doc(alias("icontains", "ilike"))]
    pub fn contains_ignore_case(self, text: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: TextType,
    {
        self.ignoring_case("", text.as_ref(), "")
    }

    /// `$regex` with the option `i`: the string begins with the operand, ignoring case.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// let filter = Book::fields().title.starts_with_ignore_case("moomin");
    /// ```
    #[doc(alias("istartswith"))]
    pub fn starts_with_ignore_case(self, text: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: TextType,
    {
        self.ignoring_case("^", text.as_ref(), "")
    }

    /// `$regex` with the option `i`: the string ends with the operand, ignoring case.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// let filter = Book::fields().title.ends_with_ignore_case("moomin");
    /// ```
    #[doc(alias("iendswith"))]
    pub fn ends_with_ignore_case(self, text: impl AsRef<str>) -> Filter<M>
    where
        P: Queried,
        R: InDocuments<M>,
        T: TextType,
    {
        self.ignoring_case("", text.as_ref(), r"\z")
    }

    fn ignoring_case(self, start: &str, text: &str, end: &str) -> Filter<M> {
        let pattern = format!("{start}{}{end}", escape_pattern(text));
        let path = FieldOf::path(self);
        self.on_field(Ok(doc! { path: { "$regex": pattern, "$options": "i" } }))
    }
}
