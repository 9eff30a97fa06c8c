//! Reads the sources of new copies again, after the commit.
//!
//! Under snapshot isolation, the writer of a copy and the writer of its source can both commit without seeing each
//! other. If the writer of the source committed first, this recheck sees the new value. If the writer of the copy
//! committed first, a run of the job for the source finds the copy. If the writer of the source updated copies in its
//! own transaction, this run is the last look, which follows only after the grace period. So a fresh read does not rely
//! on this run, but checks the copies in the document that it reads (`correct_stale`). Test:
//! `a_copy_that_was_stored_during_the_rename_is_corrected_by_a_fresh_read`.
//!
//! If a recheck corrects a computed field, it also writes the parent's job. A concurrent last look or fold, which might
//! have read a different set of children, then conflicts with the recheck. Test:
//! `when_a_correction_leaves_no_job_new_children_are_lost`.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use super::{
    copy_write::{followers, write_within},
    follow,
    follow_result::Follow,
    source_change::Change,
    written_copy::WrittenCopies,
};
use crate::{
    client::{
        command::{FindCommand, simple},
        odm::Exec,
        place::Place,
    },
    derived::{
        outbox::{JobEntry, JobId, Phase, record_all},
        values::{Images, key_condition, resolve, updates},
    },
    error::Result,
    graph::{ExtendedReference, Sources},
    value::key::JoinKey,
};

/// Reads the sources of written copies again, and corrects the copies if their sources have changed. Sends one `find`
/// for each extended reference. Also runs a transaction that corrects the copies if a source has changed. Returns the
/// jobs for copies that depend on the corrected copies.
pub(crate) async fn recheck(written: Vec<WrittenCopies>, exec: &Exec) -> Result<Vec<JobId>> {
    let mut jobs = Vec::new();
    for written in written {
        exec.note(|| {
            format!(
                "after the commit: the values of {} again",
                written.reference.name
            )
        });
        // This read is sent outside of a transaction. Usually, no source has changed, so no other statement follows.
        let now = resolve(&written.reference, written.keys.iter().cloned(), exec).await?;
        let is_old = |key: &&JoinKey| now.get(key) != written.resolved.get(key);
        let keys: Vec<_> = written.keys.iter().filter(is_old).cloned().collect();
        if keys.is_empty() {
            continue;
        }
        jobs.extend(correct(written.reference, keys, written.ids, exec).await?);
    }
    Ok(jobs)
}

/// Sets the copies in some documents to the values of their sources, in one transaction. Returns the jobs for copies
/// that depend on the corrected copies.
///
/// The source's job updates all other copies, because there may be too many copies for one transaction.
async fn correct(
    reference: Arc<ExtendedReference>,
    keys: Vec<JoinKey>,
    ids: Vec<Bson>,
    exec: &Exec,
) -> Result<Vec<JobId>> {
    let all = (reference, keys, ids);
    let followed = exec.together(all, |(reference, keys, ids), exec| async move {
        let place = Place::at(&reference.target);
        let images = Images {
            references: followers(&reference, &exec).await?,
        };
        // The transaction of the update reads the source again, because the source may have changed since the earlier
        // read.
        let resolved = resolve(&reference, keys.iter().cloned(), &exec).await?;
        let only = doc! { "_id": key_condition(&ids) };
        let before = images.by_ids(&place, &ids, &exec).await?;
        write_within(&reference, &keys, &resolved, &only, &exec).await?;
        match reference.sources() {
            // A concurrent last look or fold might have read a different set of children. This transaction stores the
            // job, so it conflicts with that last look or fold.
            Sources::All => {
                let entries = JobEntry::of_reference(&reference, &keys, Phase::Settle);
                record_all(&entries, &exec).await?;
            }
            Sources::OneById | Sources::FirstByKey => {}
        }
        let after = images.by_ids(&place, &ids, &exec).await?;
        let changes = Change::between(reference.target.documents(), &images, before, &after);
        follow(changes, Follow::Converge, &exec).await
    });
    Ok(followed.await?.jobs)
}

/// Largest number of documents that one call of [`correct_stale`] corrects.
const CORRECTED: i64 = 1_000;

/// Corrects the stale copies for the given keys, either only in the documents with the given ids or in all documents.
///
/// The writer of the source might not have seen a document that was stored while the writer's transaction ran. The
/// writer of that document could not read the new value, either.
///
/// Sends a `find` of the sources and a `find` of the stale documents. Also runs a transaction that corrects the copies
/// if there are stale documents. Returns the jobs for copies that depend on the corrected copies. Sends nothing for
/// computed fields, because concurrent writers of their children write the same parent, and therefore conflict.
pub(crate) async fn correct_stale(
    reference: Arc<ExtendedReference>,
    keys: Vec<JoinKey>,
    ids: Option<Vec<Bson>>,
    exec: &Exec,
) -> Result<Vec<JobId>> {
    match reference.sources() {
        Sources::All => return Ok(Vec::new()),
        Sources::OneById | Sources::FirstByKey => {}
    }
    let resolved = resolve(&reference, keys.iter().cloned(), exec).await?;
    let updates = updates(&reference, &keys, &resolved)?;
    let stale: Vec<Document> = updates.into_iter().map(|update| update.filter).collect();
    if stale.is_empty() {
        return Ok(Vec::new());
    }
    let mut stale = doc! { "$or": stale };
    stale.extend(ids.map(|ids| ("_id".to_owned(), key_condition(&ids))));
    let find = FindCommand::new(Place::at(&reference.target).durable(), stale);
    let mut find = find.select(doc! { "_id": 1 }).collation(simple());
    find.options.limit = Some(CORRECTED);
    let found = exec.ids(find.all()).await?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    correct(reference, keys, found, exec).await
}
