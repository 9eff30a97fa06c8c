//! Updates copies and arrays that already refer to a newly inserted document.
//!
//! Such copies and arrays exist if a reference was stored before its target, or if a deleted source is stored again
//! with its old id. Such copies and arrays also exist if the source itself contains the reference to the documents in
//! which the copies are stored.
//!
//! 1. [`follow_new_sources`] searches for such copies and arrays in the transaction of the insert.
//! 2. [`NewSources::recheck`] searches again after the commit. Two concurrent transactions do not see each other, but
//!    the search after the later commit finds the other transaction's documents.
//! 3. If a crash happens between these two steps, the last look of a job finds the copies and arrays. The writer of a
//!    copy without a source enqueued that job (`new_declaration::expect`).

use std::collections::HashSet;
use std::sync::Arc;

use mongodb::{
    bson::{Bson, doc},
    options::Collation,
};

use super::{
    effects::Effects,
    follow,
    follow_result::{Follow, Followed},
    source_change::Change,
    written_copy::WrittenCopies,
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, simple},
        odm::Exec,
        place::Place,
    },
    derived::{
        outbox::{JobId, record_keys},
        values::{Image, Images, keys_of, tied},
    },
    error::Result,
    graph::{ExtendedReference, KeyOwner, graph},
    model::shape::ModelShape,
    value::{
        key::{JoinKey, any_of},
        path::{each_value, join, projection},
    },
};

/// Largest number of keys in one `find`.
const KEYS_AT_ONCE: usize = 10_000;

/// Updates the copies and arrays that refer to new documents. Sends one `find` for each extended reference. Returns the
/// searches to repeat after the commit.
///
/// `corrected` contains the values that a correction read after the sources were stored. The list is empty if there was
/// no correction.
pub(crate) async fn follow_new_sources(
    effects: &Effects,
    images: &[Image],
    corrected: &[WrittenCopies],
    how: Follow,
    exec: &Exec,
) -> Result<(Followed, Vec<NewSources>)> {
    if effects.images.is_empty() {
        return Ok((Followed::default(), Vec::new()));
    }
    let mut changes = Vec::new();
    let mut mirrors = Vec::new();
    for reference in graph().mirrors_within(effects.model.documents()) {
        let mut mirror = MirrorSearch::by(reference, images);
        let keys = mirror.search(exec).await?;
        changes.extend((!keys.is_empty()).then(|| Change::of_keys(reference, keys)));
        mirror.note_elements(images);
        mirrors.push(mirror);
    }
    let mut references = Vec::new();
    let mut without_copies = Vec::new();
    for reference in &effects.images.references {
        let keys = keys_of_all(reference, images);
        if keys.is_empty() {
            continue;
        }
        // Most new sources do not have any copies yet. Without this search, each insert of a source would write a job.
        let can_have_copies = match reference.key_owner() {
            KeyOwner::Source => true,
            KeyOwner::Target => has_copies(reference, &keys, exec).await?,
        };
        if can_have_copies {
            references.push(Arc::clone(reference));
        } else {
            without_copies.push((Arc::clone(reference), keys));
        }
    }
    let found = Images { references };
    let of_image = |image| Change::of_source(effects.model.documents(), &found, None, Some(image));
    let of_images = images.iter().flat_map(of_image);
    changes.extend(of_images.map(|it| it.after_correction(corrected)));
    let followed = follow(changes, how, exec).await?;
    let without_copies = (!without_copies.is_empty() || !mirrors.is_empty()).then(|| NewSources {
        model: effects.model,
        ids: images
            .iter()
            .filter_map(|it| it.get("_id").cloned())
            .collect(),
        keys: without_copies,
        mirrors,
    });
    Ok((followed, without_copies.into_iter().collect()))
}

fn keys_of_all(reference: &ExtendedReference, images: &[Image]) -> Vec<JoinKey> {
    let keys = images.iter();
    keys.flat_map(|image| keys_of(reference, Some(image)))
        .collect()
}

/// Whether any documents contain copies for the given keys.
pub(crate) async fn has_copies(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<bool> {
    if keys.is_empty() {
        return Ok(false);
    }
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    // The read uses the read concern `majority` on the primary, because a secondary might not have the copies yet.
    let place = Place::at(&reference.target).durable();
    let find = FindCommand::new(place, tied(reference, &keys)).collation(collation(reference));
    exec.any(find.finds_none()).await
}

/// Returns the simple collation. Returns `None` for a search by `_id`, because the index on `_id` uses the collation of
/// its collection.
fn collation(reference: &ExtendedReference) -> Option<Collation> {
    (reference.key_path() != "_id").then(simple)
}

/// New sources whose copies the library searches for again after the commit.
#[derive(Clone, Debug)]
pub(crate) struct NewSources {
    pub(crate) model: &'static ModelShape,
    pub(crate) ids: Vec<Bson>,
    pub(crate) keys: Vec<(Arc<ExtendedReference>, Vec<JoinKey>)>,
    mirrors: Vec<MirrorSearch>,
}

/// A search for documents whose mirrored arrays contain the ids of new documents.
#[derive(Clone, Debug)]
struct MirrorSearch {
    reference: Arc<ExtendedReference>,
    /// The `_id`s of the new documents.
    ids: Vec<Bson>,
    /// The ids of documents that are linked with the new documents, if the links have already been written at both
    /// ends.
    known: Vec<Bson>,
}

impl MirrorSearch {
    fn by(reference: &Arc<ExtendedReference>, images: &[Image]) -> Self {
        let ids = images.iter().filter_map(|it| it.get("_id").cloned());
        let ids: Vec<Bson> = ids.collect();
        Self {
            reference: Arc::clone(reference),
            // Links between documents of the same insert are already among this write's changes, and need no job.
            known: if reference.source.overlaps(&reference.target) {
                ids.clone()
            } else {
                Vec::new()
            },
            ids,
        }
    }

    /// Adds the ids in the new documents' arrays to `known`. This transaction also writes the documents with these ids,
    /// so concurrent writers conflict with it.
    fn note_elements(&mut self, images: &[Image]) {
        for copied in &self.reference.fields {
            let inner = copied.fold.key_of_elements().unwrap_or_default();
            for image in images {
                each_value(image, &join(&copied.to, inner), &mut |key| {
                    self.known.push(key.clone());
                });
            }
        }
    }

    /// Finds documents that refer to a new document although that document's array does not contain their ids. Sends
    /// one `find`. Returns the keys of the new documents to which the found documents refer.
    async fn search(&mut self, exec: &Exec) -> Result<Vec<JoinKey>> {
        let path = &self.reference.source_key;
        let mut found = Vec::new();
        exec.note(|| {
            format!(
                "{}: documents that refer to the new ones",
                self.reference.name
            )
        });
        for ids in parts(&self.ids, KEYS_AT_ONCE, size_of) {
            let mut filter = any_of(path, ids.to_vec());
            filter.insert("_id", doc! { "$nin": self.known.clone() });
            let place = Place::at(&self.reference.source).durable();
            let find = FindCommand::new(place, filter).select(projection([path.as_str()]));
            let new: HashSet<JoinKey> = ids.iter().cloned().map(JoinKey::from).collect();
            for document in exec.documents(find.all().collation(simple())).await? {
                each_value(&document, path, &mut |key| {
                    let key = JoinKey::from(key.clone());
                    if new.contains(&key) {
                        found.push(key);
                    }
                });
                // The search after the commit skips these documents, because this transaction writes both their links
                // and the job.
                self.known.extend(document.get("_id").cloned());
            }
        }
        Ok(found)
    }

    /// Repeats the search after the commit. Stores the job for each new document to which other documents refer.
    /// Returns the stored jobs.
    async fn recheck(mut self, exec: &Exec) -> Result<Vec<JobId>> {
        let keys = self.search(exec).await?;
        record_keys(&self.reference, &keys, exec).await
    }
}

impl NewSources {
    /// Searches again for copies and arrays after the commit, with one `find` for each extended reference. Returns the
    /// jobs for the copies and arrays that it finds.
    pub(crate) async fn recheck(self, exec: &Exec) -> Result<Vec<JobId>> {
        let mut jobs = Vec::new();
        for mirror in self.mirrors.clone() {
            jobs.extend(mirror.recheck(exec).await?);
        }
        jobs.extend(self.recheck_copies(exec).await?);
        Ok(jobs)
    }

    async fn recheck_copies(self, exec: &Exec) -> Result<Vec<JobId>> {
        let mut found = Vec::new();
        for (reference, keys) in &self.keys {
            // This read needs no transaction. Usually, no copy was stored in the meantime.
            if has_copies(reference, keys, exec).await? {
                found.push(Arc::clone(reference));
            }
        }
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let images = Images { references: found };
        let state = (self, images);
        exec.together(state, |(new, images), exec| async move {
            let place = Place::of(new.model);
            // The sources are read again, because another write may have changed or deleted them since the commit.
            let now = images.by_ids(&place, &new.ids, &exec).await?;
            let of = new.model.documents();
            let of_image = |image| Change::of_source(of, &images, None, Some(image));
            let changes = now.iter().flat_map(of_image).collect();
            let followed = follow(changes, Follow::Converge, &exec).await?;
            Ok(followed.jobs)
        })
        .await
    }
}

/// Searches again, after the commit, for parents that were missing when a child was written. Sends one `find` for each
/// extended reference. Also sends an `update` that stores the jobs of the found parents, if there are any. Returns
/// these jobs.
pub(crate) async fn await_documents(
    awaited: Vec<(Arc<ExtendedReference>, Vec<JoinKey>)>,
    exec: &Exec,
) -> Result<Vec<JobId>> {
    let mut jobs = Vec::new();
    for (reference, keys) in awaited {
        exec.note(|| format!("after the commit: {} again", reference.name));
        let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        for keys in parts(&keys, KEYS_AT_ONCE, size_of) {
            let place = Place::at(&reference.target).durable();
            let find = FindCommand::new(place, tied(&reference, keys)).all();
            let there = exec.ids(find.collation(collation(&reference))).await?;
            let there: Vec<JoinKey> = there.into_iter().map(JoinKey::from).collect();
            jobs.extend(record_keys(&reference, &there, exec).await?);
        }
    }
    Ok(jobs)
}
