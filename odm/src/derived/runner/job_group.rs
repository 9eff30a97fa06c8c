//! Runs jobs for one relation together, in groups.
//!
//! One `update` claims the cursors of a whole group, and a batch contains many keys. So if many sources change, the
//! number of commands grows with the number of batches, not with the number of sources.

use std::{
    collections::{HashMap, HashSet},
    time::Instant,
};

use futures_util::{StreamExt, stream};

use super::{job_run::run_to_end, run_report::RunResult};
use crate::{
    client::odm::Odm,
    derived::outbox::JobId,
    error::{Error, Result},
};

/// Number of groups that run concurrently.
pub(super) const AT_ONCE: usize = 4;

/// Largest number of jobs in one group.
pub(super) const TOGETHER: usize = 1_000;

/// Size in bytes above which a key is processed separately, because many keys of this size do not fit into a statement.
const LARGE: usize = 4_096;

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

pub(super) fn is_large(id: &JobId) -> bool {
    id.key.size() > LARGE
}

/// Logs a warning that some jobs for a relation could not run. `first` is the first job that could not run.
pub(crate) fn warn_of_left(first: Option<&JobId>, error: &Error) {
    let relation = first.map(|id| id.relation.as_str());
    tracing::warn!(relation, %error, "cannot run a job; it is run later");
}

/// Runs jobs to completion, several groups at a time. Also runs the new jobs that are thereby stored for copies of
/// copies and for documents that a cascade has deleted. Jobs that only other programs can run stay stored. After
/// `until`, the call no longer waits for other runners.
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
        let runs = in_groups(jobs).into_iter();
        let runs = runs.map(|ids| async move {
            let ran = run_to_end(ids.clone(), odm, None, until).await;
            (ids, ran)
        });
        let mut runs = stream::iter(runs).buffer_unordered(AT_ONCE);
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
    use crate::value::key::JoinKey;

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
