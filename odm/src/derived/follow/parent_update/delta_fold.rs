//! Folds deltas: applies them to their parents and then deletes them.

use std::collections::HashSet;
use std::sync::Arc;

use mongodb::bson::Bson;

use super::{
    Parents,
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

/// Largest number of deltas that one fold applies.
pub(super) const AT_ONCE: i64 = 1_000;

/// The result of folding deltas.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    /// Number of deltas that were removed.
    pub(crate) deltas: u64,
    /// Whether the fold read all deltas of the keys.
    pub(crate) are_all: bool,
    /// Number of parents that were changed.
    pub(crate) modified: u64,
    /// The jobs for copies of the changed fields, and for parents with fields that have to be recomputed. The list also
    /// contains jobs that have to run before the remaining deltas can be folded.
    pub(crate) jobs: Vec<JobId>,
    /// The keys of deltas that cannot be folded until a job for the same key has run.
    pub(crate) behind: HashSet<JoinKey>,
}

/// Folds the oldest deltas of the given keys. The fold must run in a separate transaction.
///
/// 1. A `find` reads the deltas of the keys.
/// 2. An `aggregate` reads the jobs of the parents. If a parent has a job in the phase `run`, its deltas are not folded
///    yet. This job might count the insert of a child whose delete is in one of these deltas.
/// 3. An `update` applies the additions to the parents. Jobs compute the fields for which no addition is possible.
/// 4. A `delete` removes the deltas. If a delta contains fields that only other programs declare, these fields stay in
///    the delta.
pub(crate) async fn fold(
    reference: &Arc<ExtendedReference>,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Folded> {
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let (mut stored, are_all) = delta::read(reference, &keys, AT_ONCE, exec).await?;
    let jobs = jobs_before(reference, &stored, exec).await?;
    let behind = keys_of(jobs.clone());
    // If the deltas were folded before the job ran, a reader could see a child's delete without its insert, which only
    // the job counts.
    stored.retain(|it| !behind.contains(&it.delta.key));
    let mut parents = Parents::empty(reference);
    parents.add_deltas(&stored);
    parents.add(exec).await?;
    let mut left = std::mem::take(&mut parents.caused);
    left.extend(parents.changes_to_compute());
    let entries = entries(&left, Phase::Run);
    record_all(&entries, exec).await?;
    // The deltas are deleted in the same transaction as the additions. Otherwise, after a crash in between, the next
    // fold would count the children twice.
    delta::remove(reference, &stored, exec).await?;
    Ok(Folded {
        deltas: stored.len() as u64,
        are_all,
        modified: parents.followed.reports.iter().map(|it| it.modified).sum(),
        jobs: entries
            .into_iter()
            .map(|entry| entry.id)
            .chain(jobs)
            .collect(),
        behind,
    })
}

/// Returns the jobs that have to run before the given deltas can be folded. Sends an `aggregate`, unless the deltas
/// only add keys to arrays.
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
    /// Adds the additions that are stored in deltas to the effects, in the order of the deltas.
    pub(super) fn add_deltas(&mut self, stored: &[StoredDelta]) {
        let reference = Arc::clone(&self.reference);
        for StoredDelta { delta, .. } in stored {
            for (at, copied) in reference.fields.iter().enumerate() {
                let added = delta.steps.iter().filter(|(field, _)| *field == copied.to);
                for (_, addition) in added {
                    self.step(&delta.key, at, FieldEffect::Add(addition.clone()));
                }
            }
        }
    }
}
