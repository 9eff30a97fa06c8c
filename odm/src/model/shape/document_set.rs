//! The set of documents that belong to a model: a whole collection, or one kind in it.
//!
//! Code that compares the declarations of two models uses `DocumentSet`s instead of collections.
//!
//! - A set is written as the name of the collection, followed by the kind if there is one: `school[doc_type=class]`.
//!   The relations in jobs and declarations contain this text, so two kinds that copy from the same source through the
//!   same path have separate jobs.
//! - If a source has a kind, the field that contains the kind is one of the paths that its copies depend on
//!   (`source_paths`). If another writer changes the kind of a document, the source no longer exists
//!   (`ModelShape::may_contain`).
//! - The watcher reads whole collections and selects relations by the kind. If another program deletes a document and
//!   there is no pre-image, the watcher enqueues jobs for all kinds, and each job reads its source itself.
//! - Indexes and `$out` affect the whole collection (`DocumentSet::whole_collection`).

use std::fmt;

use mongodb::bson::{Bson, Document};

use super::{KindShape, ModelShape};

/// The documents of a collection, or of one kind in it.
///
/// All code that checks whether a document belongs to a model uses methods of this type, so that no code mistakes one
/// kind for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DocumentSet<'n> {
    pub(crate) collection: &'n str,
    /// The field that contains the kind, and its value.
    pub(super) kind: Option<(&'n str, &'n str)>,
}

impl<'n> DocumentSet<'n> {
    /// Returns the set of all documents in a collection, of any kind.
    pub(crate) const fn whole_collection(collection: &'n str) -> Self {
        Self {
            collection,
            kind: None,
        }
    }

    /// Returns whether the set can contain documents of a model.
    pub(crate) fn overlaps<'m>(self, model: impl Into<DocumentSet<'m>>) -> bool {
        let other: DocumentSet<'m> = model.into();
        let same_kind = self.kind.is_none() || other.kind.is_none() || self.kind == other.kind;
        self.collection == other.collection && same_kind
    }

    /// Parses the string that [`Display`](fmt::Display) writes.
    pub(crate) fn named(name: &'n str) -> Self {
        let of_kind = name.strip_suffix(']').and_then(|it| it.split_once('['));
        let of_kind =
            of_kind.and_then(|(collection, kind)| Some((collection, kind.split_once('=')?)));
        let (collection, kind) = of_kind.map_or((name, None), |(name, kind)| (name, Some(kind)));
        Self { collection, kind }
    }

    pub(crate) const fn kind(self) -> Option<(&'n str, &'n str)> {
        self.kind
    }
}

impl ModelShape {
    /// Returns the set of documents that belong to the model.
    pub(crate) fn documents(&self) -> DocumentSet<'static> {
        DocumentSet {
            collection: self.collection,
            kind: self.kind.map(|kind| (kind.field, kind.value)),
        }
    }

    /// Returns whether a document can belong to the model. The document may contain only some of the stored fields.
    pub(crate) fn may_contain(&self, document: &Document) -> bool {
        self.kind.is_none_or(|kind| kind.may_contain(document))
    }

    /// Returns whether a document can belong to both models at once.
    pub(crate) fn overlaps<'m>(&self, other: impl Into<DocumentSet<'m>>) -> bool {
        self.documents().overlaps(other)
    }
}

impl KindShape<'_> {
    /// Returns whether a document is of this kind. `stored` is the kind field of the document.
    pub(crate) fn is_kind_of(&self, stored: Option<&Bson>) -> bool {
        match stored {
            None | Some(Bson::Null) => self.is_default,
            Some(stored) => stored.as_str() == Some(self.value),
        }
    }

    /// Returns whether a document can be of this kind. The document may contain only some of the stored fields.
    pub(super) fn may_contain(&self, document: &Document) -> bool {
        let stored = document.get(self.field);
        stored.is_none() || self.is_kind_of(stored)
    }
}

impl fmt::Display for DocumentSet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            None => f.write_str(self.collection),
            Some((field, value)) => write!(f, "{}[{field}={value}]", self.collection),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static CLASS: ModelShape =
        ModelShape::new("Class", "school", &[]).kind(KindShape::new("doc_type", "class"));
    static STUDENT: ModelShape =
        ModelShape::new("Student", "school", &[]).kind(KindShape::new("doc_type", "student"));

    #[test]
    fn two_kinds_of_a_collection_have_no_document_in_common() {
        assert!(CLASS.overlaps(&CLASS) && !CLASS.overlaps(&STUDENT));
        let whole = DocumentSet::whole_collection("school");
        assert!(whole.overlaps(&CLASS) && whole.overlaps(&STUDENT));
        assert!(!DocumentSet::whole_collection("other").overlaps(&CLASS));
    }

    #[test]
    fn a_name_tells_the_collection_and_the_kind() {
        for (documents, name) in [
            (CLASS.documents(), "school[doc_type=class]"),
            (DocumentSet::whole_collection("school"), "school"),
        ] {
            assert_eq!(documents.to_string(), name);
            assert_eq!(DocumentSet::named(name), documents);
        }
    }
}
