//! A sweep: one pass over all copies of some keys, in batches.

mod delete_rule;
mod key_group;

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use mongodb::bson::Bson;

use super::{
    batch_pace::Pace,
    job_batch::{self, BatchOutcome, Extent, Span},
    run_report::{Failed, RunResult},
};
use crate::{
    client::odm::{Exec, Odm},
    derived::{
        outbox::{Job, JobCursor, Phase, Progress, ProgressFn, RENEW_EVERY},
        values::{CopyReport, Form, Guarantee, Values},
    },
    error::Result,
    graph::{ExtendedReference, Targets, graph},
    value::key::JoinKey,
};

/// The documents and keys that a sweep could not process.
#[derive(Debug, Default)]
pub(super) struct Swept {
    /// The documents that could not store their copies.
    pub(super) failed: Vec<Failed>,
    /// The keys that need a separate run. A key needs one if it has too many copies for a batch, or if one of its
    /// documents cannot store its copy. The jobs for these keys are not finished.
    pub(super) alone: HashSet<JoinKey>,
}

/// Processes all copies of the keys of some jobs once, or all references to these keys. All jobs have the same
/// relation.
pub(super) async fn sweep(
    jobs: &[Job],
    cursor: &JobCursor,
    odm: &Odm,
    progress: Option<&ProgressFn>,
    ran: &mut RunResult,
) -> Result<Swept> {
    let Some(Job { id, phase, .. }) = jobs.first() else {
        return Ok(Swept::default());
    };
    // A sweep processes all copies again, so its failures replace those of earlier sweeps.
    for report in &mut ran.reports {
        report.failed.clear();
        report.why = None;
    }
    for report in &mut ran.cascaded {
        report.failed.clear();
    }
    let mut sweep = Sweep {
        cursor,
        odm,
        progress,
        ran,
        pace: Pace::new(odm.settings().nice),
        is_indexed: true,
        values: None,
        started: Instant::now(),
        pause: Duration::ZERO,
        renewed: Instant::now(),
        is_last_look: jobs.iter().all(|job| job.phase == Phase::Settle),
        left: Swept::default(),
    };
    let keys: Vec<JoinKey> = jobs.iter().map(|job| job.id.key.clone()).collect();
    // The last look begins at the first copy, because the position of an earlier runner does not show which copies it
    // had to skip.
    let at = cursor.at.clone().filter(|_| *phase == Phase::Run);
    for reference in graph().references_of(&id.relation) {
        let lo = at.as_ref().filter(|(name, _)| *name == reference.name);
        sweep
            .reference(reference, &keys, lo.map(|(_, lo)| lo.clone()))
            .await?;
    }
    let acting = jobs.iter().filter(|job| !job.holds);
    let acting = acting.filter(|job| !sweep.left.alone.contains(&job.id.key));
    let keys: Vec<JoinKey> = acting.map(|job| job.id.key.clone()).collect();
    if !keys.is_empty() {
        for rule in graph().rules_of(&id.relation) {
            sweep.rule(rule, &keys).await?;
        }
    }
    Ok(sweep.left)
}

/// The error code with which the server rejects a hint to a missing index.
const BAD_VALUE: i32 = 2;

struct Sweep<'p> {
    cursor: &'p JobCursor,
    odm: &'p Odm,
    progress: Option<&'p ProgressFn>,
    ran: &'p mut RunResult,
    pace: Pace,
    /// The pause after the last batch. The server can process other writes during this pause.
    pause: Duration,
    /// Whether the index on the key exists, according to the replies so far.
    is_indexed: bool,
    /// The values that the last batch wrote.
    values: Option<(Arc<ExtendedReference>, Values)>,
    started: Instant,
    /// When the cursors of all jobs were last written.
    renewed: Instant,
    /// Whether all jobs are in the phase `settle`. The jobs in a group can have different phases.
    is_last_look: bool,
    left: Swept,
}

impl Sweep<'_> {
    async fn reference(
        &mut self,
        reference: &Arc<ExtendedReference>,
        keys: &[JoinKey],
        lo: Option<Bson>,
    ) -> Result<()> {
        match (reference.targets(), keys) {
            (Targets::OneById, keys) => self.key_ranges(reference, keys).await,
            (Targets::All, [key]) if self.cursor.ids.len() == 1 => {
                self.documents(reference, key.clone(), lo).await
            }
            (Targets::All, keys) => self.key_group(reference, keys).await,
        }
    }

    /// Returns the cursors that a batch writes. These are the cursors of its keys. At intervals, a batch writes all
    /// cursors, to extend their leases.
    fn cursor_of(&mut self, reference: &ExtendedReference, keys: &[JoinKey]) -> JobCursor {
        if keys.len() < self.cursor.ids.len() && self.renewed.elapsed() < RENEW_EVERY {
            return self.cursor.of_keys(reference, keys);
        }
        self.renewed = Instant::now();
        self.cursor.clone()
    }

    /// Waits for the pause that is due after the last batch.
    async fn rest(&self) {
        if !self.pause.is_zero() {
            tokio::time::sleep(self.pause).await;
        }
    }

    /// Processes keys that are the ids of the documents that contain the copies. Each batch covers some of the keys.
    async fn key_ranges(
        &mut self,
        reference: &Arc<ExtendedReference>,
        keys: &[JoinKey],
    ) -> Result<()> {
        let mut left = keys;
        while !left.is_empty() {
            let (now, rest) = self.pace.size.split(left);
            let only = match now {
                [key] => Some(key.to_bson()),
                _ => None,
            };
            let done = self.batch(reference, now.to_vec(), Extent::ById, only);
            if done.await?.is_some() {
                left = rest;
            }
        }
        Ok(())
    }

    /// Processes the documents that contain copies of one key, in the order of their ids.
    async fn documents(
        &mut self,
        reference: &Arc<ExtendedReference>,
        key: JoinKey,
        mut lo: Option<Bson>,
    ) -> Result<()> {
        loop {
            // If a batch of one document fails, the error does not contain the id of that document. So the id is read
            // first.
            let mut single = None;
            if self.pace.size.get() == 1 {
                single = self.next_id(reference, &key, lo.as_ref()).await?;
                // A batch without documents would still read the sources. If the sources cannot be read, the batch
                // would fail again and again.
                if single.is_none() {
                    return Ok(());
                }
            }
            let keys = vec![key.clone()];
            let extent = Extent::After(lo.clone(), self.pace.size.get());
            match self.batch(reference, keys, extent, single).await? {
                Some(BatchOutcome { hi: Some(hi), .. }) => {
                    lo = Some(hi);
                    self.rest().await;
                }
                Some(BatchOutcome { hi: None, .. }) => return Ok(()),
                // The batch is repeated, either with fewer documents or without a hint.
                None => {}
            }
        }
    }

    async fn next_id(
        &self,
        reference: &Arc<ExtendedReference>,
        key: &JoinKey,
        lo: Option<&Bson>,
    ) -> Result<Option<Bson>> {
        let span = Span {
            reference: Arc::clone(reference),
            keys: vec![key.clone()],
            extent: Extent::After(lo.cloned(), 1),
            is_indexed: self.is_indexed,
        };
        span.end(&Exec::on(self.odm.clone())).await
    }

    /// Runs one batch. Returns `None` if the batch has to be repeated. If the server rejects a batch, it is halved
    /// until it contains only the failing document. `single` is the id of that document, which is then skipped.
    async fn batch(
        &mut self,
        reference: &Arc<ExtendedReference>,
        keys: Vec<JoinKey>,
        extent: Extent,
        single: Option<Bson>,
    ) -> Result<Option<BatchOutcome>> {
        let began = Instant::now();
        let key = keys.first().cloned();
        let cursor = self.cursor_of(reference, &keys);
        let sent = match extent {
            Extent::After(_, size) => size,
            Extent::ById | Extent::All(_) => keys.len(),
        };
        let span = Span {
            reference: Arc::clone(reference),
            keys,
            extent: extent.clone(),
            is_indexed: self.is_indexed,
        };
        let mut done = match job_batch::run(span, cursor, self.odm).await {
            Ok(done) if extent.is_exceeded(done.copies) => return Ok(Some(done)),
            Ok(done) => done,
            // A forced write does not require the index, so the index in the hint can be missing. The next try is sent
            // without a hint.
            Err(error) if self.is_indexed && error.server_code() == Some(BAD_VALUE) => {
                self.is_indexed = false;
                return Ok(None);
            }
            Err(error) if error.is_about_one_document() => {
                // A group halves its keys.
                if matches!(extent, Extent::All(_)) || self.pace.size.halve(sent) {
                    return Ok(None);
                }
                tracing::error!(reference = %reference.name, document = ?single, %error, "cannot write a copy");
                let why = error.to_string();
                let failed = key.zip(single.clone());
                self.left
                    .failed
                    .extend(failed.map(|(key, document)| Failed {
                        key,
                        document,
                        why: why.clone(),
                    }));
                BatchOutcome {
                    hi: single.clone(),
                    failed: single.map(|document| (document, why)),
                    ..BatchOutcome::default()
                }
            }
            Err(error) => return Err(error),
        };
        self.report(reference, &done);
        self.ran.add_made(std::mem::take(&mut done.made));
        let changed = self.changed(reference, done.values.take());
        self.pace.note(changed);
        self.pause = self.pace.next_pause(began.elapsed());
        Ok(Some(done))
    }

    /// Whether the source has changed since the last batch for the same extended reference.
    fn changed(&mut self, reference: &Arc<ExtendedReference>, values: Option<Values>) -> bool {
        let now = values.map(|values| (Arc::clone(reference), values));
        let before = std::mem::replace(&mut self.values, now);
        match (before, &self.values) {
            (Some((of, before)), Some((_, now))) => Arc::ptr_eq(&of, reference) && before != *now,
            _ => false,
        }
    }

    fn report(&mut self, reference: &ExtendedReference, done: &BatchOutcome) {
        let mut report = CopyReport::new(reference, Form::Job, Guarantee::Converged);
        (report.matched, report.modified, report.batches) = (done.modified, done.modified, 1);
        if let Some((document, why)) = &done.failed {
            report.failed.push(document.clone());
            report.why = Some(why.clone());
        }
        report.merge_into(&mut self.ran.reports);
        if let (Some(progress), Some(all)) = (
            self.progress,
            self.ran
                .reports
                .iter()
                .find(|all| all.relation == reference.name),
        ) {
            progress.call(&Progress {
                relation: reference.name.clone(),
                modified: all.modified,
                batches: all.batches,
                elapsed: self.started.elapsed(),
            });
        }
    }
}
