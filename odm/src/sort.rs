//! Typed sorts: pure documents.

use std::marker::PhantomData;

use mongodb::bson::Document;

use crate::{
    described::{HasFields, Path},
    field::Field,
};

/// A sort order of documents of type `M`; a plain `Document` turns into one with `into()`.
#[derive(Clone, Debug)]
#[must_use = "a sort does nothing until a query uses it"]
pub struct Sort<M: ?Sized> {
    document: Document,
    of: PhantomData<fn() -> M>,
}

impl<M: ?Sized> Sort<M> {
    /// Orders documents that are equal so far by another sort.
    pub fn then(mut self, next: impl Into<Self>) -> Self {
        self.document.extend(next.into().document);
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

impl<M, P: Path, O: HasFields + 'static, T, const I: usize, C> Field<M, P, O, T, I, C> {
    /// Orders by this field, smallest first.
    pub fn asc(self) -> Sort<M> {
        self.order(1)
    }

    /// Orders by this field, largest first.
    pub fn desc(self) -> Sort<M> {
        self.order(-1)
    }

    fn order(self, direction: i32) -> Sort<M> {
        let mut document = Document::new();
        document.insert(self.path(), direction);
        Sort::from(document)
    }
}
