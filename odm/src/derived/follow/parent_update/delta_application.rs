//! Applies deltas to the documents that they are about.

use std::collections::HashSet;

use mongodb::bson::Bson;

use super::{
    ParentUpdates, Parents,
    pending_parent_work::{keys_of, waiting_for},
};
use crate::{
    client::odm::Exec,
    derived::{
        follow::source_change::entries,
        outbox::{JobId, Phase, record_all},
        values::{
            FieldEffect,
            delta::{self, StoredDelta},
        },
    },
    error::Result,
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// How many deltas one fold applies.
pub(super) const AT_ONCE: i64 = 1_000;

/// What a fold did.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    /// How many deltas it has removed.
    pub(crate) deltas: u64,
    /// Whether these were all that there were.
    pub(crate) are_all: bool,
    pub(crate) modified: u64,
    /// The jobs of what copies these fields, and of parents whose fields are computed anew; and those that have to run
    /// before other deltas are folded.
    pub(crate) jobs: Vec<JobId>,
    /// The keys with such a job.
    pub(crate) behind: HashSet<JoinKey>,
}

/// Applies some of the deltas of a few keys to their documents, and removes them; for a transaction of its own.
///
/// A `find` and an `aggregate`, an `update` of the documents, a `delete`. Fields that only other programs declare stay in
/// their deltas. The oldest deltas come first. Those of documents with a job that is to be run are left: the insert of a
/// child may be left to the job, while its delete is in a delta.
pub(crate) async fn fold(
    reference: &'static ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Folded> {
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let (mut stored, are_all) = delta::read(reference, &keys, AT_ONCE, exec).await?;
    let jobs = jobs_before(reference, &stored, exec).await?;
    let behind = keys_of(jobs.clone());
    // Folded before that job, a delete would be counted without the insert that the job has yet to count.
    stored.retain(|it| !behind.contains(&it.delta.key));
    let mut parents = Parents::empty(reference);
    parents.add_deltas(&stored);
    let mut done = ParentUpdates::default();
    parents.add(&mut done, exec).await?;
    done.left.extend(parents.changes_to_compute());
    let entries = entries(&done.left, Phase::Run);
    record_all(&entries, exec).await?;
    // In the transaction of the additions: after a crash in between, the next fold would count the children twice.
    delta::remove(reference, &stored, exec).await?;
    Ok(Folded {
        deltas: stored.len() as u64,
        are_all,
        modified: done.followed.reports.iter().map(|it| it.modified).sum(),
        jobs: entries
            .into_iter()
            .map(|entry| entry.id)
            .chain(jobs)
            .collect(),
        behind,
    })
}

/// Returns the jobs that have to run before some deltas are folded: an `aggregate`, unless only keys are added to arrays.
async fn jobs_before(
    reference: &ExtendedReference,
    stored: &[StoredDelta],
    exec: &Exec,
) -> Result<Vec<JobId>> {
    let depends = |it: &&StoredDelta| it.delta.steps.iter().any(|(_, step)| step.depends());
    let dependent = stored.iter().filter(depends);
    let keys: HashSet<JoinKey> = dependent.map(|it| it.delta.key.clone()).collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<JoinKey> = keys.into_iter().collect();
    Ok(waiting_for(reference, &keys, exec).await?.jobs)
}

impl Parents {
    /// Adds what deltas say to the steps, in the order in which they came.
    pub(super) fn add_deltas(&mut self, stored: &[StoredDelta]) {
        for StoredDelta { delta, .. } in stored {
            for (at, copied) in self.reference.fields.iter().enumerate() {
                let added = delta.steps.iter().filter(|(field, _)| *field == copied.to);
                for (_, addition) in added {
                    self.step(&delta.key, at, FieldEffect::Add(addition.clone()));
                }
            }
        }
    }
}
