//! Reads the sources of new copies again, after the commit.
//!
//! Under snapshot isolation, the writer of a copy and the writer of its source can both commit without seeing each
//! other. If the writer of the source committed first, this recheck sees the new value. If the writer of the copy
//! committed first, the job for the source finds the copy.
//!
//! If a recheck corrects a computed field, it also writes the job of the parent, because a concurrent last look or fold
//! may have seen other children. Test: `when_a_correction_leaves_no_job_new_children_are_lost`.

use mongodb::bson::doc;

use super::{
    copy_write::{followers, write_within},
    follow,
    follow_result::Follow,
    source_change::Change,
    written_copy::WrittenCopies,
};
use crate::{
    client::{odm::Exec, place::Place},
    derived::{
        outbox::{JobEntry, JobId, Phase, record_all},
        values::{Images, key_condition, resolve},
    },
    error::Result,
    graph::Sources,
    value::key::JoinKey,
};

/// Reads the sources of written copies again, and corrects the copies if their sources have changed. Sends one `find`
/// for each extended reference. If a source has changed, also runs a transaction that corrects the copies. Returns the
/// jobs for copies that depend on the corrected ones.
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
        let correct = (written.reference, keys, written.ids);
        let followed = exec.together(correct, |(reference, keys, ids), exec| async move {
            let place = Place::at(&reference.target);
            let images = Images {
                references: followers(&reference, &exec).await?,
            };
            // The source is read again in the snapshot of the update, because the source may have changed since the
            // earlier read.
            let resolved = resolve(&reference, keys.iter().cloned(), &exec).await?;
            // Only the documents of this write are corrected. Other copies are updated by the source's job, because
            // there may be too many for one transaction.
            let only = doc! { "_id": key_condition(&ids) };
            let before = images.by_ids(&place, &ids, &exec).await?;
            write_within(&reference, &keys, &resolved, &only, &exec).await?;
            match reference.sources() {
                // A concurrent last look or fold may have seen other children. This transaction stores the job, so it
                // conflicts with that look or fold.
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
        jobs.extend(followed.await?.jobs);
    }
    Ok(jobs)
}
