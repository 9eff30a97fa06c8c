//! Runs one job: passes over all copies until the source stays the same.

mod rule;

use std::time::{Duration, Instant};

use mongodb::bson::{Bson, Document};

use super::{
    batch::{self, Done, Pace, Span},
    cursor::{self, Cursor},
    progress::{Progress, ProgressFn},
    store::{self, Job, JobId, Phase},
};
use crate::{
    copy::{CopyReport, Guarantee, Images, Rule, Tie, graph, keys_of},
    error::{Error, Result},
    key::JoinKey,
    odm::{Exec, Odm},
};

/// How a run ended.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    pub(crate) reports: Vec<CopyReport>,
    pub(crate) end: End,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// The job is gone.
    #[default]
    Gone,
    /// The copies are written; a last look follows later.
    Settling,
    /// Documents could not take their copies.
    Failed,
    /// Ties of it are not declared in this program.
    Foreign,
}

/// Runs a job until its copies are written; waits where another runner does it.
pub(crate) async fn run_to_end(
    id: &JobId,
    odm: &Odm,
    progress: Option<&ProgressFn>,
) -> Result<Ran> {
    let mut ran = Ran::default();
    let exec = Exec::Odm(odm.clone());
    let mut pause = Duration::from_millis(5);
    loop {
        let Some(job) = store::read(id, &exec).await? else {
            ran.end = End::Gone;
            return Ok(ran);
        };
        if job.phase == Phase::Settle && !job.due {
            ran.end = End::Settling;
            return Ok(ran);
        }
        if let Some(unknown) = unknown_tie(&job) {
            odm.warn_of_foreign(unknown);
            ran.end = End::Foreign;
            return Ok(ran);
        }
        let Some(cursor) = cursor::claim(&job, odm).await? else {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
            continue;
        };
        match pass(&job, &cursor, odm, progress, &mut ran).await {
            Err(Error::Superseded) => {}
            Err(error) => {
                // Another runner need not wait for the lease to end.
                let _ = cursor.release(&exec).await;
                return Err(error);
            }
            Ok(failed) => {
                // Changes that were made during the pass are for those who made them: under steady
                // renames a caller would never return.
                let finished = finish(&job, &cursor, &failed, odm).await?;
                ran.end = match (failed.is_empty(), job.phase) {
                    (false, _) => End::Failed,
                    (true, Phase::Settle) if finished => End::Gone,
                    (true, _) => End::Settling,
                };
                return Ok(ran);
            }
        }
    }
}

fn unknown_tie(job: &Job) -> Option<&str> {
    let mut names = job.ties.iter().map(String::as_str);
    names.find(|name| !graph().knows(name))
}

/// Ends a pass: the job goes on to its next phase if the source is the one that the pass began with.
async fn finish(job: &Job, cursor: &Cursor, failed: &[Bson], odm: &Odm) -> Result<bool> {
    let state = (job.clone(), cursor.clone(), failed.to_vec());
    Exec::Odm(odm.clone())
        .together(state, |(job, cursor, failed), exec| async move {
            // The runner's right to say so, and its end.
            cursor.advance("", None, &exec).await?;
            let unchanged = if !failed.is_empty() {
                store::put_off(&job.id, job.version, &failed, &exec).await?;
                true
            } else if job.phase == Phase::Run {
                store::to_settle(&job.id, job.version, &exec).await?
            } else {
                store::remove(&job.id, job.version, &exec).await?
            };
            cursor.release(&exec).await?;
            Ok(unchanged)
        })
        .await
        .or_else(|error| match error {
            Error::Superseded => Ok(false),
            error => Err(error),
        })
}

/// Goes over all copies once; returns the ids of documents that could not take theirs.
async fn pass(
    job: &Job,
    cursor: &Cursor,
    odm: &Odm,
    progress: Option<&ProgressFn>,
    ran: &mut Ran,
) -> Result<Vec<Bson>> {
    // A pass looks at all copies: it knows better than those before it which cannot be written.
    for report in &mut ran.reports {
        report.failed.clear();
    }
    let mut pass = Pass {
        cursor,
        odm,
        progress,
        ran,
        pace: Pace::new(odm),
        started: Instant::now(),
        failed: Vec::new(),
    };
    let images = Images::of(&job.id.source);
    let source = image(job, &images, odm).await?;
    // The last look is one at all copies: an earlier runner may have left some behind that could not
    // take theirs, and nobody but itself knew.
    let mut resume = cursor.at.clone().filter(|_| job.phase == Phase::Run);
    if let Some((name, _)) = &resume
        && images.ties.iter().all(|tie| tie.name != *name)
    {
        resume = None;
    }
    for tie in &images.ties {
        let lo = match &resume {
            // Ties before the one where an earlier runner stopped are done.
            Some((name, _)) if tie.name != *name => continue,
            Some(_) => resume.take().map(|(_, lo)| lo),
            None => None,
        };
        let keys = keys_to_write(tie, job, source.as_ref());
        pass.tie(tie, keys, lo).await?;
    }
    if source.is_none() {
        // Those of a delete: a source can be absent because it has not come yet.
        let rules = graph().rules(&job.id.source);
        for rule in rules.filter(|rule| job.ties.contains(&rule.name)) {
            pass.rule(rule, rule_keys(rule, job)).await?;
        }
    }
    Ok(pass.failed)
}

async fn image(job: &Job, images: &Images, odm: &Odm) -> Result<Option<Document>> {
    let Some(collection) = graph().collection(&job.id.source) else {
        return Ok(None);
    };
    let ids = [job.id.key.clone()];
    let exec = Exec::Odm(odm.clone());
    Ok(images.by_ids(collection, &ids, &exec).await?.pop())
}

/// Lists the keys whose copies may be old: those of the source, and those that it had.
fn keys_to_write(tie: &Tie, job: &Job, source: Option<&Document>) -> Vec<JoinKey> {
    let mut keys = keys_of(tie, source);
    if tie.by_id() && keys.is_empty() {
        keys.push(JoinKey::from(job.id.key.clone()));
    }
    let lost = job.lost.iter().filter(|(name, _)| *name == tie.name);
    keys.extend(lost.map(|(_, key)| key.clone()));
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn rule_keys(rule: &Rule, job: &Job) -> Vec<JoinKey> {
    if rule.target_key == "_id" {
        return vec![JoinKey::from(job.id.key.clone())];
    }
    let lost = job.lost.iter().filter(|(name, _)| *name == rule.name);
    lost.map(|(_, key)| key.clone()).collect()
}

struct Pass<'p> {
    cursor: &'p Cursor,
    odm: &'p Odm,
    progress: Option<&'p ProgressFn>,
    ran: &'p mut Ran,
    pace: Pace,
    started: Instant,
    failed: Vec<Bson>,
}

impl Pass<'_> {
    async fn tie(&mut self, tie: &'static Tie, keys: Vec<JoinKey>, lo: Option<Bson>) -> Result<()> {
        if Span::by_id(tie) {
            return self.key_ranges(tie, &keys).await;
        }
        let mut lo = lo;
        for key in keys {
            self.documents(tie, key, lo.take()).await?;
        }
        Ok(())
    }

    /// The keys are the ids of the documents: a part of them at a time.
    async fn key_ranges(&mut self, tie: &'static Tie, keys: &[JoinKey]) -> Result<()> {
        let mut left = keys;
        while !left.is_empty() {
            let (now, _) = left.split_at(self.pace.size().min(left.len()));
            let only = (now.len() == 1).then(|| now.first()).flatten();
            let only = only.map(JoinKey::to_bson);
            let done = self.batch(tie, now.to_vec(), None, only).await?;
            if done.is_some() {
                left = left.get(now.len()..).unwrap_or_default();
            }
        }
        Ok(())
    }

    /// One key, whose documents are in the order of their ids.
    async fn documents(
        &mut self,
        tie: &'static Tie,
        key: JoinKey,
        mut lo: Option<Bson>,
    ) -> Result<()> {
        loop {
            let single = if self.pace.size() == 1 {
                self.next_id(tie, &key, lo.as_ref()).await?
            } else {
                None
            };
            let keys = vec![key.clone()];
            match self.batch(tie, keys, lo.clone(), single).await? {
                Some(Done { hi: Some(hi), .. }) => lo = Some(hi),
                Some(Done { hi: None, .. }) => return Ok(()),
                // The batch has become smaller.
                None => {}
            }
        }
    }

    async fn next_id(
        &self,
        tie: &'static Tie,
        key: &JoinKey,
        lo: Option<&Bson>,
    ) -> Result<Option<Bson>> {
        let span = Span {
            tie,
            keys: vec![key.clone()],
            lo: lo.cloned(),
            size: 1,
        };
        span.end(&Exec::Odm(self.odm.clone())).await
    }

    /// Runs one batch. One that the server refuses is halved until the document is found that cannot
    /// take its copy; `single` is that document, which is left behind.
    async fn batch(
        &mut self,
        tie: &'static Tie,
        keys: Vec<JoinKey>,
        lo: Option<Bson>,
        single: Option<Bson>,
    ) -> Result<Option<Done>> {
        let began = Instant::now();
        let span = Span {
            tie,
            keys,
            lo,
            size: self.pace.size(),
        };
        let done = match batch::run(span, self.cursor.clone(), self.odm).await {
            Ok(done) => done,
            Err(error) if error.is_of_a_document() => {
                if self.pace.halve() || single.is_none() {
                    return Ok(None);
                }
                tracing::error!(tie = %tie.name, document = ?single, %error, "a copy cannot be written");
                self.failed.extend(single.clone());
                Done {
                    hi: single.clone(),
                    failed: single,
                    ..Done::default()
                }
            }
            Err(error) => return Err(error),
        };
        self.report(tie, &done);
        let pause = self.pace.after(began.elapsed());
        if done.hi.is_some() && !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Ok(Some(done))
    }

    fn report(&mut self, tie: &Tie, done: &Done) {
        let mut report = CopyReport::new(&tie.name, tie.target.collection, Guarantee::Converged);
        (report.matched, report.modified, report.batches) = (done.matched, done.modified, 1);
        report.failed.extend(done.failed.clone());
        report.merge_into(&mut self.ran.reports);
        if let (Some(progress), Some(all)) = (
            self.progress,
            self.ran.reports.iter().find(|all| all.relation == tie.name),
        ) {
            progress.call(&Progress {
                relation: tie.name.clone(),
                modified: all.modified,
                batches: all.batches,
                elapsed: self.started.elapsed(),
            });
        }
    }
}
