//! Runs the jobs whose time has come.

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
    /// Runs all jobs whose time has come, and returns when there is none left.
    ///
    /// Folds all deltas first: one `aggregate` lists them, and 20 documents that have some are one transaction. Then one
    /// `find` for 1,000 jobs, and for each job a transaction that takes it (a `find`, a `findAndModify`), one
    /// for each batch of copies, and one that ends it; jobs of one relation whose keys are the ids of the
    /// documents with the copies do so together. Any number of programs may do this at once.
    ///
    /// Jobs of relations that no program has declared for seven days are removed, with a warning; once an hour, one
    /// `aggregate` looks for them.
    ///
    /// # Errors
    ///
    /// What the server reports when the jobs are listed; a job that fails is counted and left.
    pub async fn run_pending_jobs(&self) -> Result<JobsReport> {
        let so_far = RunProgress::default();
        self.run_pending(&so_far).await?;
        Ok(so_far.report())
    }

    /// Runs them, and tells meanwhile what was done so far: the future may be dropped before its end.
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
        // Neither this nor the fold may keep the jobs from running if it fails.
        if let Err(error) = declaration::remove_orphans(self).await {
            tracing::warn!(%error, "jobs that are nobody's are looked for later");
        }
        match apply_pending_deltas(self).await {
            Ok(folded) => so_far.add(folded),
            Err(error) => tracing::warn!(%error, "deltas are folded later"),
        }
        // By their state: one that is run can be made anew by the job that it copies from.
        let mut seen = HashSet::new();
        // Those that cannot be run are due as ever, and are not in the way of others.
        let mut stuck: Vec<Bson> = Vec::new();
        loop {
            let due = outbox::due(TOGETHER, &stuck, self).await?;
            let new = due.into_iter().filter(|(_, version)| seen.insert(*version));
            let mut new = in_groups(new.map(|(id, _)| id));
            // Several runners that list the same jobs do not begin with the same.
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
                    // The large ones do not fit into the next statement, and were seen.
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
            // The server may be what is in the way.
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
