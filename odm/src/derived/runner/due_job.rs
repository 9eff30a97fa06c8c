//! Runs the jobs that are due.

use std::collections::HashSet;

use futures_util::{StreamExt, stream};
use mongodb::bson::Bson;

use super::{
    delta_runner::apply_pending_deltas,
    job_group::{AT_ONCE, TOGETHER, in_groups, is_large, warn_of_left},
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
    /// Applies all deltas, runs all due jobs, and returns when none are left.
    ///
    /// Any number of programs can call this at the same time. Jobs for relations that no program has declared for seven
    /// days are removed with a warning.
    ///
    /// # Sends
    ///
    /// - For the deltas: one `aggregate` that lists up to 1,000 documents, and one transaction per 20 documents.
    /// - One `find` per 1,000 due jobs.
    /// - For each group of jobs for one relation: a transaction that claims the jobs, one transaction per batch of
    ///   copies, and one that ends the jobs.
    /// - Once an hour, one `aggregate` that finds jobs for undeclared relations.
    ///
    /// # Errors
    ///
    /// Errors of the server while the call lists jobs. A job that fails stays stored, is counted in
    /// [`JobsReport::left`], and does not stop the others.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped, a batch in progress still runs to completion. The jobs stay stored.
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
        self.run_pending(&so_far).await?;
        Ok(so_far.report())
    }

    /// Runs the due jobs, and adds each result to `so_far`, because the future may be dropped before all jobs have run.
    pub(super) async fn run_pending(&self, so_far: &RunProgress) -> Result<()> {
        let (odm, so_far) = (self.clone(), so_far.clone());
        traced_call(
            "run_pending_jobs",
            async move { odm.run_due(&so_far).await },
        )
        .await
    }

    async fn run_due(&self, so_far: &RunProgress) -> Result<()> {
        declaration::declare_if_due(self).await?;
        // A failure of this call or of the deltas must not stop the jobs.
        if let Err(error) = declaration::remove_orphans(self).await {
            tracing::warn!(%error, "cannot search for jobs of undeclared relations; this is tried again later");
        }
        match apply_pending_deltas(self).await {
            Ok(folded) => so_far.add(folded),
            Err(error) => tracing::warn!(%error, "cannot apply deltas; they are applied later"),
        }
        // Contains versions, not ids: running a job can store a job again that has already run.
        let mut seen = HashSet::new();
        // Jobs that cannot run are still due. Without this list they would use up the limit.
        let mut stuck: Vec<Bson> = Vec::new();
        loop {
            let due = outbox::due(TOGETHER, &stuck, self).await?;
            let new = due.into_iter().filter(|(_, version)| seen.insert(*version));
            let mut new = in_groups(new.map(|(id, _)| id));
            // Several runners that list the same jobs should begin with different ones.
            fastrand::shuffle(&mut new);
            if new.is_empty() {
                return Ok(());
            }
            let runs = new.into_iter().map(|ids| async move {
                let some = run_some(ids.clone(), self).await;
                (ids, some)
            });
            let mut runs = stream::iter(runs).buffer_unordered(AT_ONCE);
            while let Some((ids, some)) = runs.next().await {
                so_far.add(some);
                if some.left > 0 {
                    // Jobs with large keys do not fit into the next statement. Their versions are in `seen`.
                    let small = ids.iter().filter(|id| !is_large(id));
                    stuck.extend(small.map(JobId::to_bson));
                }
            }
        }
    }
}

async fn run_some(ids: Vec<JobId>, odm: &Odm) -> JobsReport {
    let run = ids.len() as u64;
    let mut report = match run_to_end(ids.clone(), odm, None, None).await {
        Ok(ran) => {
            odm.count_job(&ran.reports);
            let modified = ran.reports.iter().map(|it| it.modified).sum();
            JobsReport {
                modified,
                ..ran.jobs
            }
        }
        Err(error) => {
            warn_of_left(ids.first(), &error);
            // The error is ignored, because the server may have caused the first error too.
            let _ = outbox::note_error(&ids, &error, &Exec::on(odm.clone())).await;
            JobsReport {
                left: run,
                ..JobsReport::default()
            }
        }
    };
    report.run = run;
    report
}
