//! Decides which findings are pending because a job or a delta will correct them.

use std::collections::{BTreeSet, HashSet};

use mongodb::bson::{Bson, doc};

use super::finding::{Drifted, RepairingJob};
use crate::{
    batches::{parts, size_of},
    client::{command::FindCommand, odm::Exec},
    derived::{
        outbox::{self, JobId},
        values::{delta, key_condition},
    },
    error::Result,
    graph::Deltas,
    value::key::JoinKey,
};

/// Marks the findings that an unfinished job or a delta will correct, and removes them unless `include` is true.
/// Returns the number of these findings.
pub(super) async fn set_aside(found: &mut Vec<Drifted>, include: bool, exec: &Exec) -> Result<u64> {
    let jobs: BTreeSet<JobId> = found.iter().flat_map(jobs_of).collect();
    let mut pending = stored(&jobs, exec).await?;
    add_deltas(found, &mut pending, exec).await?;
    for item in found.iter_mut() {
        item.pending = jobs_of(item).iter().any(|job| pending.contains(job));
    }
    let number = found.iter().filter(|item| item.pending).count();
    found.retain(|item| include || !item.pending);
    Ok(number as u64)
}

/// Lists the jobs that would correct a finding if they were stored.
fn jobs_of(item: &Drifted) -> Vec<JobId> {
    let of_key = |job: &RepairingJob| {
        let key = job.key.as_ref()?;
        let of_reference = job.reference.iter().flat_map(|it| it.relations());
        let relations = of_reference.chain(job.rule.clone());
        let jobs = relations.map(|relation| JobId {
            relation,
            key: key.clone(),
        });
        Some(jobs.collect())
    };
    item.job.as_deref().and_then(of_key).unwrap_or_default()
}

/// Returns the jobs that are stored and unfinished. Sends one `find`.
///
/// Ignores jobs that will not correct any findings: those that failed because documents cannot be updated, and those
/// with `holds`, which exist only to conflict with a concurrent delete.
async fn stored(jobs: &BTreeSet<JobId>, exec: &Exec) -> Result<HashSet<JobId>> {
    let ids: Vec<Bson> = jobs.iter().map(JobId::to_bson).collect();
    let mut stored = HashSet::new();
    for ids in parts(&ids, usize::MAX, size_of) {
        let filter = doc! {
            "_id": key_condition(ids),
            "holds": { "$ne": true },
            "$or": [{ "phase": "run" }, { "failed.0": { "$exists": false } }],
        };
        let find = FindCommand::new(outbox::jobs(), filter).select(doc! { "_id": 1 });
        let found = exec.documents(find.all()).await?;
        stored.extend(found.iter().filter_map(|job| JobId::read(job.get("_id")?)));
    }
    Ok(stored)
}

/// Adds to `pending` the relations and keys for which deltas are stored, because folding these deltas will correct the
/// findings. Sends one `find` if deltas are possible.
async fn add_deltas(found: &[Drifted], pending: &mut HashSet<JobId>, exec: &Exec) -> Result<()> {
    let jobs = || found.iter().filter_map(|item| item.job.as_deref());
    // All findings belong to one invariant, so at most one of their extended references is a fold.
    let mut references = jobs().filter_map(|job| job.reference.as_ref());
    let fold = references.find(|it| match it.deltas() {
        Deltas::Possible => true,
        Deltas::Never => false,
    });
    let Some(fold) = fold else {
        return Ok(());
    };
    let keys: BTreeSet<&JoinKey> = jobs().filter_map(|job| job.key.as_ref()).collect();
    let keys: Vec<Bson> = keys.into_iter().map(JoinKey::to_bson).collect();
    let with_deltas = delta::keys(fold, &keys, exec).await?;
    pending.extend(JobId::of_keys(&fold.relation, &with_deltas));
    Ok(())
}
