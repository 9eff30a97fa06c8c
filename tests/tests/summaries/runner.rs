//! Recomputes the fields of the parent for its job. Any number of runners can run concurrently. The result does not
//! depend on a lease.

use crate::{
    anew::compute_anew,
    client::Step,
    database::{Database, Job, NEW, Phase},
    machine::{Next, State},
    rules::Settle,
    setup::Setup,
};

/// `_odm_jobs.findOne({_id})`. A job in the phase `settle` has to wait: `{changed_at: {$lte: now - grace}}`.
pub(crate) fn claim(setup: &Setup, state: &State) -> Option<Next> {
    let job = state.database.job?;
    let is_over = setup.rules.settle == Settle::AtOnce || state.is_grace_over();
    let is_due = job.phase == Phase::Run || is_over;
    is_due.then_some(Next::Go(Step::Claimed(job)))
}

/// Recomputes all fields, in one transaction:
///
/// ```js
/// _odm_jobs.findOne({_id, version})                                          // none: leave it
/// children.aggregate([{$match: {parent: _id}}, {$group: ..}])
/// parents.updateOne({_id}, {$set: {count, max}})
/// _odm_deltas.updateMany({parent: _id}, {$unset: {count: 1, max: 1}})
/// ```
pub(crate) fn visit(setup: &Setup, snapshot: &Database, job: Job) -> Next {
    if snapshot.job != Some(job) {
        return Next::Go(Step::Idle);
    }
    let mut after = *snapshot;
    for field in setup.fields.iter() {
        compute_anew(setup, &mut after, field);
    }
    if job.phase == Phase::Settle && after.parent != snapshot.parent {
        after.mark(setup.rules.look);
    }
    Next::Begin(after, Step::Visited(job))
}

/// Ends a run: `_odm_jobs.updateOne({_id, version}, {$set: {version: next, phase: "settle", ..}})`. Or ends the job:
/// `_odm_jobs.deleteOne({_id, version})`. Does neither if the job has changed.
pub(crate) fn end(latest: &Database, job: Job) -> Next {
    let mut after = *latest;
    if latest.job != Some(job) {
        return Next::Go(Step::Idle);
    }
    match job.phase {
        Phase::Run => {
            let (version, phase) = (NEW, Phase::Settle);
            after.job = Some(Job { version, phase });
            Next::Now(after, Step::Idle)
        }
        Phase::Settle => {
            after.job = None;
            Next::Begin(after, Step::Idle)
        }
    }
}
