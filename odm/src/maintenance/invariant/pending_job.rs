//! Decides which findings are pending because a job will correct them, and finds jobs that no program can run.

use std::collections::HashSet;

use mongodb::bson::{Bson, doc};

use super::{
    finding::{Cause, DriftKind, Drifted},
    finding_stream::EventSender,
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::FindCommand,
        odm::{Exec, Odm},
    },
    derived::{
        declaration::{UndeclaredJobs, orphans},
        outbox::{self, JOBS, JobId},
        values::{delta, key_condition},
    },
    error::Result,
    graph::{Derivation, ExtendedReference},
    value::key::JoinKey,
};

/// Lists the keys that have an unfinished job for one of the given relations. Sends one `find` to the jobs.
///
/// Two kinds of jobs are ignored, because they will not correct anything more: jobs that failed because their
/// documents cannot store the copies, and jobs with `holds`.
pub(in crate::maintenance) async fn pending(
    relations: impl IntoIterator<Item = String>,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<HashSet<JoinKey>> {
    let of_relation = |relation: String| {
        let of_key = move |key: &JoinKey| JobId {
            relation: relation.clone(),
            key: key.clone(),
        };
        keys.iter().map(of_key)
    };
    let ids = relations.into_iter().flat_map(of_relation);
    let ids: Vec<Bson> = ids.map(|id| id.to_bson()).collect();
    let mut pending = HashSet::new();
    for ids in parts(&ids, usize::MAX, size_of) {
        let filter = doc! {
            "_id": key_condition(ids),
            "holds": { "$ne": true },
            "$or": [{ "phase": "run" }, { "failed.0": { "$exists": false } }],
        };
        let find = FindCommand::new(outbox::jobs(), filter).select(doc! { "_id": 1 });
        let found = exec.documents(find.all()).await?;
        let ids = found.iter().filter_map(|job| JobId::read(job.get("_id")?));
        pending.extend(ids.map(|id| id.key));
    }
    Ok(pending)
}

/// Lists the keys for which deltas are stored. Sends one `find`.
pub(in crate::maintenance) async fn with_deltas(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Vec<JoinKey>> {
    if reference.derivation != Derivation::Fold {
        return Ok(Vec::new());
    }
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    delta::keys(reference, &keys, exec).await
}

/// Reports each relation that has jobs but is not declared by any program.
pub(in crate::maintenance) async fn verify(odm: &Odm, out: &EventSender) -> Result<()> {
    let orphans = orphans(odm).await?.into_iter();
    out.add_page(orphans.map(finding).collect()).await
}

fn finding(orphans: UndeclaredJobs) -> Drifted {
    Drifted {
        relation: orphans.relation,
        model: JOBS,
        collection: JOBS,
        id: orphans.oldest,
        path: "_id.relation".to_owned(),
        key: None,
        stored: Some(Bson::Int64(orphans.count)),
        source: Some(Bson::DateTime(orphans.since)),
        kind: DriftKind::OrphanedJobs,
        pending: false,
        cause: Cause::Unknown,
    }
}
