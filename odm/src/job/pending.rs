//! Runs the jobs whose time has come.

use std::{collections::HashSet, fmt};

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{
    run::{End, Ran, run_to_end},
    store::{self, JobId},
};
use crate::{copy::Rule, error::Result, odm::Odm};

/// What running the pending jobs did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobsReport {
    /// How many jobs were run.
    pub run: u64,
    /// How many of them are finished and gone.
    pub finished: u64,
    /// How many wait for their last look at all copies.
    pub settling: u64,
    /// How many have documents that cannot take their copies; they are tried again later.
    pub failed: u64,
    /// How many documents were changed.
    pub modified: u64,
    /// How many could not be run now, because the server or another runner was in the way.
    pub left: u64,
}

impl fmt::Display for JobsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} jobs run: {} finished, {} settling, {} failed, {} left; {} documents changed",
            self.run, self.finished, self.settling, self.failed, self.left, self.modified
        )
    }
}

/// How many jobs are run at once.
const AT_ONCE: usize = 4;

impl Odm {
    /// Runs all jobs whose time has come, and returns when there is none left.
    ///
    /// One `find` for 100 jobs, and for each job a `findAndModify` that takes it, a transaction for
    /// each batch of copies, and one that ends it. Any number of programs may do this at once.
    ///
    /// # Errors
    ///
    /// What the server reports when the jobs are listed; a job that fails is counted and left.
    pub async fn run_pending_jobs(&self) -> Result<JobsReport> {
        let mut report = JobsReport::default();
        // By their state: one that is run can be made anew by the job that it copies from.
        let mut seen = HashSet::new();
        // Those that cannot be run are due as ever, and are not in the way of others.
        let mut stuck: Vec<JobId> = Vec::new();
        loop {
            let mut due = store::due(100, &stuck, self).await?;
            due.retain(|(_, version)| seen.insert(*version));
            if due.is_empty() {
                return Ok(report);
            }
            let runs = due.into_iter().map(|(id, _)| async move {
                let one = run_one(&id, self).await;
                (id, one)
            });
            let mut runs = stream::iter(runs).buffer_unordered(AT_ONCE);
            while let Some((id, one)) = runs.next().await {
                report.add(one);
                if one.left > 0 {
                    stuck.push(id);
                }
            }
        }
    }
}

async fn run_one(id: &JobId, odm: &Odm) -> JobsReport {
    let mut report = JobsReport {
        run: 1,
        ..JobsReport::default()
    };
    match run_to_end(id, odm, None).await {
        Ok(ran) => {
            odm.count_job(&ran.reports);
            report.modified = ran.reports.iter().map(|it| it.modified).sum();
            match ran.end {
                End::Gone => report.finished = 1,
                End::Settling => report.settling = 1,
                End::Failed => report.failed = 1,
                End::Foreign => report.left = 1,
            }
        }
        Err(error) => {
            tracing::warn!(source = %id.source, %error, "a job is left to be run later");
            report.left = 1;
        }
    }
    report
}

impl JobsReport {
    const fn add(&mut self, other: Self) {
        self.run += other.run;
        self.finished += other.finished;
        self.settling += other.settling;
        self.failed += other.failed;
        self.modified += other.modified;
        self.left += other.left;
    }
}

/// Runs jobs to their end, some at once, with the jobs of copies of copies that this makes.
pub(crate) async fn run_all(jobs: &[JobId], odm: &Odm) -> Result<Vec<Ran>> {
    let runs = jobs.iter().cloned();
    let runs = runs.map(|id| async move { run_to_end(&id, odm, None).await });
    let ran = stream::iter(runs).buffer_unordered(AT_ONCE);
    let ran = ran.try_collect().await?;
    run_followers(jobs, odm).await?;
    Ok(ran)
}

/// Runs the jobs that running others has made: copies of copies, and what refers to documents that a
/// cascade has deleted.
pub(crate) async fn run_followers(of: &[JobId], odm: &Odm) -> Result<()> {
    let graph = crate::copy::graph();
    let has_followers = of.iter().any(|id| {
        graph.from(&id.source).any(|tie| tie.has_followers)
            || graph.rules(&id.source).any(Rule::acts)
    });
    if has_followers {
        odm.run_pending_jobs().await?;
    }
    Ok(())
}
