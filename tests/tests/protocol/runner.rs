//! Who brings the copies up to the source: passes of batches, then the completion.
//!
//! Any number of runners may work on one job, and on the jobs of several relations. Nothing depends on a
//! lease.

use crate::{
    client::{Next, Step},
    database::{Cursor, Job, Relation, Writes},
    rules::{BatchRead, Completion, CursorWrite, Marks, Numbers},
    setup::Setup,
    state::{Declaration, State},
    transaction::Kind,
};

/// `_odm_jobs.findOne({_id})`, with read concern majority. A settle sweep has to wait for its time:
/// `{$or: [{needs_run: true}, {changed_at: {$lte: now - G}, not_before: {$lte: now}}]}`.
pub(crate) fn claim(setup: &Setup, state: &State, of: Relation) -> Option<Next> {
    let job = state.majority().jobs[of]?;
    let is_awaited = job.waits && setup.rules.marks != Marks::WithoutWait;
    let is_known = !is_awaited || state.declaration == Declaration::Old;
    let is_over = !setup.rules.settle.has_grace() || state.is_grace_over();
    let is_due = job.needs_run || (is_known && is_over);
    is_due.then_some(Next::Go(Step::Claimed(of, job)))
}

/// `_odm_cursors.findOne({_id})`, with read concern majority: where an earlier runner stopped.
pub(crate) fn resume(setup: &Setup, state: &State, of: Relation, job: Job) -> Next {
    let is_swept = !job.needs_run && !setup.rules.settle.has_sweep();
    let seen = if is_swept {
        Some(end(setup, of, job))
    } else if setup.rules.cursor == CursorWrite::Never {
        None
    } else {
        state.majority().cursors[of]
    };
    Next::Go(Step::Pass(of, job, seen))
}

/// The next batch, or what follows the last one.
pub(crate) fn pass(
    setup: &Setup,
    state: &State,
    of: Relation,
    job: Job,
    seen: Option<Cursor>,
) -> Next {
    let own = seen.filter(|cursor| cursor.seq == job.seq);
    let lo = own.map_or(0, |cursor| cursor.lo);
    if let Some(key) = setup.keys(of).nth(lo) {
        batch(setup, state, of, job, seen, key)
    } else if job.needs_run {
        end_run(setup, state, of, job)
    } else {
        complete(setup, state, of, job)
    }
}

/// Visits the copies of one range, in one transaction:
///
/// ```js
/// _odm_cursors.updateOne({_id, seq: seen.seq, lo: seen.lo}, {$set: {seq: job.seq, lo: hi}})
/// _odm_jobs.findOne({_id, seq: job.seq})
/// source.findOne({_id})
/// copies.updateMany({source, _id: {$gte: lo, $lt: hi}, value: {$ne: source.value}},
///                   {$set: {value: source.value}})
/// ```
///
/// A cursor that is not the one it knows, or a job that is not, sends the runner back to look for a
/// job: another one is at work, or there was a rename.
fn batch(
    setup: &Setup,
    state: &State,
    of: Relation,
    job: Job,
    seen: Option<Cursor>,
    key: usize,
) -> Next {
    let snapshot = &state.database;
    let hi = Cursor {
        seq: job.seq,
        lo: key / setup.relations + 1,
    };
    let is_superseded = snapshot.jobs[of].is_none_or(|found| found.seq != job.seq);
    if setup.rules.batch == BatchRead::Job && is_superseded {
        return Next::Go(Step::Idle);
    }
    let mut writes = Writes::default();
    match setup.rules.cursor {
        CursorWrite::CompareAndSet if snapshot.cursors[of] != seen => return Next::Go(Step::Idle),
        CursorWrite::CompareAndSet | CursorWrite::Unconditional => {
            writes.cursor(snapshot, of, Some(hi));
        }
        CursorWrite::Counted => writes.counted_cursor(of, hi),
        CursorWrite::Never => {}
    }
    if snapshot.is_stale(key) {
        writes.copy(snapshot, key, snapshot.source);
    }
    Next::Begin(writes, Kind::Batch, Step::Pass(of, job, Some(hi)))
}

/// `_odm_jobs.updateOne({_id, seq: job.seq}, {$set: {seq: next, needs_run: false}})`. No match: there was
/// a rename during the run, and the job wants another one.
fn end_run(setup: &Setup, state: &State, of: Relation, job: Job) -> Next {
    let latest = &state.database;
    let mut writes = Writes::default();
    if latest.jobs[of] == Some(job) {
        let needs_run = false;
        let seq = match setup.rules.numbers {
            Numbers::EveryPass | Numbers::FromOne => state.next_seq(&setup.rules, of),
            Numbers::EveryRename => job.seq,
        };
        let waits = job.waits;
        let job = Job {
            seq,
            needs_run,
            waits,
        };
        writes.job(latest, of, Some(job));
        if setup.rules.numbers == Numbers::EveryRename {
            writes.cursor(latest, of, None);
        }
    }
    Next::Now(writes, Step::Idle)
}

/// Removes job and cursor after the settle sweep, in one transaction:
///
/// ```js
/// _odm_jobs.findOne({_id, seq: job.seq})                                  // none: leave it
/// _odm_jobs.deleteOne({_id})
/// _odm_cursors.deleteOne({_id})
/// ```
fn complete(setup: &Setup, state: &State, of: Relation, job: Job) -> Next {
    let snapshot = &state.database;
    let is_job = snapshot.jobs[of].is_some_and(|found| found.seq == job.seq);
    let (is_job, is_cursor) = match setup.rules.completion {
        Completion::ReadsJob | Completion::OfSource => (is_job, is_job),
        Completion::FilteredDeletes => {
            let is_cursor = snapshot.cursors[of].is_some_and(|found| found.seq == job.seq);
            (is_job, is_cursor)
        }
        Completion::ReadsJobAndCursor => {
            let is_both = is_job && snapshot.cursors[of] == Some(end(setup, of, job));
            (is_both, is_both)
        }
        Completion::Unchecked => (true, true),
    };
    let removed = match setup.rules.completion {
        Completion::OfSource => 0..setup.relations,
        _ => of..of + 1,
    };
    let mut writes = Writes::default();
    for of in removed {
        if is_job {
            writes.job(snapshot, of, None);
        }
        if is_cursor {
            writes.cursor(snapshot, of, None);
        }
    }
    Next::Begin(writes, Kind::Other, Step::Idle)
}

fn end(setup: &Setup, of: Relation, job: Job) -> Cursor {
    Cursor {
        seq: job.seq,
        lo: setup.keys(of).count(),
    }
}
