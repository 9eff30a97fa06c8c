//! Typed sort orders, which wrap plain sort documents.

use std::marker::PhantomData;

use mongodb::bson::Document;

use super::field::{Field, InDocuments};
use crate::model::derive_traits::{HasFields, Path, Queried};

/// A sort order for documents of type `M`.
///
/// You build a sort order with the methods `asc` and `desc` of field handles. `into()` converts a plain `Document` to a
/// sort order.
///
/// # Sends
///
/// Nothing. The sort order is sent by the call that uses it.
///
/// # Index
///
/// The server can use an index on the fields in the same order. Without such an index, the server sorts in memory.
///
/// # Examples
///
/// ```
#[doc = include_str!("../docs/stock_models.txt")]
/// let part = Part::fields();
/// let sort = part.qty.desc().then(part.name.asc());
/// assert_eq!(sort.into_document(), doc! { "qty": -1, "name": 1 });
/// ```
#[derive(Debug)]
#[must_use = "a sort does nothing until a query uses it"]
pub struct Sort<M: ?Sized> {
    document: Document,
    of: PhantomData<fn() -> M>,
}

impl<M: ?Sized> Clone for Sort<M> {
    fn clone(&self) -> Self {
        Self::from(self.document.clone())
    }
}

impl<M: ?Sized> Sort<M> {
    /// Adds a second sort order for documents that the first sort order considers equal.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let order = Order::fields();
    /// let sort = order.due.asc().then(order.total.desc());
    /// assert_eq!(sort.into_document(), doc! { "due": 1, "total": -1 });
    /// # Ok(()) }
    /// ```
    pub fn then(mut self, next: impl IntoSort<M>) -> Self {
        self.document.extend(next.into_sort().document);
        self
    }

    /// Returns the sort document for the server.
    ///
    /// # Examples
    ///
    /// See [`Sort`](Self).
    pub fn into_document(self) -> Document {
        self.document
    }
}

impl<M: ?Sized> From<Document> for Sort<M> {
    fn from(document: Document) -> Self {
        Self {
            document,
            of: PhantomData,
        }
    }
}

/// A type that converts to a sort order for documents of type `M`: a [`Sort`] or a plain `Document`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sort order of `{M}`",
    label = "expected a sort order",
    note = "write `.asc()` or `.desc()` after the field: `{M}::fields().name.asc()`, and go on with `.then(..)`; a plain document is `doc! {{ \"name\": 1 }}`"
)]
pub trait IntoSort<M: ?Sized> {
    /// Converts the value to a sort order.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use mongo_odm::IntoSort;
    ///
    /// async fn first(odm: &Odm, sort: impl IntoSort<Book>) -> mongo_odm::Result<Option<Book>> {
    ///     Book::find_one(odm).sort(sort.into_sort().then(Book::fields().id.asc())).await
    /// }
    /// let cheapest = first(&odm, Book::fields().sold.asc()).await?;
    /// # Ok(()) }
    /// ```
    fn into_sort(self) -> Sort<M>;
}

#[diagnostic::do_not_recommend]
impl<M: ?Sized> IntoSort<M> for Sort<M> {
    fn into_sort(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<M: ?Sized> IntoSort<M> for Document {
    fn into_sort(self) -> Sort<M> {
        Sort::from(self)
    }
}

impl<M, P: Path, O: HasFields + 'static, T, const I: usize, C, R> Field<M, P, O, T, I, C, R> {
    /// Sorts by this field, from the smallest value to the largest.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let sort = Order::fields().due.asc();
    /// assert_eq!(sort.into_document(), doc! { "due": 1 });
    /// # Ok(()) }
    /// ```
    pub fn asc(self) -> Sort<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.order(1)
    }

    /// Sorts by this field, from the largest value to the smallest.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let sort = Order::fields().total.desc();
    /// assert_eq!(sort.into_document(), doc! { "total": -1 });
    /// # Ok(()) }
    /// ```
    pub fn desc(self) -> Sort<M>
    where
        P: Queried,
        R: InDocuments<M>,
    {
        self.order(-1)
    }

    fn order(self, direction: i32) -> Sort<M> {
        let mut document = Document::new();
        document.insert(self.path(), direction);
        Sort::from(document)
    }
}
