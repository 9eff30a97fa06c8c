//! Runs jobs, which add missing ids to arrays. Any number of runners can run concurrently. The result does not depend
//! on a lease.

use crate::{
    client::{Claim, Step},
    database::{Database, Id, Job, Phase, Written},
    machine::{Next, State},
    setup::Setup,
};

/// `_odm_jobs.findOne({_id})`. A job in the phase `settle` has to wait: `{changed_at: {$lte: now - grace}}`.
pub(crate) fn claim(setup: &Setup, state: &State, id: Id) -> Option<Step> {
    let phase = state.database.jobs[id]?.phase;
    let is_due = phase == Phase::Run || !setup.rules.waits || state.is_grace_over(id);
    let is_current = true;
    is_due.then_some(Step::Claimed(Claim {
        id,
        phase,
        is_current,
    }))
}

/// Adds to an array the documents that refer to its document, in one transaction:
///
/// ```js
/// _odm_jobs.find({_id})                              // none: leave it
/// _odm_jobs.updateMany({_id}, {$set: {batch: ..}})   // whoever records it has a conflict
/// students.find({courses: _id})
/// courses.findOne({_id})
/// courses.updateOne({_id, $nor: [{students: {$all: [..]}}]}, {$set: {students: [..]}})
/// ```
pub(crate) fn add(setup: &Setup, snapshot: &Database, claim: Claim) -> Next {
    let mut after = *snapshot;
    match &mut after.jobs[claim.id] {
        Some(job) if setup.rules.writes_job => job.written = Written::Held,
        None if setup.rules.needs_job => return Next::Go(Step::Idle),
        _ => {}
    }
    after.complete(claim.id);
    Next::Begin(after, Step::Added(claim))
}

/// Ends a run: `_odm_jobs.updateOne({_id, version}, {$set: {version: next, phase: "settle"}})`. Or ends the job:
/// `_odm_jobs.deleteOne({_id, version})`. Does neither if the job has changed.
pub(crate) fn end(latest: &Database, claim: Claim) -> Next {
    let mut after = *latest;
    if claim.is_current {
        let (phase, written) = (Phase::Settle, Written::Nothing);
        after.jobs[claim.id] = (claim.phase == Phase::Run).then_some(Job { phase, written });
    }
    Next::Begin(after, Step::Idle)
}
