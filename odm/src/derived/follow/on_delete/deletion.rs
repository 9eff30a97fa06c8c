//! The effect of a delete or a restore on its documents.

use std::borrow::Cow;

use mongodb::bson::{Bson, DateTime, Document, doc, oid::ObjectId};

use super::owner::{in_statements, keys_without_document};
use crate::{
    client::{
        command::{FindCommand, simple},
        odm::Exec,
        place::{Place, Visibility},
    },
    derived::{follow::deleted_document::DeletedDocuments, values::Image},
    error::Result,
    graph::StoredReference,
    model::shape::{DELETE_ID, DELETED_AT, ModelShape, OnDelete, RESTORING},
    query::maintained::Stamp,
    value::{
        key::{JoinKey, any_of},
        path::{each_value, projection},
    },
};

/// The effect of a delete or a restore on its documents.
#[derive(Clone, Debug)]
pub(crate) enum Deletion {
    /// Removes the documents from the database.
    Purge,
    /// Marks the documents as deleted. Later, a restore finds the documents of one delete by the id of the delete.
    Mark { id: Bson, at: DateTime },
    /// Moves the documents to the archive. Documents of models without an archive are removed, as by a purge. Later, a
    /// restore finds the documents of one delete by the id of the delete.
    Archive { id: Bson, at: DateTime },
    /// Restores the documents. A dependent document is restored only if one of the given deletes has marked or archived
    /// it.
    Restore { ids: Vec<Bson> },
}

impl Deletion {
    /// Returns the effect of a delete that your code requests. Documents of a model with `#[deleted_at]` are marked,
    /// documents of a model with an archive are moved, and other documents are removed.
    pub(crate) fn of(model: &ModelShape, exec: &Exec) -> Self {
        let (id, at) = (ObjectId::new().into(), exec.now());
        match (model.deleted_at(), model.archive) {
            (Some(_), _) => Self::Mark { id, at },
            (None, Some(_)) => Self::Archive { id, at },
            (None, None) => Self::Purge,
        }
    }

    /// Returns which of the model's documents the delete applies to.
    pub(crate) const fn visibility(&self) -> Visibility {
        match self {
            Self::Purge | Self::Archive { .. } => Visibility::All,
            Self::Mark { .. } => Visibility::Live,
            Self::Restore { .. } => Visibility::Deleted,
        }
    }

    /// Returns the place for the documents to which the delete applies.
    pub(crate) fn place(&self, model: &'static ModelShape) -> Place {
        Place::of(model).seeing(self.visibility())
    }

    /// Lists the visibilities of the documents to which a rule applies. If a purge also removes archived documents,
    /// their visibility is listed separately, because they are in a different collection.
    pub(super) fn visibilities(
        &self,
        rule: &StoredReference,
    ) -> impl Iterator<Item = Visibility> + use<> {
        let is_removed = matches!((self, rule.on_delete), (Self::Purge, OnDelete::Cascade));
        let archive = rule.model.archive_collection().filter(|_| is_removed);
        let archived = archive.map(|_| Visibility::Deleted);
        [self.visibility()].into_iter().chain(archived)
    }

    /// Returns the condition that a document must meet so that a delete rule adds it to the delete.
    pub(super) fn condition(&self) -> Document {
        match self {
            Self::Purge => Document::new(),
            // A child that this delete has already marked is skipped, because your code may have restored it since.
            Self::Mark { id, .. } | Self::Archive { id, .. } => {
                doc! { DELETE_ID: { "$ne": id.clone() } }
            }
            Self::Restore { ids } => doc! { DELETE_ID: { "$in": ids.clone() } },
        }
    }

    /// Whether the delete applies a rule. A restore cannot add a reference again that `nullify` or `pull` has removed,
    /// so references to a marked document are kept until it is purged. A reference to an archived document would be
    /// dangling, so a delete that archives applies all rules.
    pub(super) const fn applies(&self, rule: &StoredReference) -> bool {
        match self {
            Self::Purge | Self::Archive { .. } => true,
            Self::Mark { .. } | Self::Restore { .. } => {
                matches!(rule.on_delete, OnDelete::Cascade)
            }
        }
    }

    /// Whether references with `restrict` can forbid the delete.
    pub(crate) const fn can_be_restricted(&self) -> bool {
        !matches!(self, Self::Restore { .. })
    }

    /// Returns the update that marks or restores the documents, or `None` if they are removed from their collection.
    /// `is_asked` is true if the call's filter selected the documents, and false if a delete rule selected them.
    pub(crate) fn update(
        &self,
        model: &'static ModelShape,
        is_asked: bool,
        exec: &Exec,
    ) -> Result<Option<Document>> {
        let at = match self {
            Self::Purge | Self::Archive { .. } => return Ok(None),
            Self::Mark { at, .. } => Some(*at),
            Self::Restore { .. } => None,
        };
        let stamp = if is_asked {
            Stamp::of_change(model, exec)?
        } else {
            Stamp::of_delete_rule(model, exec)?
        };
        let mut update = stamp.map_or_else(Document::new, |stamp| stamp.deletion(at));
        if let (Self::Mark { id, .. }, Ok(set)) = (self, update.get_document_mut("$set")) {
            set.insert(DELETE_ID, id.clone());
        }
        Ok(Some(update))
    }

    /// Groups documents so that the delete or restore has the same effect on all documents that refer to one group.
    pub(super) fn on_dependents<'d>(
        &self,
        documents: &'d [Image],
    ) -> Vec<(Self, Cow<'d, [Image]>)> {
        let Self::Restore { .. } = self else {
            return vec![(self.clone(), documents.into())];
        };
        let mut all: Vec<(Vec<Bson>, Vec<Image>)> = Vec::new();
        for document in documents {
            let ids = deletes_of(document);
            match all.iter_mut().find(|(known, _)| *known == ids) {
                Some((_, documents)) => documents.push(document.clone()),
                None => all.push((ids, vec![document.clone()])),
            }
        }
        let of = |(ids, documents): (_, Vec<Image>)| (Self::Restore { ids }, documents.into());
        all.into_iter().map(of).collect()
    }
}

/// Lists the ids of the deletes that a restore of the given document also reverts in its dependent documents.
fn deletes_of(document: &Document) -> Vec<Bson> {
    let last = document.get(DELETE_ID).into_iter();
    last.chain(earlier_deletes(document)).cloned().collect()
}

/// Lists the ids of earlier deletes, if a restore after these deletes has left dependent documents to jobs.
pub(super) fn earlier_deletes(document: &Document) -> impl Iterator<Item = &Bson> {
    document.get_array(RESTORING).into_iter().flatten()
}

/// Determines the effect of a job on the owners of references to the given keys. The effect depends on the document
/// with the key. If that document no longer exists, the job removes the owners or only their references, as the rule
/// requires. If the document is deleted, the job marks or archives the owners. If the document was restored, the job
/// restores the owners.
pub(super) async fn deletions(
    rule: &StoredReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Vec<(Deletion, Vec<JoinKey>)>> {
    let none = DeletedDocuments::default();
    let target = rule.target.model;
    let place = Place::of(target);
    let mut gone = keys_without_document(rule, keys.to_vec(), &place, &none, exec).await?;
    let mut all = Vec::new();
    if target.keeps_deleted() && rule.on_delete == OnDelete::Cascade {
        let left = keys.iter().filter(|key| !gone.contains(key));
        let left = left.map(JoinKey::to_bson).collect();
        all = of_documents(rule, place.clone(), left, exec).await?;
        if target.archive_collection().is_some() {
            let archive = place.seeing(Visibility::Deleted);
            let wanted = gone.iter().map(JoinKey::to_bson).collect();
            let archived = of_documents(rule, archive, wanted, exec).await?;
            gone.retain(|key| !archived.iter().any(|(_, keys)| keys.contains(key)));
            all.extend(archived);
        }
    }
    if !gone.is_empty() {
        all.push((Deletion::Purge, gone));
    }
    Ok(all)
}

/// Reads the documents that have the given keys. Returns the effect of the job for each of these documents.
async fn of_documents(
    rule: &StoredReference,
    place: Place,
    keys: Vec<Bson>,
    exec: &Exec,
) -> Result<Vec<(Deletion, Vec<JoinKey>)>> {
    let (path, target) = (rule.target.path.as_str(), rule.target.model);
    let mut all: Vec<(Deletion, Vec<JoinKey>)> = Vec::new();
    for keys in in_statements(&keys, exec) {
        let known = doc! { DELETE_ID: { "$exists": true } };
        let fields = [path, DELETE_ID, RESTORING, DELETED_AT].into_iter();
        let fields = fields.chain(target.deletion_fields().map(|field| -> &str { field }));
        let find = FindCommand::new(place.clone(), any_of(path, keys)).and(known);
        let find = find.select(projection(fields));
        let find = find.collation((path != "_id").then(simple)).all();
        for document in exec.documents(find).await? {
            let Some(deletion) = of_document(target, &document) else {
                continue;
            };
            let mut keys = Vec::new();
            each_value(&document, path, &mut |key| {
                keys.push(JoinKey::from(key.clone()));
            });
            all.push((deletion, keys));
        }
    }
    Ok(all)
}

/// Returns the effect that a job has on the children of a document that was deleted or restored.
fn of_document(model: &ModelShape, document: &Document) -> Option<Deletion> {
    let id = document.get(DELETE_ID).cloned()?;
    let time = |field: &str| document.get(field).and_then(Bson::as_datetime).copied();
    if let Some(at) = model.deletion_fields().find_map(time) {
        return Some(Deletion::Mark { id, at });
    }
    Some(
        match model.archive_collection().and_then(|_| time(DELETED_AT)) {
            Some(at) => Deletion::Archive { id, at },
            None => Deletion::Restore {
                ids: deletes_of(document),
            },
        },
    )
}
