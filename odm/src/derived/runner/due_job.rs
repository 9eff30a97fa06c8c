//! Runs jobs that are due, and applies pending deltas.

use std::{
    collections::HashSet,
    panic::AssertUnwindSafe,
    pin::pin,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use futures_util::{FutureExt, StreamExt};
use mongodb::bson::{Bson, oid::ObjectId};

use super::{
    batch_pace::Pace,
    delta_runner::PendingDeltas,
    drive::{Step, Work, drive},
    first_look::first_look,
    job_group::{TOGETHER, in_groups, is_large, is_refusable, run_groups, warn_of_left},
    job_run::run_to_end,
    run_report::{JobsReport, RunProgress},
};
use crate::{
    client::odm::{Exec, Odm, traced_call},
    derived::{
        declaration,
        outbox::{self, JobId},
    },
    error::Result,
};

impl Odm {
    /// Applies all pending deltas and runs all due jobs. Returns when no more jobs are due and no deltas are pending.
    ///
    /// Several programs can make this call at the same time. If no program has declared a relation for seven days, the
    /// call removes the relation's jobs and logs a warning.
    ///
    /// # Sends
    ///
    /// - For the deltas: one `aggregate` for every 1,000 documents that have deltas, and one transaction for every 20
    ///   of these documents.
    /// - One `find` for every 5,000 due jobs.
    /// - For each group of jobs for the same relation: one transaction to claim the jobs, one for each batch of copies,
    ///   and one to end the jobs.
    /// - Once an hour, one `aggregate` that finds jobs for undeclared relations.
    ///
    /// # Errors
    ///
    /// Server errors that occur while the call lists the jobs. A job that fails stays stored and is counted in
    /// [`JobsReport::left`]. A failed job does not prevent other jobs from running.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped, the current batch still runs to completion, and
    /// [`finish_writes`](Self::finish_writes) waits for this batch. Unfinished jobs stay stored.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let report = odm.run_pending_jobs().await?;
    /// assert_eq!(report.failed, 0, "{report}");
    /// # Ok(()) }
    /// ```
    pub async fn run_pending_jobs(&self) -> Result<JobsReport> {
        let so_far = RunProgress::default();
        let odm = self.with_awaited_transactions();
        odm.run_pending(&so_far, Busy::Await).await?;
        Ok(so_far.report())
    }

    /// Looks for missed copies and runs the due jobs, for a task that does this again and again. Errors and panics are
    /// only logged, because the next pass tries again.
    pub(super) async fn run_pass(&self, so_far: &RunProgress) {
        let pass = async {
            first_look(self).await;
            self.run_pending(so_far, Busy::Skip).await
        };
        match AssertUnwindSafe(pass).catch_unwind().await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "cannot list jobs; they are run later"),
            Err(_) => tracing::error!("a run of jobs has panicked; they are run later"),
        }
    }

    /// Runs the due jobs. Adds each result to `so_far`, because the future may be dropped before all jobs have run.
    async fn run_pending(&self, so_far: &RunProgress, busy: Busy) -> Result<()> {
        let (odm, so_far) = (self.clone(), so_far.clone());
        let run = async move { odm.run_due(&so_far, busy).await };
        traced_call("run_pending_jobs", run).await
    }

    async fn run_due(&self, so_far: &RunProgress, busy: Busy) -> Result<()> {
        declaration::declare_if_due(self).await?;
        // Even if this call fails or the deltas cannot be applied, the jobs must run.
        if let Err(error) = declaration::remove_orphans(self).await {
            tracing::warn!(%error, "cannot search for jobs of undeclared relations; this is tried again later");
        }
        let mut pace = Pace::new(0.0);
        let mut deltas = PendingDeltas { odm: self, so_far };
        if let Err(error) = drive(&mut deltas, &mut pace).await {
            tracing::warn!(%error, "cannot apply deltas; they are applied later");
        }
        let mut jobs = DueJobs {
            odm: self,
            so_far,
            busy,
            has_skipped: AtomicBool::new(false),
            seen: HashSet::new(),
            stuck: Vec::new(),
        };
        drive(&mut jobs, &mut pace).await
    }
}

/// What a run does with jobs on which another runner is working.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Busy {
    /// The run waits until the other runner has ended.
    Await,
    /// The run leaves these jobs to the other runner. Otherwise, a worker would run no other jobs until a long job has
    /// ended.
    Skip,
}

/// The work of running all due jobs.
struct DueJobs<'r> {
    odm: &'r Odm,
    so_far: &'r RunProgress,
    busy: Busy,
    /// Whether the run has left jobs to other runners.
    has_skipped: AtomicBool,
    /// The jobs that have already run, with their versions. A running job can store a job again that has already run. Only
    /// the version shows this. A version alone does not identify a job, because a retry gives many jobs the same version.
    seen: HashSet<(JobId, ObjectId)>,
    /// The jobs that cannot run. These jobs stay due, so they would use up the limit of the query if this list did not
    /// exclude them.
    stuck: Vec<Bson>,
}

impl Work for DueJobs<'_> {
    async fn piece(&mut self, _pace: &mut Pace) -> Result<Step> {
        let (odm, busy) = (self.odm, self.busy);
        let due = outbox::due(TOGETHER, &self.stuck, odm).await?;
        let new = due.into_iter().filter(|job| self.seen.insert(job.clone()));
        let mut new = in_groups(new.map(|(id, _)| id));
        // Several runners may list the same jobs, so each runner processes the groups in a random order.
        fastrand::shuffle(&mut new);
        if new.is_empty() {
            return Ok(Step::Over);
        }
        let has_skipped = &self.has_skipped;
        let runs = run_groups(new, |ids| async move {
            // The jobs of another runner may still delete the documents that forbid this delete.
            let waits = has_skipped.load(Ordering::Relaxed) && is_refusable(&ids);
            let some = if waits {
                JobsReport {
                    left: ids.len() as u64,
                    ..JobsReport::default()
                }
            } else {
                run_some(ids.clone(), odm, busy).await
            };
            if busy == Busy::Skip && some.left > 0 {
                has_skipped.store(true, Ordering::Relaxed);
            }
            (ids, some)
        });
        let mut runs = pin!(runs);
        while let Some((ids, some)) = runs.next().await {
            self.so_far.add(some);
            if some.left > 0 {
                // The ids of jobs with large keys would not fit into the next statement. Such jobs are skipped anyway,
                // because `seen` contains them.
                let small = ids.iter().filter(|id| !is_large(id));
                self.stuck.extend(small.map(JobId::to_bson));
            }
        }
        Ok(Step::AGAIN)
    }
}

async fn run_some(ids: Vec<JobId>, odm: &Odm, busy: Busy) -> JobsReport {
    let run = ids.len() as u64;
    let until = (busy == Busy::Skip).then(Instant::now);
    match run_to_end(ids.clone(), odm, None, until).await {
        Ok(ran) => {
            odm.count_job(&ran.reports);
            let modified = ran.reports.iter().map(|it| it.modified).sum();
            JobsReport {
                run: run.saturating_sub(ran.jobs.left),
                modified,
                ..ran.jobs
            }
        }
        Err(error) => {
            warn_of_left(ids.first(), &error);
            // An error here is ignored, because it may have the same cause as the first error.
            let _ = outbox::note_error(&ids, &error, &Exec::on(odm.clone())).await;
            JobsReport {
                run,
                left: run,
                ..JobsReport::default()
            }
        }
    }
}
