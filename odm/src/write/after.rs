//! What is left to be done when a write is committed.

use futures_util::future::BoxFuture;

use crate::{
    copy::{CopyReport, Guarantee},
    effects::{Arrived, Effects, FanOut, Follow, Followed, Written, recheck},
    error::Result,
    odm::{AfterCommit, Exec},
    outbox::{JobId, ProgressFn},
    runner::{in_groups, run_followers, run_to_end, warn_of_left},
};

/// Prepares the server for what follows a write.
pub(super) async fn ready(effects: &Effects, fan_out: &FanOut, exec: &Exec) -> Result<()> {
    if effects.is_empty() || exec.is_paper() {
        return Ok(());
    }
    let references = &effects.images.references;
    exec.odm().ready_for(references, fan_out.force).await
}

/// What a transaction leaves behind.
#[derive(Debug)]
pub(crate) struct Outcome<T> {
    pub(crate) value: T,
    pub(crate) followed: Followed,
    pub(crate) written: Vec<Written>,
    pub(crate) arrived: Vec<Arrived>,
}

impl<T> Outcome<T> {
    pub(crate) fn of(value: T) -> Self {
        Self {
            value,
            followed: Followed::default(),
            written: Vec::new(),
            arrived: Vec::new(),
        }
    }

    /// Makes the same of another value.
    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome {
            value: map(self.value),
            followed: self.followed,
            written: self.written,
            arrived: self.arrived,
        }
    }

    /// Does what is left, now or when the transaction of the caller is committed.
    pub(crate) async fn finish(self, fan_out: &FanOut, exec: &Exec) -> (T, Vec<CopyReport>) {
        let mut reports = self.followed.reports;
        let mut after = After {
            written: self.written,
            arrived: self.arrived,
            jobs: self.followed.jobs,
            counted: Vec::new(),
        };
        if fan_out.how == Follow::Deferred {
            after.jobs.clear();
        }
        let odm = exec.odm();
        if let Some(tx) = exec.transaction() {
            after.counted.clone_from(&reports);
            tx.after_commit(after);
        } else if !(exec.is_paper() && exec.in_transaction()) {
            let ran = after.finish(exec, fan_out.progress.as_ref()).await;
            reports = merge(reports, ran);
            if !exec.is_paper() && !odm.has_transactions().await.unwrap_or(true) {
                for report in &mut reports {
                    report.guarantee = report.guarantee.min(Guarantee::BestEffort);
                }
            }
            if !exec.is_paper() {
                odm.count_fan_out(&reports);
            }
        }
        (self.value, reports)
    }
}

/// Puts what jobs have done in place of what was promised of them.
fn merge(mut reports: Vec<CopyReport>, ran: Vec<CopyReport>) -> Vec<CopyReport> {
    for report in ran {
        match reports
            .iter_mut()
            .find(|promised| promised.relation == report.relation)
        {
            Some(promised) if promised.guarantee == Guarantee::Eventual => *promised = report,
            _ => report.merge_into(&mut reports),
        }
    }
    reports
}

/// What is left when a write is committed.
#[derive(Debug)]
struct After {
    /// New copies, whose sources are read once more.
    written: Vec<Written>,
    /// New sources, whose copies are looked for once more.
    arrived: Vec<Arrived>,
    /// Jobs that are run to their end.
    jobs: Vec<JobId>,
    /// What the transaction did to copies: a fan-out is counted when it is committed.
    counted: Vec<CopyReport>,
}

impl AfterCommit for After {
    fn run(self: Box<Self>, exec: Exec) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            exec.odm().count_fan_out(&self.counted);
            self.finish(&exec, None).await;
        })
    }
}

impl After {
    /// Does what is left. What fails here is not lost: the jobs are stored, and the last look that
    /// they take finds it.
    async fn finish(mut self, exec: &Exec, progress: Option<&ProgressFn>) -> Vec<CopyReport> {
        let odm = exec.odm();
        let mut reports = Vec::new();
        match recheck(self.written, exec).await {
            Ok(jobs) => self.jobs.extend(jobs),
            Err(error) => {
                tracing::warn!(%error, "new copies are not compared with their sources once more; a job does it later");
            }
        }
        for arrived in self.arrived {
            match arrived.recheck(exec).await {
                Ok(jobs) => self.jobs.extend(jobs),
                Err(error) => {
                    tracing::warn!(%error, "copies of a new source are not looked for once more");
                }
            }
        }
        if exec.is_paper() {
            return reports;
        }
        for ids in in_groups(self.jobs.iter().cloned()) {
            let first = ids.first().cloned();
            match run_to_end(ids, odm, progress).await {
                Ok(ran) => {
                    let eventual = ran.jobs.failed + ran.jobs.left > 0;
                    for mut report in ran.reports {
                        if eventual {
                            report.guarantee = Guarantee::Eventual;
                        }
                        report.merge_into(&mut reports);
                    }
                }
                Err(error) => warn_of_left(first.as_ref(), &error),
            }
        }
        if let Err(error) = run_followers(&self.jobs, odm).await {
            tracing::warn!(%error, "jobs of copies of copies are left to be run later");
        }
        reports
    }
}
