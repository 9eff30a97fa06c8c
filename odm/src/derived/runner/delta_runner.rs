//! Applies deltas to the parents, either in a task soon after the write or together with the due jobs.
//!
//! `values/delta.rs` and `follow/parent_update/write_order.rs` describe the rules.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::{Mutex as TaskLock, OwnedMutexGuard};

use super::{
    batch_pace::Pace,
    drive::{Step, Work, drive},
    job_group::run_all,
    run_report::{JobsReport, RunProgress},
};
use crate::{
    batches::BatchSize,
    client::odm::{Exec, Odm, Settle},
    derived::{follow, values::delta},
    error::Result,
    graph::{ExtendedReference, graph},
    value::key::JoinKey,
};

/// The pause after a write. Deltas that arrive during this pause are applied together.
const AFTER: Duration = Duration::from_millis(20);

/// Largest number of documents with pending deltas that one statement lists.
const LISTED: usize = 1_000;

/// Largest number of documents that one transaction updates.
const TOGETHER: usize = 20;

/// The keys of documents that have pending deltas, and a lock. A task of the handle holds this lock while it applies
/// the deltas, so that only one task applies them at a time. The task owns the guard, so the lock is released when the
/// task ends, even after a panic or when the runtime shuts down.
#[derive(Debug, Default)]
struct Folding {
    waiting: Mutex<HashSet<(String, JoinKey)>>,
    task: Arc<TaskLock<()>>,
}

impl Folding {
    fn waiting(&self) -> MutexGuard<'_, HashSet<(String, JoinKey)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> HashSet<(String, JoinKey)> {
        std::mem::take(&mut *self.waiting())
    }

    fn claim(&self) -> Option<OwnedMutexGuard<()>> {
        Arc::clone(&self.task).try_lock_owned().ok()
    }
}

/// Applies the deltas of the given keys after a short pause, in a task of the handle. Does nothing unless the setting
/// is [`Settle::Background`].
pub(crate) fn apply_deltas_soon(reference: &ExtendedReference, keys: Vec<JoinKey>, odm: &Odm) {
    if odm.settings().settle != Settle::Background {
        return;
    }
    let folding = odm.deployment().shared::<Folding>();
    let waiting = keys
        .into_iter()
        .map(|key| (reference.relation.clone(), key));
    // The keys are added before this code tries to acquire the lock. A task that is about to end releases the lock
    // first, and then checks once more for keys. So no key is overlooked.
    folding.waiting().extend(waiting);
    let right = folding.claim();
    if right.is_some() {
        // If the program ended during a fold, its open transaction would lock the parents on the server for a minute.
        let odm = odm.with_awaited_transactions();
        let mut waiting = Waiting { right, odm };
        tokio::spawn(async move {
            tokio::time::sleep(AFTER).await;
            drive(&mut waiting, &mut Pace::new(0.0)).await
        });
    }
}

/// The work of the task, which applies a handle's pending deltas until no keys are left. After an error or a panic, the
/// deltas remain stored and are applied together with the due jobs.
struct Waiting {
    right: Option<OwnedMutexGuard<()>>,
    odm: Odm,
}

impl Work for Waiting {
    async fn piece(&mut self, _pace: &mut Pace) -> Result<Step> {
        let folding = self.odm.deployment().shared::<Folding>();
        let waiting = folding.take();
        if waiting.is_empty() {
            self.right = None;
            // A writer may have added keys before the lock was released. A writer that adds keys while the lock is held
            // does not start a task.
            if !folding.waiting().is_empty() {
                self.right = folding.claim();
            }
        } else if let Err(error) = apply_all(waiting, &mut JobsReport::default(), &self.odm).await {
            tracing::warn!(%error, "cannot apply deltas; they are applied later");
        }
        let is_running = self.right.is_some();
        Ok(if is_running {
            Step::After(AFTER)
        } else {
            Step::Over
        })
    }
}

/// Applies all deltas that are stored for the given keys.
///
/// # Errors
///
/// Like [`apply_deltas_of_keys`].
async fn apply_all(
    waiting: HashSet<(String, JoinKey)>,
    report: &mut JobsReport,
    odm: &Odm,
) -> Result<()> {
    let mut all = Ok(());
    for reference in graph().folds() {
        let of_reference = waiting.iter().filter(|(of, _)| *of == reference.relation);
        let keys: Vec<JoinKey> = of_reference.map(|(_, key)| key.clone()).collect();
        match apply_deltas_of_keys(reference, &keys, None, report, odm).await {
            Err(error) if !error.is_about_one_document() => return Err(error),
            applied => all = all.and(applied),
        }
    }
    all
}

/// Applies the deltas that are now stored for the given keys, and runs the resulting jobs. Later deltas are left to
/// their writers. Otherwise, the call might never return while other programs keep writing.
///
/// # Errors
///
/// If the server rejects single documents, their deltas remain stored. The call then fails with the first of these
/// errors, after it has applied the deltas of the other documents. All other errors end the call.
pub(crate) async fn apply_deltas_of_keys(
    reference: &Arc<ExtendedReference>,
    keys: &[JoinKey],
    until: Option<Instant>,
    report: &mut JobsReport,
    odm: &Odm,
) -> Result<()> {
    let (mut left, mut size, mut all) = (keys, BatchSize::new(TOGETHER), Ok(()));
    while !left.is_empty() {
        let (part, rest) = size.split(left);
        match apply_together(reference, part.to_vec(), until, report, odm).await {
            Ok(()) => size.grow(),
            Err(error) if !error.is_about_one_document() => return Err(error),
            Err(_) if size.halve(part.len()) => continue,
            Err(error) => {
                tracing::error!(reference = %reference.name, document = ?part, %error, "cannot apply the deltas of a document");
                all = all.and(Err(error));
            }
        }
        left = rest;
    }
    all
}

/// Applies the deltas of keys whose documents one transaction updates.
async fn apply_together(
    reference: &Arc<ExtendedReference>,
    mut keys: Vec<JoinKey>,
    until: Option<Instant>,
    report: &mut JobsReport,
    odm: &Odm,
) -> Result<()> {
    let (mut behind, mut is_second) = (Vec::new(), false);
    loop {
        let state = (Arc::clone(reference), keys.clone());
        let exec = Exec::on(odm.clone());
        let folded = exec.together(state, |(reference, keys), exec| async move {
            follow::fold(&reference, &keys, &exec).await
        });
        let folded = folded.await?;
        report.folded += folded.deltas;
        report.modified += folded.modified;
        for ran in run_all(folded.jobs, until, odm).await? {
            report.failed += ran.jobs.failed;
            report.left += ran.jobs.left;
        }
        // The deltas for the removed keys cannot be applied until a job has run. If these keys were kept, the next
        // pass would read their deltas again.
        keys.retain(|key| !folded.behind.contains(key));
        behind.extend(folded.behind);
        if !folded.are_all {
            continue;
        }
        // Either the jobs have run now, or no runner can run them at the moment.
        if behind.is_empty() || is_second {
            return Ok(());
        }
        (keys, is_second) = (std::mem::take(&mut behind), true);
    }
}

/// All deltas for relations that this program declares.
pub(super) struct PendingDeltas<'r> {
    pub(super) odm: &'r Odm,
    pub(super) so_far: &'r RunProgress,
}

impl Work for PendingDeltas<'_> {
    async fn piece(&mut self, _pace: &mut Pace) -> Result<Step> {
        let found = delta::foldable(LISTED, &Exec::on(self.odm.clone())).await?;
        let waiting = found.iter();
        let waiting = waiting.map(|(reference, key)| (reference.relation.clone(), key.clone()));
        let mut report = JobsReport::default();
        let applied = apply_all(waiting.collect(), &mut report, self.odm).await;
        self.so_far.add(report);
        match applied {
            Err(error) if !error.is_about_one_document() => Err(error),
            // Deltas that wait for a job, or whose document the server rejects, are listed again in each pass. Without
            // this check, the loop would never end.
            _ if report.folded > 0 => Ok(Step::AGAIN),
            applied => applied.map(|()| Step::Over),
        }
    }
}
