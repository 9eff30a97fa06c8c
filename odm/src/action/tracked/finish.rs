//! What is left to be done when a write is committed.

use mongodb::{
    bson::{Bson, doc},
    options::{Collation, FindOptions, ReadConcern},
};

use crate::{
    action::any,
    copy::{
        Change, CopyReport, Follow, Followed, Guarantee, Images, Tie, Written, follow, recheck,
        simple, tied,
    },
    error::Result,
    job::{End, JobId, ProgressFn, run_followers, run_to_end},
    key::JoinKey,
    odm::{AfterCommit, Exec, Odm, Query},
};

use super::FanOut;

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

    /// Does what is left, now or when the transaction of the caller is committed.
    pub(crate) async fn finish(self, fan_out: &FanOut, exec: &Exec) -> (T, Vec<CopyReport>) {
        let mut reports = self.followed.reports;
        let mut after = AfterCommit {
            written: self.written,
            arrived: self.arrived,
            jobs: self.followed.jobs,
        };
        if fan_out.how == Follow::Deferred {
            after.jobs.clear();
        }
        match exec {
            Exec::Tx(tx) => tx.after_commit(after),
            Exec::Odm(odm) => {
                let ran = after.run(odm, fan_out.progress.as_ref()).await;
                reports = merge(reports, ran);
                if !odm.has_transactions().await.unwrap_or(true) {
                    for report in &mut reports {
                        report.guarantee = report.guarantee.min(Guarantee::BestEffort);
                    }
                }
            }
        }
        exec.odm().count_fan_out(&reports);
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

impl AfterCommit {
    /// Does what is left. What fails here is not lost: the jobs are stored, and the last look that
    /// they take finds it.
    pub(crate) async fn run(mut self, odm: &Odm, progress: Option<&ProgressFn>) -> Vec<CopyReport> {
        let mut reports = Vec::new();
        match recheck(self.written, odm).await {
            Ok(jobs) => self.jobs.extend(jobs),
            Err(error) => {
                tracing::warn!(%error, "new copies are not compared with their sources once more; a job does it later");
            }
        }
        for arrived in self.arrived {
            if let Err(error) = arrived.recheck(odm).await {
                tracing::warn!(%error, "copies of a new source are not looked for once more");
            }
        }
        let mut followers = false;
        for id in &self.jobs {
            match run_to_end(id, odm, progress).await {
                Ok(ran) => {
                    let eventual = matches!(ran.end, End::Failed | End::Foreign);
                    for mut report in ran.reports {
                        if eventual {
                            report.guarantee = Guarantee::Eventual;
                        }
                        report.merge_into(&mut reports);
                    }
                }
                Err(error) => {
                    tracing::warn!(source = %id.source, %error, "a job is left to be run later");
                }
            }
            followers = true;
        }
        if followers && let Err(error) = run_followers(&self.jobs, odm).await {
            tracing::warn!(%error, "jobs of copies of copies are left to be run later");
        }
        reports
    }
}

/// Sources that are new, with the copies that may have waited for them.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    pub(crate) collection: &'static str,
    pub(crate) ids: Vec<Bson>,
    pub(crate) keys: Vec<(&'static Tie, Vec<JoinKey>)>,
}

impl Arrived {
    /// Looks for copies once more after the commit: one `find` for each tie.
    async fn recheck(self, odm: &Odm) -> Result<()> {
        let exec = Exec::Odm(odm.clone());
        let mut found = Vec::new();
        for (tie, keys) in &self.keys {
            if are_there(tie, keys, &exec).await? {
                found.push(*tie);
            }
        }
        if found.is_empty() {
            return Ok(());
        }
        let images = Images { ties: found };
        let state = (self, images);
        let jobs: Vec<JobId> = exec
            .together(state, |(arrived, images), exec| async move {
                let collection = arrived.collection;
                let now = images.by_ids(collection, &arrived.ids, &exec).await?;
                let changes = now.iter();
                let changes =
                    changes.filter_map(|image| Change::new(collection, &images, None, Some(image)));
                let followed = follow(changes.collect(), Follow::Converge, &exec).await?;
                Ok(followed.jobs)
            })
            .await?;
        for id in &jobs {
            run_to_end(id, odm, None).await?;
        }
        Ok(())
    }
}

/// Whether documents hold copies that are tied to some keys.
pub(crate) async fn are_there(tie: &Tie, keys: &[JoinKey], exec: &Exec) -> Result<bool> {
    if keys.is_empty() {
        return Ok(false);
    }
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let mut options = FindOptions::default();
    (options.projection, options.limit) = (Some(doc! { "_id": 1 }), Some(-1));
    options.collation = collation(tie);
    if !exec.in_transaction() {
        options.read_concern = Some(ReadConcern::majority());
    }
    let query = Query {
        collection: tie.target.collection,
        filter: tied(tie, &keys),
        options,
    };
    any(query, exec).await
}

/// Ids are found by the index that is always there, which has the collation of its collection.
fn collation(tie: &Tie) -> Option<Collation> {
    (tie.key_path() != "_id").then(simple)
}
