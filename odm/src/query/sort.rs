//! Typed sorts: pure documents.

use std::marker::PhantomData;

use mongodb::bson::Document;

use super::field::Field;
use crate::model::derive_traits::{HasFields, Path, Queried};

/// A sort order of documents of type `M`; a plain `Document` turns into one with `into()`.
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
    /// Orders documents that are equal so far by another sort.
    pub fn then(mut self, next: impl IntoSort<M>) -> Self {
        self.document.extend(next.into_sort().document);
        self
    }

    /// Returns the document that is sent.
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

/// What a sort order of documents of type `M` is made of: a [`Sort`] or a plain `Document`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sort order of `{M}`",
    label = "expected a sort order",
    note = "write `.asc()` or `.desc()` after the field: `{M}::fields().name.asc()`, and go on with `.then(..)`; a plain document is `doc! {{ \"name\": 1 }}`"
)]
pub trait IntoSort<M: ?Sized> {
    /// Returns the sort order.
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
    /// Orders by this field, smallest first.
    pub fn asc(self) -> Sort<M>
    where
        P: Queried,
    {
        self.order(1)
    }

    /// Orders by this field, largest first.
    pub fn desc(self) -> Sort<M>
    where
        P: Queried,
    {
        self.order(-1)
    }

    fn order(self, direction: i32) -> Sort<M> {
        let mut document = Document::new();
        document.insert(self.path(), direction);
        Sort::from(document)
    }
}
