//! Runs jobs for one relation. A run processes all copies for these jobs once, and then advances or removes the jobs.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use mongodb::bson::Bson;
use tracing::{Instrument, Span};

use super::{
    held_cursor::HeldCursor,
    run_report::{Failed, JobsReport, RunResult},
    sweep::sweep,
};
use crate::{
    client::odm::{Exec, Odm},
    derived::outbox::{self, Job, JobCursor, JobEntry, JobId, Phase, ProgressFn, Retry},
    error::{Result, Superseded},
    graph::{ExtendedReference, graph},
};

/// Runs jobs for one relation until their copies are written. Waits for other runners that work on these jobs, but not
/// longer than `until`.
///
/// Changes that other writers make during the pass are left to these writers. Otherwise, the call might never return
/// while the source keeps changing.
pub(crate) async fn run_to_end(
    ids: Vec<JobId>,
    odm: &Odm,
    progress: Option<&ProgressFn>,
    until: Option<Instant>,
) -> Result<RunResult> {
    let mut alone = Vec::new();
    let mut ran = run_together(ids, &mut alone, odm, progress, until).await?;
    for id in alone {
        // The job already runs separately, so no jobs are added to this list.
        let mut none = Vec::new();
        let done = run_together(vec![id], &mut none, odm, progress, until).await?;
        ran.merge(done);
    }
    Ok(ran)
}

/// Runs jobs for one relation together. Adds jobs that have to run separately to `alone`.
async fn run_together(
    mut ids: Vec<JobId>,
    alone: &mut Vec<JobId>,
    odm: &Odm,
    progress: Option<&ProgressFn>,
    until: Option<Instant>,
) -> Result<RunResult> {
    let mut ran = RunResult::default();
    let mut pause = Duration::from_millis(5);
    let mut is_first = true;
    if let Some(unknown) = ids.iter().find(|id| !graph().knows(&id.relation)) {
        odm.warn_of_foreign(&unknown.relation);
        ran.jobs.left = ids.len() as u64;
        return Ok(ran);
    }
    loop {
        let claim = outbox::claim(&ids, odm).await?;
        let ended = ids.iter().filter(|id| !claim.due.contains(id));
        let ended: Vec<JobId> = ended.cloned().collect();
        if std::mem::take(&mut is_first) {
            ran.ended = ended;
        } else {
            // Another runner has ended these jobs. If that runner did not know all fields, it has stored jobs for the
            // other fields.
            ran.add_made(ended.iter().flat_map(parts_of).collect());
        }
        // A missing job for a single field does not count as finished, because it may never have existed.
        let is_part = ids
            .iter()
            .any(|id| ExtendedReference::field_of(&id.relation).1.is_some());
        if !is_part {
            ran.jobs.finished += (ids.len() - claim.found) as u64;
        }
        ran.jobs.settling += (claim.found - claim.due.len()) as u64;
        ids = claim.due;
        if ids.is_empty() {
            return Ok(ran);
        }
        let Some((cursor, jobs)) = claim.taken else {
            if until.is_some_and(|until| Instant::now() >= until) {
                ran.jobs.left += ids.len() as u64;
                return Ok(ran);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
            continue;
        };
        let held = HeldCursor::new(cursor.clone(), odm);
        let span = job_span(&jobs, odm);
        let swept = sweep(&jobs, &cursor, odm, progress, &mut ran);
        match Box::pin(swept.instrument(span)).await {
            Err(error) => {
                // The next runner continues at the stored position, and does not have to wait until the lease ends. An
                // error here is ignored, because the lease ends anyway.
                let _ = cursor.give_up(&Exec::on(odm.clone())).await;
                held.end();
                // If another runner has claimed some of the cursors, the next attempt waits for that runner, or finds
                // that the job no longer exists.
                if !Superseded::is(&error) {
                    return Err(error);
                }
            }
            Ok(swept) => {
                ids.retain(|id| jobs.iter().all(|job| job.id != *id));
                let is_alone = |job: &Job| swept.alone.contains(&job.id.key);
                let (left, done): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(is_alone);
                Box::pin(finish(&done, &cursor, swept.failed, odm, &mut ran.jobs)).await?;
                held.end();
                alone.extend(left.into_iter().map(|job| job.id));
                if ids.is_empty() {
                    return Ok(ran);
                }
            }
        }
    }
}

/// Returns the tracing span of a run. The span is linked to the writes that stored the jobs.
fn job_span(jobs: &[Job], odm: &Odm) -> Span {
    let relation = jobs.first().map_or("", |job| &*job.id.relation);
    let span = tracing::debug_span!("job", relation, jobs = jobs.len());
    let contexts: BTreeSet<&str> = jobs.iter().filter_map(|job| job.trace.as_deref()).collect();
    span.in_scope(|| {
        for context in contexts {
            odm.settings().trace_links.link(context);
        }
    });
    span
}

/// Ends a pass. If the version of a job has not changed, the job moves to its next phase or is removed.
async fn finish(
    jobs: &[Job],
    cursor: &JobCursor,
    failed: Vec<Failed>,
    odm: &Odm,
    report: &mut JobsReport,
) -> Result<()> {
    let state = (jobs.to_vec(), cursor.clone(), failed);
    let ended = Exec::on(odm.clone())
        .together(state, |(jobs, cursor, failed), exec| async move {
            // If another runner has claimed the cursor, this statement fails, because only that runner may end the
            // jobs.
            cursor.release(&exec).await?;
            end(&jobs, &failed, &exec).await
        })
        .await;
    match ended {
        Ok(ended) => report.add(ended),
        // Another runner continues these jobs.
        Err(error) if Superseded::is(&error) => report.settling += jobs.len() as u64,
        Err(error) => return Err(error),
    }
    Ok(())
}

async fn end(jobs: &[Job], failed: &[Failed], exec: &Exec) -> Result<JobsReport> {
    let (mut put_off, mut done) = (Vec::new(), Vec::new());
    for job in jobs {
        let of_job = failed.iter().filter(|it| it.key == job.id.key);
        let of_job: Vec<&Failed> = of_job.collect();
        let Some(first) = of_job.first() else {
            done.push(job);
            continue;
        };
        let failed: Vec<Bson> = of_job.iter().map(|it| it.document.clone()).collect();
        let is_soon = of_job.iter().any(|it| it.retry == Retry::AfterOtherJobs);
        let retry = if is_soon {
            Retry::AfterOtherJobs
        } else {
            Retry::AfterCorrection
        };
        outbox::put_off(job, (&failed, &first.why), retry, exec).await?;
        put_off.push(job);
    }
    let (run, settled): (Vec<&Job>, Vec<&Job>) =
        done.into_iter().partition(|job| job.phase == Phase::Run);
    // Postponed jobs are included. Otherwise, the copies of other programs would stay stale in documents that the
    // postponed job does not list. The new jobs are stored in the transaction that ends the old job. If the new jobs
    // were stored later, a crash in between would leave the other copies without a job.
    let handed_on = jobs.iter().flat_map(of_others);
    outbox::record_all(&handed_on.collect::<Vec<_>>(), exec).await?;
    outbox::to_settle(&run, exec).await?;
    let removed = outbox::remove(&settled, exec).await?;
    Ok(JobsReport {
        finished: removed,
        settling: (run.len() + settled.len()) as u64 - removed,
        failed: put_off.len() as u64,
        ..JobsReport::default()
    })
}

/// Lists the jobs for single fields into which another runner may have split a job (`of_others`).
pub(crate) fn parts_of(id: &JobId) -> Vec<JobId> {
    let (relation, None) = ExtendedReference::field_of(&id.relation) else {
        return Vec::new();
    };
    let references = graph().references_of(relation);
    let parts = references.flat_map(|it: &Arc<ExtendedReference>| it.relations_of_fields());
    let part = |relation| JobId {
        relation,
        key: id.key.clone(),
    };
    parts.map(part).collect()
}

/// Lists jobs for copies that the writers of a job declare but this program does not. This program has written only the
/// copies that it declares, and is about to end or postpone the job for all copies.
fn of_others(job: &Job) -> Vec<JobEntry> {
    let (relation, field) = ExtendedReference::field_of(&job.id.relation);
    let ours: Vec<_> = graph().references_of(relation).collect();
    // A job for a single field cannot be split again, because its relation would then contain two fields.
    let Some(first) = ours.first().filter(|_| field.is_none()) else {
        return Vec::new();
    };
    let is_ours = |field: &&String| {
        let mut paths = ours.iter().flat_map(|reference| reference.copy_paths());
        paths.any(|path| path == **field)
    };
    let others = job.fields.iter().filter(|field| !is_ours(field));
    let handed_on = others.map(|field| JobEntry::of_field(job, first, field));
    handed_on.collect()
}
