//! Runs jobs for one relation together, in groups.
//!
//! One `insert` claims the cursors of a whole group, and a batch contains many keys. So if many sources change, the
//! number of commands grows with the number of batches, not with the number of sources.

use std::{
    collections::{HashMap, HashSet},
    pin::pin,
    time::Instant,
};

use futures_util::{Stream, StreamExt, stream};

use super::{job_run::run_to_end, run_report::RunResult};
use crate::{
    client::odm::Odm,
    derived::{follow, outbox::JobId},
    error::{Error, Result},
    graph::graph,
    model::shape::{DocumentSet, OnDelete},
    value::key::JoinKey,
};

/// Number of groups that run concurrently.
const AT_ONCE: usize = 4;

/// Largest number of jobs in one group.
pub(super) const TOGETHER: usize = 5_000;

/// Size in bytes above which a key is processed separately, because many keys of this size do not fit into a statement.
const LARGE: usize = 1_024;

/// Groups jobs by relation. A job that has a large key forms its own group.
pub(crate) fn in_groups(jobs: impl IntoIterator<Item = JobId>) -> Vec<Vec<JobId>> {
    let mut groups: Vec<Vec<JobId>> = Vec::new();
    let mut open: HashMap<String, usize> = HashMap::new();
    // A job may be listed twice, because several batches may have stored the job for the same key.
    let mut seen = HashSet::new();
    for id in jobs.into_iter().filter(|id| seen.insert(id.clone())) {
        let is_alone = is_large(&id);
        let open_group = open.get(&id.relation).filter(|_| !is_alone);
        match open_group.and_then(|at| groups.get_mut(*at)) {
            Some(group) if group.len() < TOGETHER => group.push(id),
            _ => {
                if !is_alone {
                    open.insert(id.relation.clone(), groups.len());
                }
                groups.push(vec![id]);
            }
        }
    }
    groups
}

/// Runs groups of jobs, several at a time. A delete that a reference with `restrict` can forbid runs after the jobs
/// that may delete the owners of this reference. Otherwise, the delete would fail although no such reference remains
/// after all jobs have run.
pub(super) fn run_groups<Run, Running>(
    groups: Vec<Vec<JobId>>,
    run: Run,
) -> impl Stream<Item = Running::Output>
where
    Run: Fn(Vec<JobId>) -> Running + Clone,
    Running: Future,
{
    stream::iter(in_turns(groups)).flat_map(move |turn| {
        let runs = turn.into_iter().map(run.clone());
        stream::iter(runs).buffer_unordered(AT_ONCE)
    })
}

/// Splits groups into turns. The groups of one turn can run at the same time. Each turn runs after the previous one.
pub(crate) fn in_turns(groups: Vec<Vec<JobId>>) -> Vec<Vec<Vec<JobId>>> {
    let (first, mut refusable): (Vec<_>, Vec<_>) = groups
        .into_iter()
        .map(|ids| (refusable_delete(&ids), ids))
        .partition(|(deleted, _)| deleted.is_none());
    let sets = refusable.iter().filter_map(|(deleted, _)| *deleted);
    let order = follow::order_of_deletes(sets);
    refusable.sort_by_key(|(deleted, _)| order.iter().position(|it| Some(*it) == *deleted));
    let first = first.into_iter().map(|(_, ids)| ids).collect();
    let others = refusable.into_iter().map(|(_, ids)| vec![ids]);
    std::iter::once(first).chain(others).collect()
}

/// Returns the documents that the jobs delete, if a reference can forbid their delete.
fn refusable_delete(ids: &[JobId]) -> Option<DocumentSet<'static>> {
    let mut rules = graph().rules_of(&ids.first()?.relation);
    rules.find_map(|rule| {
        let deleted = rule.model.documents();
        let is_refusable = rule.on_delete == OnDelete::Cascade && follow::may_be_refused(deleted);
        is_refusable.then_some(deleted)
    })
}

/// Whether a reference can forbid a delete of the jobs.
pub(super) fn is_refusable(ids: &[JobId]) -> bool {
    refusable_delete(ids).is_some()
}

pub(super) fn is_large(id: &JobId) -> bool {
    is_large_key(&id.key)
}

pub(super) fn is_large_key(key: &JoinKey) -> bool {
    key.size() > LARGE
}

/// Logs a warning that some jobs for a relation could not run. `first` is the first job that could not run.
pub(crate) fn warn_of_left(first: Option<&JobId>, error: &Error) {
    let relation = first.map(|id| id.relation.as_str());
    tracing::warn!(relation, %error, "cannot run a job; it is run later");
}

/// Runs jobs to completion, several groups at a time. Also runs the jobs that these jobs store for copies of copies and
/// for documents that a cascade has deleted. Jobs that only other programs can run stay stored. After `until`, the call
/// no longer waits for other runners.
pub(crate) async fn run_all(
    jobs: Vec<JobId>,
    until: Option<Instant>,
    odm: &Odm,
) -> Result<Vec<RunResult>> {
    run_each(jobs, until, odm, |_, error| Err(error)).await
}

/// Runs jobs as [`run_all`] does. If a group fails, `failed` decides whether the call ends with the error.
pub(crate) async fn run_each(
    mut jobs: Vec<JobId>,
    until: Option<Instant>,
    odm: &Odm,
    mut failed: impl FnMut(Vec<JobId>, Error) -> Result<()> + Send,
) -> Result<Vec<RunResult>> {
    let mut all = Vec::new();
    while !jobs.is_empty() {
        let runs = run_groups(in_groups(jobs), |ids| async move {
            let ran = run_to_end(ids.clone(), odm, None, until).await;
            (ids, ran)
        });
        let mut runs = pin!(runs);
        jobs = Vec::new();
        while let Some((ids, ran)) = runs.next().await {
            match ran {
                Ok(mut ran) => {
                    jobs.append(&mut ran.made);
                    all.push(ran);
                }
                Err(error) => failed(ids, error)?,
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use mongodb::bson::Bson;

    use super::*;

    #[test]
    fn a_job_that_is_named_twice_is_run_once() {
        let id = |key: i32| JobId {
            relation: "logmsg.host <- hosts._id".to_owned(),
            key: JoinKey::from(Bson::from(key)),
        };
        let groups = in_groups([id(1), id(2), id(1)]);
        assert_eq!(groups, [[id(1), id(2)]]);
    }
}
