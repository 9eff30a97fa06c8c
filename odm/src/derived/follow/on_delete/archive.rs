//! Moves documents to the archive of their model (`on_delete = "archive"`), and back.
//!
//! Nothing depends on an archived document. So for all derived data, a move to the archive is a delete, and a restore
//! is an insert:
//!
//! 1. [`store`] reads the documents, adds the id and the time of the delete, and inserts them into the archive. It then
//!    deletes the documents from their collection. For each `_id`, the archive contains only the most recently deleted
//!    document, whatever its kind.
//! 2. [`Restored::take_out`] reads archived documents, fills in their copies and summaries from the current sources,
//!    and inserts them into their collection. It then removes the documents from the archive. Snapshots keep their
//!    values.
//! 3. [`Restored::finish`] checks references with `exists` after all documents have been inserted, because the
//!    documents can refer to each other.
//!
//! All statements are part of one transaction, so a concurrent write of a moved document conflicts with the move.

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::{deleted_group::Gone, earlier_deletes::Part};
use crate::{
    client::{
        command::{DeleteCommand, FindCommand, Rows},
        odm::Exec,
        place::{Place, Visibility},
    },
    derived::{
        follow::{
            copy_options::FanOut,
            deleted_document::ids_of,
            effects::Effects,
            exists_check::{ExistsCheck, ReferredKeys},
            follow_result::Follow,
            new_source::follow_new_sources,
            outcome::Outcome,
        },
        values::key_condition,
    },
    error::{Error, Result},
    model::shape::{DELETE_ID, DELETED_AT, ModelShape},
    query::maintained::Stamp,
};

/// Number of documents that one statement reads or inserts.
const AT_ONCE: usize = 500;

/// Moves documents to the archive. Returns their number.
pub(super) async fn store(gone: &Gone, id: &Bson, at: DateTime, exec: &Exec) -> Result<u64> {
    let archive = Place::of(gone.model).seeing(Visibility::Deleted);
    // The `_id` is unique in the whole archive, so the older document with the same `_id` might be of a different kind.
    let all =
        Place::whole_collection(Visibility::Deleted.collection(gone.model)).for_model(gone.model);
    for ids in ids_of(&gone.documents).chunks(AT_ONCE) {
        let mut documents = read(gone, ids, exec).await?;
        for document in &mut documents {
            document.insert(DELETE_ID, id.clone());
            document.insert(DELETED_AT, at);
        }
        let older = same_documents(gone.model, &documents);
        exec.send(DeleteCommand::many(all.clone(), older)).await?;
        let rows = Rows::of_documents(&documents)?;
        let stored = exec.insert_all(archive.clone(), rows).await;
        stored.map_err(of_other_tenant)?;
    }
    gone.remove(exec).await
}

/// Documents that were taken out of the archive, and the work that remains for them.
#[derive(Default)]
pub(super) struct Restored {
    outcome: Outcome<()>,
    /// The references with `exists` in the documents.
    existing: Vec<(ExistsCheck, ReferredKeys)>,
}

impl Restored {
    /// Moves archived documents back to their collection. Returns their number.
    pub(super) async fn take_out(
        &mut self,
        gone: &Gone,
        parts: &[Part],
        how: Follow,
        exec: &Exec,
    ) -> Result<u64> {
        let effects = Effects::of_write(gone.model, &FanOut::default(), exec).await?;
        let stamp = if gone.asked > 0 {
            Stamp::of_change(gone.model, exec)?
        } else {
            Stamp::of_delete_rule(gone.model, exec)?
        };
        for part in parts {
            for ids in part.documents.chunks(AT_ONCE) {
                let mut documents = read(gone, ids, exec).await?;
                for document in &mut documents {
                    document.remove(DELETED_AT);
                    part.set_in(document);
                    if let Some(stamp) = &stamp {
                        stamp.restored(document);
                    }
                }
                let rows = Rows::of_documents(&documents)?;
                self.insert(&effects, rows, how, exec).await?;
            }
        }
        gone.remove(exec).await
    }

    /// Inserts documents, and updates the data that depends on them.
    async fn insert(
        &mut self,
        effects: &Effects,
        mut rows: Rows,
        how: Follow,
        exec: &Exec,
    ) -> Result<()> {
        let filled = effects.inbound.fill(&mut rows, false, exec).await?;
        self.outcome.written.extend(filled);
        exec.insert_all(effects.place(), rows.clone()).await?;
        let referred = effects.existing.held(rows.iter().map(|raw| &**raw));
        self.existing.push((effects.existing.clone(), referred));
        let images = effects.images.take_all(&rows)?;
        let (followed, new) = follow_new_sources(effects, &images, &[], how, exec).await?;
        self.outcome.followed.extend(followed);
        self.outcome.new_sources.extend(new);
        Ok(())
    }

    /// Rejects the restore if the target of a reference with `exists` is missing. Otherwise adds the remaining work.
    ///
    /// # Errors
    ///
    /// [`Error::NoTarget`](crate::Error::NoTarget) if such a target is missing. Also returns server errors.
    pub(super) async fn finish(self, done: &mut Outcome<u64>, exec: &Exec) -> Result<()> {
        for (existing, referred) in &self.existing {
            let none = ReferredKeys::default();
            existing.require(&none, referred, exec).await?;
        }
        done.add(self.outcome);
        Ok(())
    }
}

async fn read(gone: &Gone, ids: &[Bson], exec: &Exec) -> Result<Vec<Document>> {
    let by_ids = doc! { "_id": key_condition(ids) };
    exec.documents(FindCommand::new(gone.place(), by_ids).all())
        .await
}

/// Marks the error for a duplicate `_id` in the archive as a conflict with another tenant's document. All other
/// archived documents with the same `_id` have already been removed.
fn of_other_tenant(mut error: Error) -> Error {
    if let Error::DuplicateKey {
        index,
        other_tenant,
        ..
    } = &mut error
    {
        *other_tenant = index == "_id_";
    }
    error
}

/// Returns a filter for archived documents that have the same `_id` and the same tenant as one of the given documents.
/// An archived document of another tenant can have the same `_id`, and must not be replaced.
fn same_documents(model: &ModelShape, documents: &[Document]) -> Document {
    let Some(field) = model.tenant() else {
        return doc! { "_id": key_condition(&ids_of(documents)) };
    };
    let mut tenants: Vec<(Option<&Bson>, Vec<Document>)> = Vec::new();
    for document in documents {
        let (tenant, document) = (document.get(field), document.clone());
        match tenants.iter_mut().find(|(known, _)| *known == tenant) {
            Some((_, documents)) => documents.push(document),
            None => tenants.push((tenant, vec![document])),
        }
    }
    let of_tenants = tenants.into_iter().map(|(tenant, documents)| {
        doc! { field: tenant.cloned(), "_id": key_condition(&ids_of(&documents)) }
    });
    doc! { "$or": of_tenants.collect::<Vec<_>>() }
}
