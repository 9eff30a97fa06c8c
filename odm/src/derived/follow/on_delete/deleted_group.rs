//! The documents of one model that a delete removes, marks or moves.

use mongodb::bson::{Bson, Document, doc};

use super::owner::in_statements;
use crate::{
    client::{
        command::DeleteCommand,
        odm::Exec,
        place::{Place, Visibility},
    },
    derived::{
        follow::deleted_document::ids_of,
        values::{Image, Images, key_condition},
    },
    error::Result,
    graph::graph,
    model::shape::{DELETE_ID, ModelShape, RESTORING},
    value::path::projection,
};

/// Documents of one model to delete.
#[derive(Debug)]
pub(super) struct Gone {
    pub(super) model: &'static ModelShape,
    pub(super) images: Images,
    pub(super) documents: Vec<Image>,
    /// Whether the documents are in the archive.
    pub(super) is_archived: bool,
    /// Number of documents that the query of the delete has found. They precede the documents that rules have added.
    pub(super) asked: usize,
    /// Number of these documents whose dependent documents `descend` has already collected.
    pub(super) followed: usize,
    /// The comment that your code set on the delete. The comment is sent only with the delete of the documents that the
    /// query found.
    pub(super) comment: Option<Bson>,
}

impl Gone {
    pub(super) async fn empty(
        model: &'static ModelShape,
        is_archived: bool,
        exec: &Exec,
    ) -> Result<Self> {
        let of = model.documents();
        Ok(Self {
            model,
            images: Images::of(of).with_followers(exec.foreign(of).await?),
            documents: Vec::new(),
            is_archived,
            asked: 0,
            followed: 0,
            comment: None,
        })
    }

    /// Removes the documents from their collection. Returns their number.
    pub(super) async fn remove(&self, exec: &Exec) -> Result<u64> {
        let mut removed = 0;
        for ids in in_statements(&ids_of(&self.documents), exec) {
            let by_ids = doc! { "_id": key_condition(&ids) };
            let mut delete = DeleteCommand::many(self.place(), by_ids);
            delete.options.comment.clone_from(&self.comment);
            removed += exec.send(delete).await?;
        }
        Ok(removed)
    }

    /// Returns the place that contains the documents.
    pub(super) fn place(&self) -> Place {
        Place::of(self.model).seeing(self.visibility())
    }

    /// Returns the collection that contains the documents.
    pub(super) fn collection(&self) -> &'static str {
        self.visibility().collection(self.model)
    }

    const fn visibility(&self) -> Visibility {
        if self.is_archived {
            Visibility::Deleted
        } else {
            Visibility::All
        }
    }

    /// Returns a projection that contains the fields of the document that are copied, and the keys to which other
    /// documents refer. `path` is an additional path.
    pub(super) fn projection_with(&self, path: Option<&str>) -> Document {
        let copied = self.images.references.iter();
        let copied = copied.flat_map(|reference| reference.source_paths());
        let rules = graph().rules(self.model.documents());
        let keys = rules.map(|rule| rule.target.path.as_str());
        let marks = [DELETE_ID, RESTORING].into_iter();
        let marks = marks.filter(|_| self.model.keeps_deleted());
        projection(copied.chain(keys).chain(marks).chain(path))
    }
}
