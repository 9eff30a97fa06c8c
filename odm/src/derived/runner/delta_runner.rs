//! Folds deltas into the documents that they are about, soon after the write or with the jobs that are due.
//!
//! The rules of folds are in `values/delta.rs` and `follow/parent_update/write_order.rs`.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{
    job_group::run_all,
    run_report::JobsReport,
    single_task::{SingleTask, TaskRight},
};
use crate::{
    client::odm::{Exec, Odm, Settle},
    derived::{follow, values::delta},
    error::Result,
    graph::{ExtendedReference, graph},
    value::key::JoinKey,
};

/// How long deltas are let come before they are folded together.
const AFTER: Duration = Duration::from_millis(20);

/// How many documents with deltas are listed at once.
const LISTED: usize = 1_000;

/// How many documents one transaction folds.
const TOGETHER: usize = 20;

/// The documents of one handle that have deltas, and the task that folds them.
#[derive(Debug, Default)]
struct Folding {
    waiting: Mutex<HashSet<(String, JoinKey)>>,
    task: SingleTask,
}

impl Folding {
    fn waiting(&self) -> MutexGuard<'_, HashSet<(String, JoinKey)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> HashSet<(String, JoinKey)> {
        std::mem::take(&mut *self.waiting())
    }
}

/// Folds the deltas of some keys soon, in a task of the handle, unless the settings say otherwise.
pub(crate) fn apply_deltas_soon(reference: &ExtendedReference, keys: Vec<JoinKey>, odm: &Odm) {
    if odm.settings().settle == Settle::Manual {
        return;
    }
    let folding = odm.deployment().shared::<Folding>();
    let waiting = keys
        .into_iter()
        .map(|key| (reference.relation.clone(), key));
    // Before `claim`: a task that is about to end gives its right back, and then looks for keys once more.
    folding.waiting().extend(waiting);
    if let Some(right) = folding.task.claim() {
        tokio::spawn(apply_waiting(right, odm.clone()));
    }
}

/// Folds until nothing waits. Deltas whose fold fails or panics stay stored, and are folded with the jobs that are due.
async fn apply_waiting(mut right: TaskRight, odm: Odm) {
    let folding = odm.deployment().shared::<Folding>();
    loop {
        tokio::time::sleep(AFTER).await;
        let waiting = folding.take();
        if !waiting.is_empty() {
            if let Err(error) = apply_all(waiting, &odm).await {
                tracing::warn!(%error, "deltas are folded later");
            }
            continue;
        }
        drop(right);
        // Somebody may have come before the right was given back, and has started no other task.
        if folding.waiting().is_empty() {
            return;
        }
        match folding.task.claim() {
            Some(again) => right = again,
            None => return,
        }
    }
}

/// Folds all deltas of some documents.
async fn apply_all(waiting: HashSet<(String, JoinKey)>, odm: &Odm) -> Result<JobsReport> {
    let mut report = JobsReport::default();
    let computed = graph().references.iter().filter(|it| it.takes_deltas());
    for reference in computed {
        let of_reference = waiting.iter().filter(|(of, _)| *of == reference.relation);
        let keys: Vec<JoinKey> = of_reference.map(|(_, key)| key.clone()).collect();
        report.add(apply_deltas_of_keys(reference, &keys, None, odm).await?);
    }
    Ok(report)
}

/// Folds all deltas that some keys have now, and runs the jobs that this makes. Those that come meanwhile are for those
/// who bring them: where many write, a caller would never return.
pub(crate) async fn apply_deltas_of_keys(
    reference: &'static ExtendedReference,
    keys: &[JoinKey],
    until: Option<Instant>,
    odm: &Odm,
) -> Result<JobsReport> {
    let mut report = JobsReport::default();
    for keys in keys.chunks(TOGETHER) {
        let (mut keys, mut behind, mut is_second) = (keys.to_vec(), Vec::new(), false);
        loop {
            let state = (reference, keys.clone());
            let exec = Exec::on(odm.clone());
            let folded = exec.together(state, |(reference, keys), exec| async move {
                follow::fold(reference, &keys, &exec).await
            });
            let folded = folded.await?;
            report.folded += folded.deltas;
            report.modified += folded.modified;
            for ran in run_all(folded.jobs, until, odm).await? {
                report.failed += ran.jobs.failed;
                report.left += ran.jobs.left;
            }
            // The next pass would read the deltas of these keys again, because the fold has left them.
            keys.retain(|key| !folded.behind.contains(key));
            behind.extend(folded.behind);
            if !folded.are_all {
                continue;
            }
            // The jobs have run now, or nobody can run them now.
            if behind.is_empty() || is_second {
                break;
            }
            (keys, is_second) = (std::mem::take(&mut behind), true);
        }
    }
    Ok(report)
}

/// Folds all deltas that this program can fold.
pub(super) async fn apply_pending_deltas(odm: &Odm) -> Result<JobsReport> {
    let mut report = JobsReport::default();
    loop {
        let found = delta::foldable(LISTED, &Exec::on(odm.clone())).await?;
        let waiting = found.iter();
        let waiting = waiting.map(|(reference, key)| (reference.relation.clone(), key.clone()));
        let folded = apply_all(waiting.collect(), odm).await?;
        report.add(folded);
        // Deltas behind a job that cannot run are listed each time. Without progress this loop would not end.
        if folded.folded == 0 {
            return Ok(report);
        }
    }
}
