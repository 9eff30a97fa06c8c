//! Finds the dependent documents of a restored document, even if earlier restores of this document were not finished.
//!
//! A restore finds the dependent documents by the id of the delete, which the restored document contains. If a restore
//! leaves some of these documents to jobs, the restored document can be deleted again before the jobs run. The second
//! delete has a different id and marks only live documents, so the next restore has to find the documents of both
//! deletes:
//!
//! 1. A restore that leaves dependent documents to jobs adds the id of the delete to the field [`RESTORING`] of the
//!    restored document.
//! 2. A delete does not change this field. So a restore and its jobs apply to the dependent documents of the latest
//!    delete and of these earlier deletes (`deletion`).
//! 3. A restore that leaves nothing to jobs removes the field. A restore that leaves documents to jobs keeps the
//!    earlier ids only if documents of these deletes are still deleted. So the field stays small.

use mongodb::bson::{Bson, Document, doc};

use super::{
    cascade::{Cascade, affected},
    deleted_group::Gone,
    deletion::{Deletion, earlier_deletes},
    owner::in_statements,
};
use crate::{
    client::odm::Exec,
    derived::{follow::source_change::keys_of_rule, values::Image},
    error::Result,
    graph::{StoredReference, graph},
    model::shape::{DELETE_ID, RESTORING},
    value::key::JoinKey,
};

/// The ids of documents that get the same value in the field [`RESTORING`].
pub(super) struct Part {
    pub(super) documents: Vec<Bson>,
    /// The new value. It is empty if the restore leaves nothing to jobs.
    ids: Vec<Bson>,
    /// Whether the update has to remove the field from some of the documents if the new value is empty.
    is_stored: bool,
}

impl Part {
    /// Adds the new value of the field to the update that restores the documents.
    pub(super) fn add_to(&self, update: &mut Document) {
        if !self.ids.is_empty() {
            if let Ok(set) = update.get_document_mut("$set") {
                set.insert(RESTORING, self.ids.clone());
            }
        } else if self.is_stored {
            update.insert("$unset", doc! { RESTORING: "" });
        }
    }

    /// Sets the new value of the field in a document that is taken out of the archive.
    pub(super) fn set_in(&self, document: &mut Document) {
        if self.ids.is_empty() {
            document.remove(RESTORING);
        } else {
            document.insert(RESTORING, self.ids.clone());
        }
    }
}

/// Splits each group of documents in the cascade into parts. The write calls this function before its first statement
/// that changes documents.
pub(super) async fn all_parts(cascade: &Cascade, exec: &Exec) -> Result<Vec<Vec<Part>>> {
    let mut all = Vec::new();
    for gone in &cascade.gone {
        all.push(parts(cascade, gone, exec).await?);
    }
    Ok(all)
}

/// Splits documents into parts by their new value in the field [`RESTORING`]. Unless the cascade is a restore, the only
/// part contains all documents and does not change the field.
async fn parts(cascade: &Cascade, gone: &Gone, exec: &Exec) -> Result<Vec<Part>> {
    let mut all: Vec<Part> = Vec::new();
    let is_restore = matches!(cascade.deletion, Deletion::Restore { .. });
    let left = if is_restore {
        cascade.left_rules(gone)
    } else {
        Vec::new()
    };
    let keeps_earlier = !left.is_empty() && is_unfinished(&left, gone, exec).await?;
    for document in &gone.documents {
        let mut ids = Vec::new();
        if !left.is_empty() {
            ids.extend(document.get(DELETE_ID).cloned());
            ids.extend(earlier_deletes(document).filter(|_| keeps_earlier).cloned());
        }
        let is_stored = is_restore && document.contains_key(RESTORING);
        let own = document.get("_id").cloned();
        match all.iter_mut().find(|part| part.ids == ids) {
            Some(part) => {
                part.documents.extend(own);
                part.is_stored |= is_stored;
            }
            None => all.push(Part {
                documents: own.into_iter().collect(),
                ids,
                is_stored,
            }),
        }
    }
    Ok(all)
}

/// Whether a document to which one of the rules applies is still marked or archived by an earlier delete.
async fn is_unfinished(
    rules: &[&'static StoredReference],
    gone: &Gone,
    exec: &Exec,
) -> Result<bool> {
    let is_marked = |document: &&Image| document.contains_key(RESTORING);
    let documents: Vec<Image> = gone.documents.iter().filter(is_marked).cloned().collect();
    let ids: Vec<Bson> = documents
        .iter()
        .flat_map(earlier_deletes)
        .cloned()
        .collect();
    for rule in rules {
        let deletion = Deletion::Restore { ids: ids.clone() };
        let keys = keys_of_rule(rule, &documents);
        let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        for keys in in_statements(&keys, exec) {
            let find = affected(&deletion, rule, &keys, deletion.visibility());
            let find = find.select(doc! { "_id": 1 }).first();
            if !exec.documents(find).await?.is_empty() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

impl Cascade {
    /// Lists the rules whose dependent documents the cascade leaves to jobs, at least for one of the given documents.
    fn left_rules(&self, gone: &Gone) -> Vec<&'static StoredReference> {
        let rules = graph().acting_rules(gone.model.documents());
        let rules = rules.filter(|rule| self.deletion.applies(rule));
        let is_left = |rule: &&StoredReference| {
            let mut left = self.left.iter();
            !self.is_complete || left.any(|(left, _)| left.relation == rule.relation)
        };
        rules.filter(is_left).collect()
    }
}
