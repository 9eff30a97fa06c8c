//! Runs the two jobs. Any number of runners can run concurrently. The result does not depend on a lease.

use crate::{
    client::{Claim, Step},
    database::{COPIES, Child, Database, Job, Phase, RULE},
    machine::{Next, State},
    setup::Setup,
};

/// `_odm_jobs.findOne({_id})`. A job in the phase `settle` has to wait: `{changed_at: {$lte: now - grace}}`.
pub(crate) fn claim(setup: &Setup, state: &State, job: usize) -> Option<Step> {
    let phase = state.database.jobs[job]?.phase;
    let is_due = phase == Phase::Run || !setup.rules.waits[job] || state.is_grace_over(job);
    let is_current = true;
    is_due.then_some(Step::Claimed(Claim {
        job,
        phase,
        is_current,
    }))
}

/// One batch of a pass.
pub(crate) fn pass(setup: &Setup, snapshot: &Database, claim: Claim) -> Next {
    if claim.job == RULE {
        return unlink(setup, snapshot, claim);
    }
    let mut after = *snapshot;
    if snapshot.source.is_some() {
        after.change_links(Child::Linked(snapshot.source));
    }
    Next::Begin(after, Step::Passed(claim))
}

/// Applies the rule, in one transaction. The pass ends if a batch finds no children:
///
/// ```js
/// sources.findOne({_id})
/// children.find({source: _id})                 // if the source is missing; then as the delete
/// _odm_jobs.updateOne({_id: copies}, {$set: {version, phase: "run", ..}}, {upsert: true})   // if it exists
/// ```
fn unlink(setup: &Setup, snapshot: &Database, claim: Claim) -> Next {
    let mut after = *snapshot;
    if snapshot.source.is_none() {
        if after.change_links(setup.removal.child()) {
            return Next::Begin(after, Step::Claimed(claim));
        }
    } else if setup.rules.records {
        after.record(COPIES, Phase::Run);
    }
    Next::Begin(after, Step::Passed(claim))
}

/// Ends a run: `_odm_jobs.updateOne({_id, version}, {$set: {version: next, phase: "settle"}})`. Or ends the job:
/// `_odm_jobs.deleteOne({_id, version})`. Does neither if the job has changed.
pub(crate) fn end(latest: &Database, claim: Claim) -> Next {
    let mut after = *latest;
    if claim.is_current {
        let (phase, is_changed) = (Phase::Settle, false);
        after.jobs[claim.job] = (claim.phase == Phase::Run).then_some(Job { phase, is_changed });
    }
    Next::Begin(after, Step::Idle)
}
