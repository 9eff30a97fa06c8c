//! One sweep over all copies of some keys, batch by batch.

mod delete_rule;

use std::time::Instant;

use mongodb::bson::Bson;

use super::{
    batch_pace::Pace,
    job_batch::{self, BatchOutcome, Span},
    run_report::{Failed, RunResult},
};
use crate::{
    client::odm::{Exec, Odm},
    derived::{
        outbox::{Job, JobCursor, Phase, Progress, ProgressFn},
        values::{CopyReport, Form, Guarantee, Values},
    },
    error::Result,
    graph::{ExtendedReference, graph},
    value::key::JoinKey,
};

/// Goes over all copies of jobs of one relation once, or over all references to their keys; returns the
/// documents that could not take theirs.
pub(super) async fn sweep(
    jobs: &[Job],
    cursor: &JobCursor,
    odm: &Odm,
    progress: Option<&ProgressFn>,
    ran: &mut RunResult,
) -> Result<Vec<Failed>> {
    let Some(Job { id, phase, .. }) = jobs.first() else {
        return Ok(Vec::new());
    };
    // A sweep looks at all copies: it knows better than those before it which cannot be written.
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
        failed: Vec::new(),
    };
    let keys: Vec<JoinKey> = jobs.iter().map(|job| job.id.key.clone()).collect();
    // The last look is one at all copies: an earlier runner may have left some behind that could not
    // take theirs, and nobody but itself knew.
    let at = cursor.at.clone().filter(|_| *phase == Phase::Run);
    for reference in graph().references_of(&id.relation) {
        let lo = at.as_ref().filter(|(name, _)| *name == reference.name);
        sweep
            .reference(reference, &keys, lo.map(|(_, lo)| lo.clone()))
            .await?;
    }
    let acting = jobs.iter().filter(|job| !job.holds);
    let keys: Vec<JoinKey> = acting.map(|job| job.id.key.clone()).collect();
    if !keys.is_empty() {
        for rule in graph().rules_of(&id.relation) {
            sweep.rule(rule, &keys).await?;
        }
    }
    Ok(sweep.failed)
}

/// The code of the server for a hint that names no index.
const BAD_VALUE: i32 = 2;

struct Sweep<'p> {
    cursor: &'p JobCursor,
    odm: &'p Odm,
    progress: Option<&'p ProgressFn>,
    ran: &'p mut RunResult,
    pace: Pace,
    /// Whether no statement has missed the index on the key so far.
    is_indexed: bool,
    /// What the copies of the last batch had to hold.
    values: Option<(&'static ExtendedReference, Values)>,
    started: Instant,
    failed: Vec<Failed>,
}

impl Sweep<'_> {
    async fn reference(
        &mut self,
        reference: &'static ExtendedReference,
        keys: &[JoinKey],
        lo: Option<Bson>,
    ) -> Result<()> {
        if reference.is_by_document() {
            return self.key_ranges(reference, keys).await;
        }
        for key in keys {
            self.documents(reference, key.clone(), lo.clone()).await?;
        }
        Ok(())
    }

    /// The keys are the ids of the documents: a part of them at a time.
    async fn key_ranges(
        &mut self,
        reference: &'static ExtendedReference,
        keys: &[JoinKey],
    ) -> Result<()> {
        let mut left = keys;
        while !left.is_empty() {
            let (now, _) = left.split_at(self.pace.size().min(left.len()));
            let only = (now.len() == 1).then(|| now.first()).flatten();
            let only = only.map(JoinKey::to_bson);
            let done = self.batch(reference, now.to_vec(), None, only).await?;
            if done.is_some() {
                left = left.get(now.len()..).unwrap_or_default();
            }
        }
        Ok(())
    }

    /// One key, whose documents are in the order of their ids.
    async fn documents(
        &mut self,
        reference: &'static ExtendedReference,
        key: JoinKey,
        mut lo: Option<Bson>,
    ) -> Result<()> {
        loop {
            // The error of a batch of one document does not tell its id, so the id is read before.
            let mut single = None;
            if self.pace.size() == 1 {
                single = self.next_id(reference, &key, lo.as_ref()).await?;
                // A batch without documents would still read the sources. If these cannot be read, it would fail forever.
                if single.is_none() {
                    return Ok(());
                }
            }
            let keys = vec![key.clone()];
            match self.batch(reference, keys, lo.clone(), single).await? {
                Some(BatchOutcome { hi: Some(hi), .. }) => lo = Some(hi),
                Some(BatchOutcome { hi: None, .. }) => return Ok(()),
                // The batch has become smaller.
                None => {}
            }
        }
    }

    async fn next_id(
        &self,
        reference: &'static ExtendedReference,
        key: &JoinKey,
        lo: Option<&Bson>,
    ) -> Result<Option<Bson>> {
        let span = Span {
            reference,
            keys: vec![key.clone()],
            lo: lo.cloned(),
            size: 1,
            is_indexed: self.is_indexed,
        };
        span.end(&Exec::on(self.odm.clone())).await
    }

    /// Runs one batch. One that the server refuses is halved until the document is found that cannot
    /// take its copy; `single` is that document, which is left behind.
    async fn batch(
        &mut self,
        reference: &'static ExtendedReference,
        keys: Vec<JoinKey>,
        lo: Option<Bson>,
        single: Option<Bson>,
    ) -> Result<Option<BatchOutcome>> {
        let began = Instant::now();
        let key = keys.first().cloned();
        let span = Span {
            reference,
            keys,
            lo,
            size: self.pace.size(),
            is_indexed: self.is_indexed,
        };
        let mut done = match job_batch::run(span, self.cursor.clone(), self.odm).await {
            Ok(done) => done,
            // The hint names an index that does not exist: the write was forced. The next try reads the collection.
            Err(error) if self.is_indexed && error.server_code() == Some(BAD_VALUE) => {
                self.is_indexed = false;
                return Ok(None);
            }
            Err(error) if error.is_about_one_document() => {
                if self.pace.halve() || single.is_none() {
                    return Ok(None);
                }
                tracing::error!(reference = %reference.name, document = ?single, %error, "a copy cannot be written");
                let why = error.to_string();
                let failed = key.zip(single.clone());
                self.failed.extend(failed.map(|(key, document)| Failed {
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
        let pause = self.pace.next_pause(began.elapsed());
        if done.hi.is_some() && !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Ok(Some(done))
    }

    /// Whether the source has changed since the last batch of the same extended reference.
    fn changed(&mut self, reference: &'static ExtendedReference, values: Option<Values>) -> bool {
        let before = std::mem::replace(&mut self.values, values.map(|values| (reference, values)));
        match (before, &self.values) {
            (Some((of, before)), Some((_, now))) => std::ptr::eq(of, reference) && before != *now,
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
