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
        // In documents of other kinds, a field with this name is an ordinary field. So the condition also contains the
        // kinds.
        let fields: Vec<(&str, Option<Document>)> = model
            .deletion_fields()
            .map(|field| (field, model.kinds_with_deletion(field)))
            .collect();
        let is_of_all_kinds = fields.iter().all(|(_, kinds)| kinds.is_none());
        let deleted = fields.iter().map(|(field, kinds)| {
            let mut is_deleted = kinds.clone().unwrap_or_default();
            is_deleted.insert(*field, doc! { "$ne": null });
            is_deleted
        });
        let mut deleted: Vec<Document> = deleted.collect();
        match self {
            Self::Live if is_of_all_kinds => {
                let live = fields.into_iter();
                live.map(|(field, _)| (field.to_owned(), Bson::Null))
                    .collect()
            }
            Self::Live => doc! { "$nor": deleted },
            Self::Deleted if deleted.len() > 1 => doc! { "$or": deleted },
            Self::Deleted => deleted.pop().unwrap_or_default(),
            Self::All => Document::new(),
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
    /// `on_delete = "archive"` are in another collection. For such a model, `All` selects the documents that are not
    /// deleted.
    pub(crate) fn seeing(mut self, visibility: Visibility) -> Self {
        if let Some(model) = self.model()
            && model.archive_collection().is_some()
        {
            self.collection = visibility.collection(model).into();
        }
        self.visibility = visibility;
        self
    }

    /// Whether the collection can contain documents of the model that the statement skips, because they are deleted or
    /// because they are live.
    pub(crate) fn hides_documents(&self) -> bool {
        !self.scope_to_visible(Document::new()).is_empty()
    }

    /// Whether the statement applies to both live and deleted documents.
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
/// The field after `in` must have a method `see` that stores the choice.
// The compiler's messages quote the lines of a signature, so each signature is on one line.
#[rustfmt::skip]
macro_rules! visibility_setters {
    ($model:ident in $($field:ident).+) => {
        /// Includes deleted documents that have not been purged.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::{model::{DeletedInPlace, SoftDelete}, prelude::*};
        /// async fn all<M: Model + DeletedInPlace>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     M::find(odm).with_deleted().await
        /// }
        /// ```
        pub fn with_deleted(mut self) -> Self where $model: $crate::model::DeletedInPlace {
            self.$($field).+.see($crate::client::place::Visibility::All);
            self
        }

        /// Includes only deleted documents that have not been purged. For a model with `on_delete = "archive"`, this call
        /// reads the collection of the archive.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::{model::{DeletedInPlace, SoftDelete}, prelude::*};
        /// async fn bin<M: Model + SoftDelete>(odm: &Odm) -> mongo_odm::Result<Vec<M>> {
        ///     M::find(odm).only_deleted().await
        /// }
        /// ```
        pub fn only_deleted(mut self) -> Self where $model: $crate::model::SoftDelete {
            self.$($field).+.see($crate::client::place::Visibility::Deleted);
            self
        }
    };
}
pub(crate) use visibility_setters;
