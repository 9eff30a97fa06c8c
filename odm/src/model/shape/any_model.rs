//! The model at one end of an extended reference. The model can belong to another program.

use std::sync::Arc;

use mongodb::bson::Document;

use super::{DocumentSet, KindShape, ModelShape};

/// A model of this program, or documents that only other programs describe.
///
/// Declarations of other programs can change while this program runs. So a foreign model owns its data, which is freed
/// with the last clone.
#[derive(Clone, Debug)]
pub(crate) enum AnyModel {
    Linked(&'static ModelShape),
    Foreign(Arc<ForeignModel>),
}

/// Documents that only other programs describe. The collection and kind of these documents are known from declarations.
#[derive(Debug)]
pub(crate) struct ForeignModel {
    collection: String,
    kind: Option<(String, String)>,
}

impl AnyModel {
    /// Returns the documents that the declarations of other programs refer to by this name, such as
    /// `school[doc_type=class]`.
    pub(crate) fn foreign(name: &str) -> Self {
        let documents = DocumentSet::named(name);
        let kind = documents.kind();
        Self::Foreign(Arc::new(ForeignModel {
            collection: documents.collection.to_owned(),
            kind: kind.map(|(field, value)| (field.to_owned(), value.to_owned())),
        }))
    }

    /// Returns this program's model. For a foreign model, the result is a placeholder without fields, for use in
    /// messages.
    pub(crate) const fn shape(&self) -> &'static ModelShape {
        static OTHER: ModelShape = ModelShape::new("a model of another program", "", &[]);
        match self {
            Self::Linked(model) => model,
            Self::Foreign(_) => &OTHER,
        }
    }

    /// Returns the model's name, for messages.
    pub(crate) const fn name(&self) -> &'static str {
        self.shape().name
    }

    /// Returns the model, if it belongs to this program.
    pub(crate) const fn linked(&self) -> Option<&'static ModelShape> {
        match self {
            Self::Linked(model) => Some(model),
            Self::Foreign(_) => None,
        }
    }

    pub(crate) fn collection(&self) -> &str {
        match self {
            Self::Linked(model) => model.collection,
            Self::Foreign(model) => &model.collection,
        }
    }

    /// Returns the kind of the documents, if the model describes only one kind in its collection.
    pub(crate) fn kind(&self) -> Option<KindShape<'_>> {
        match self {
            Self::Linked(model) => model.kind,
            // A declaration does not show whether the kind is the default kind. Documents without a kind are therefore
            // included: an unnecessary job is harmless, but a missing job is not.
            Self::Foreign(model) => {
                let kind = model.kind.as_ref();
                kind.map(|(field, value)| KindShape::new(field, value).or_missing())
            }
        }
    }

    pub(crate) fn documents(&self) -> DocumentSet<'_> {
        DocumentSet {
            collection: self.collection(),
            kind: self.kind().map(|kind| (kind.field, kind.value)),
        }
    }

    /// Returns whether a document can belong to both models at once.
    pub(crate) fn overlaps<'m>(&self, other: impl Into<DocumentSet<'m>>) -> bool {
        self.documents().overlaps(other)
    }

    /// Returns whether a document can belong to the model. The document may contain only some of the stored fields.
    pub(crate) fn may_contain(&self, document: &Document) -> bool {
        self.kind().is_none_or(|kind| kind.may_contain(document))
    }
}

impl From<&'static ModelShape> for AnyModel {
    fn from(model: &'static ModelShape) -> Self {
        Self::Linked(model)
    }
}

impl<'m> From<&'m AnyModel> for DocumentSet<'m> {
    fn from(model: &'m AnyModel) -> Self {
        model.documents()
    }
}

impl From<&ModelShape> for DocumentSet<'static> {
    fn from(model: &ModelShape) -> Self {
        model.documents()
    }
}
