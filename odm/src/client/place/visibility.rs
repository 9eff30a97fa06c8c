//! Restricts statements to the live or the deleted documents of a model with `#[deleted_at]`.

use mongodb::bson::{Bson, Document, doc};

use super::Place;
use crate::model::shape::ModelShape;

/// The documents to which a statement applies if the model keeps deleted documents. Other models have only live documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// The documents that are not deleted.
    #[default]
    Live,
    /// The documents that are deleted but not purged.
    Deleted,
    /// All stored documents.
    All,
}

impl Visibility {
    /// Returns the condition on the documents of a model. The condition is empty if the statement applies to all documents.
    pub(crate) fn condition(self, model: &ModelShape) -> Document {
        let mut fields = model.deletion_fields();
        match self {
            Self::All => Document::new(),
            Self::Live => fields.map(|field| (field.to_owned(), Bson::Null)).collect(),
            Self::Deleted => {
                let is_deleted = |field| doc! { field: { "$ne": null } };
                match (fields.next(), fields.next()) {
                    (None, _) => Document::new(),
                    (Some(field), None) => is_deleted(field),
                    (Some(first), Some(second)) => {
                        let all = [first, second].into_iter().chain(fields);
                        doc! { "$or": all.map(is_deleted).collect::<Vec<_>>() }
                    }
                }
            }
        }
    }
}

impl Visibility {
    /// Returns the collection that contains the documents.
    pub(crate) fn collection(self, model: &ModelShape) -> &'static str {
        match (self, model.archive_collection()) {
            (Self::Deleted, Some(archive)) => archive,
            (Self::Deleted | Self::Live | Self::All, _) => model.collection,
        }
    }
}

impl Place {
    /// Returns the place for a statement of the application: the documents of a model that are not deleted and belong to
    /// the tenant of the handle.
    pub(crate) fn live(model: &'static ModelShape) -> Self {
        Self::of(model)
            .seeing(Visibility::Live)
            .for_tenant_of_handle()
    }

    /// Sets whether the statement applies to live, deleted or all documents. The deleted documents of a model with
    /// `on_delete = "archive"` are in another collection. For such a model, all documents are those that are not deleted.
    pub(crate) fn seeing(mut self, visibility: Visibility) -> Self {
        if let Some(model) = self.model()
            && model.archive_collection().is_some()
        {
            self.collection = visibility.collection(model).into();
        }
        self.visibility = visibility;
        self
    }

    /// Whether the statement applies to live documents and to deleted ones.
    pub(crate) fn sees_live_and_deleted(&self) -> bool {
        let keeps = self
            .model()
            .is_some_and(|model| model.deletion_fields().next().is_some());
        keeps && self.visibility == Visibility::All
    }

    /// Whether the place is the archive of a model.
    pub(crate) fn sees_archive(&self) -> bool {
        let archive = self.model().and_then(ModelShape::archive_collection);
        archive.is_some_and(|archive| archive == self.name())
    }

    /// Restricts a filter to the live or the deleted documents.
    pub(super) fn scope_to_visible(&self, mut filter: Document) -> Document {
        let Some(model) = self.model() else {
            return filter;
        };
        let condition = self.visibility.condition(model);
        if condition
            .iter()
            .all(|(key, value)| filter.get(key) == Some(value))
        {
            filter
        } else if condition.keys().any(|key| filter.contains_key(key)) {
            doc! { "$and": [filter, condition] }
        } else {
            filter.extend(condition);
            filter
        }
    }
}

/// Generates the setters that choose which documents a read returns.
///
/// The builder must have a method `see` that stores the choice.
// The compiler's messages quote the lines of a signature, so each signature is on one line.
#[rustfmt::skip]
macro_rules! visibility_setters {
    ($model:ident) => {
        /// Includes deleted documents that have not been purged. See the example at
        /// [`Documents::restore`](crate::Documents::restore).
        pub fn with_deleted(mut self) -> Self where $model: $crate::model::DeletedInPlace {
            self.see($crate::client::place::Visibility::All);
            self
        }

        /// Includes only deleted documents that have not been purged. For a model with `on_delete = "archive"`, this call
        /// reads the collection of the archive. See the example at
        /// [`Documents::restore`](crate::Documents::restore).
        pub fn only_deleted(mut self) -> Self where $model: $crate::model::SoftDelete {
            self.see($crate::client::place::Visibility::Deleted);
            self
        }
    };
}
pub(crate) use visibility_setters;
