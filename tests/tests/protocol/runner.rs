//! Who brings the copies up to the source: passes of batches, then the completion.
//!
//! Any number of runners may work on one job. Nothing depends on a lease.

use crate::{
    client::{Next, Step},
    database::{Cursor, Job, Writes},
    rules::{BatchRead, Completion, CursorWrite, Numbers},
    setup::Setup,
    state::State,
    transaction::Kind,
};

/// `_odm_jobs.findOne({_id})`, with read concern majority. A settle sweep has to wait for its time:
/// `{$or: [{needs_run: true}, {changed_at: {$lte: now - G}}]}`.
pub(crate) fn claim(setup: &Setup, state: &State) -> Option<Next> {
    let job = state.majority().job?;
    let is_due = job.needs_run || !setup.rules.settle.has_grace() || state.is_grace_over();
    is_due.then_some(Next::Go(Step::Claimed(job)))
}

/// `_odm_cursors.findOne({_id})`, with read concern majority: where an earlier runner stopped.
pub(crate) fn resume(setup: &Setup, state: &State, job: Job) -> Next {
    let is_swept = !job.needs_run && !setup.rules.settle.has_sweep();
    let seen = if is_swept {
        Some(end(setup, job))
    } else if setup.rules.cursor == CursorWrite::Never {
        None
    } else {
        state.majority().cursor
    };
    Next::Go(Step::Pass(job, seen))
}

/// The next batch, or what follows the last one.
pub(crate) fn pass(setup: &Setup, state: &State, job: Job, seen: Option<Cursor>) -> Next {
    let own = seen.filter(|cursor| cursor.seq == job.seq);
    let lo = own.map_or(0, |cursor| cursor.lo);
    if lo < setup.ranges() {
        batch(setup, state, job, seen, lo)
    } else if job.needs_run {
        end_run(setup, state, job)
    } else {
        complete(setup, state, job)
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
fn batch(setup: &Setup, state: &State, job: Job, seen: Option<Cursor>, lo: usize) -> Next {
    let snapshot = &state.database;
    let hi = Cursor {
        seq: job.seq,
        lo: lo + 1,
    };
    let is_superseded = snapshot.job.is_none_or(|found| found.seq != job.seq);
    if setup.rules.batch == BatchRead::Job && is_superseded {
        return Next::Go(Step::Idle);
    }
    let mut writes = Writes::default();
    match setup.rules.cursor {
        CursorWrite::CompareAndSet if snapshot.cursor != seen => return Next::Go(Step::Idle),
        CursorWrite::CompareAndSet | CursorWrite::Unconditional => {
            writes.cursor(snapshot, Some(hi));
        }
        CursorWrite::Counted => writes.counted_cursor(hi),
        CursorWrite::Never => {}
    }
    if snapshot.is_stale(lo) {
        writes.copy(snapshot, lo, snapshot.source);
    }
    Next::Begin(writes, Kind::Batch, Step::Pass(job, Some(hi)))
}

/// `_odm_jobs.updateOne({_id, seq: job.seq}, {$set: {seq: next, needs_run: false}})`. No match: there was
/// a rename during the run, and the job wants another one.
fn end_run(setup: &Setup, state: &State, job: Job) -> Next {
    let latest = &state.database;
    let mut writes = Writes::default();
    if latest.job == Some(job) {
        let needs_run = false;
        let seq = match setup.rules.numbers {
            Numbers::EveryPass | Numbers::FromOne => state.next_seq(&setup.rules),
            Numbers::EveryRename => job.seq,
        };
        writes.job(latest, Some(Job { seq, needs_run }));
        if setup.rules.numbers == Numbers::EveryRename {
            writes.cursor(latest, None);
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
fn complete(setup: &Setup, state: &State, job: Job) -> Next {
    let snapshot = &state.database;
    let is_job = snapshot.job.is_some_and(|found| found.seq == job.seq);
    let (is_job, is_cursor) = match setup.rules.completion {
        Completion::ReadsJob => (is_job, is_job),
        Completion::FilteredDeletes => {
            let is_cursor = snapshot.cursor.is_some_and(|found| found.seq == job.seq);
            (is_job, is_cursor)
        }
        Completion::ReadsJobAndCursor => {
            let is_both = is_job && snapshot.cursor == Some(end(setup, job));
            (is_both, is_both)
        }
        Completion::Unchecked => (true, true),
    };
    let mut writes = Writes::default();
    if is_job {
        writes.job(snapshot, None);
    }
    if is_cursor {
        writes.cursor(snapshot, None);
    }
    Next::Begin(writes, Kind::Other, Step::Idle)
}

fn end(setup: &Setup, job: Job) -> Cursor {
    Cursor {
        seq: job.seq,
        lo: setup.ranges(),
    }
}
