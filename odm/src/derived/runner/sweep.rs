//! A sweep: one pass over all copies for some keys, in batches.

mod copies;
mod delete_rule;

use std::{collections::HashSet, sync::Arc, time::Instant};

use mongodb::bson::Bson;

use super::{
    batch_pace::Pace,
    drive::drive,
    run_report::{Failed, RunResult},
};
use crate::{
    batches::BatchSize,
    client::odm::Odm,
    derived::{
        outbox::{Job, JobCursor, Phase, Progress, ProgressFn, RENEW_EVERY},
        values::{CopyReport, Form, Guarantee},
    },
    error::Result,
    graph::{ExtendedReference, Targets, graph},
    value::key::JoinKey,
};
use copies::{By, Copies};

/// The documents and keys that a sweep could not process.
#[derive(Debug, Default)]
pub(super) struct Swept {
    /// The documents that the sweep could not update or delete.
    pub(super) failed: Vec<Failed>,
    /// The keys that need a separate run, because they have too many copies for a batch, or because the sweep could not
    /// update one of the documents. The sweep does not finish the jobs for these keys.
    pub(super) alone: HashSet<JoinKey>,
}

/// Processes all copies for the keys of the given jobs once or, for a delete rule, all references to these keys. All
/// jobs have the same relation.
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
    // Each sweep processes all copies again, so the failures of this sweep replace the failures of earlier sweeps.
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
        is_indexed: true,
        started: Instant::now(),
        renewed: Instant::now(),
        is_last_look: jobs.iter().all(|job| job.phase == Phase::Settle),
        left: Swept::default(),
    };
    let mut pace = Pace::new(odm.settings().nice);
    // The last look begins at the first copy, because an earlier runner's position does not show which documents that
    // runner skipped. A run continues only the run of a program that declares the same copies, because another version
    // of the program has not written the copies that it does not declare.
    let at = cursor.at.clone().filter(|_| *phase == Phase::Run);
    for reference in graph().references_of(&id.relation) {
        let keys = sweep.keys_of(jobs.iter());
        let tie = reference.name_with_copies();
        let lo = at.as_ref().filter(|(of, _)| *of == tie);
        sweep
            .reference(reference, &keys, lo.map(|(_, lo)| lo.clone()), &mut pace)
            .await?;
    }
    let keys = sweep.keys_of(jobs.iter().filter(|job| !job.holds));
    if !keys.is_empty() {
        for rule in graph().rules_of(&id.relation) {
            sweep.rule(rule, &keys, &mut pace).await?;
        }
    }
    Ok(sweep.left)
}

struct Sweep<'p> {
    cursor: &'p JobCursor,
    odm: &'p Odm,
    progress: Option<&'p ProgressFn>,
    ran: &'p mut RunResult,
    /// Whether the index on the key exists. The field becomes false once the server reports that the index is missing.
    is_indexed: bool,
    started: Instant,
    /// The time at which the cursors of all jobs were last written.
    renewed: Instant,
    /// Whether all jobs are in the phase `settle`. The jobs in a group can have different phases.
    is_last_look: bool,
    left: Swept,
}

impl Sweep<'_> {
    /// Returns the keys of the given jobs, without the keys that need a separate run.
    fn keys_of<'j>(&self, jobs: impl Iterator<Item = &'j Job>) -> Vec<JoinKey> {
        let keys = jobs.map(|job| &job.id.key);
        let keys = keys.filter(|key| !self.left.alone.contains(*key));
        keys.cloned().collect()
    }

    async fn reference(
        &mut self,
        reference: &Arc<ExtendedReference>,
        keys: &[JoinKey],
        lo: Option<Bson>,
        pace: &mut Pace,
    ) -> Result<()> {
        let by = match reference.targets() {
            Targets::OneById => By::Id,
            Targets::All if self.cursor.ids.len() == 1 => By::Position(lo),
            Targets::All => By::Count(BatchSize::new(keys.len())),
        };
        let mut copies = Copies::new(self, reference, keys, by);
        copies.count(pace).await;
        drive(&mut copies, pace).await
    }

    /// Returns the cursors that a batch writes. Usually, these are the cursors for its own keys. At intervals, a batch
    /// writes all cursors in order to extend their leases.
    fn cursor_of(&mut self, reference: &ExtendedReference, keys: &[JoinKey]) -> JobCursor {
        if keys.len() < self.cursor.ids.len() && self.renewed.elapsed() < RENEW_EVERY {
            return self.cursor.of_keys(&reference.relation, keys);
        }
        self.renewed = Instant::now();
        self.cursor.clone()
    }

    /// Returns all cursors if it is time to extend their leases.
    fn renewal(&mut self) -> Option<JobCursor> {
        let is_due = self.renewed.elapsed() >= RENEW_EVERY;
        is_due.then(|| {
            self.renewed = Instant::now();
            self.cursor.clone()
        })
    }

    /// Adds the report of a batch.
    fn report(
        &mut self,
        reference: &ExtendedReference,
        modified: u64,
        failed: Option<(Bson, String)>,
    ) {
        let mut report = CopyReport::new(reference, Form::Job, Guarantee::Converged);
        (report.matched, report.modified, report.batches) = (modified, modified, 1);
        if let Some((document, why)) = failed {
            report.failed.push(document);
            report.why = Some(why);
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
