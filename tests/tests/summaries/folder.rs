//! Folds deltas into the parent. Any number of folders can run concurrently. The result does not depend on a lease.

use crate::{
    client::Step,
    database::{Database, Phase},
    fields::CHILDREN,
    machine::Next,
    rules::{BelowNone, Fold, Order, Running},
    setup::Setup,
};

/// Whether there is nothing to fold, or a job has to run first.
pub(crate) fn waits(setup: &Setup, latest: &Database) -> bool {
    let is_after = setup.rules.running == Running::WaitedFor && latest.is_running();
    is_after || latest.is_folded()
}

/// Folds the existing deltas, in one transaction:
///
/// ```js
/// _odm_jobs.findOne({_id: parent, phase: "run"})                                   // if there is one, it comes first
/// _odm_deltas.find({parent}).sort({at: 1}).limit(..)
/// parents.updateOne({_id: parent, count: {$gte: ..}}, {$inc: {count}, $max: {max}})
/// _odm_deltas.deleteMany({_id: {$in: ..}})
/// _odm_jobs.updateOne({_id: parent}, {$set: {version, ..}}, {upsert: true})         // if there is no parent
/// ```
pub(crate) fn fold(setup: &Setup, snapshot: &Database) -> Next {
    let (children, leaves) = taken(setup, snapshot);
    let mut taken = *snapshot;
    keep(&mut taken, children, leaves);
    let brings = setup.fields.iter().any(|field| taken.is_pending(field));
    taken.add_deltas(setup);
    let mut after = *snapshot;
    after.parent = taken.parent;
    if brings && snapshot.parent.is_none() {
        after.mark(setup.rules.dropped);
    } else if after.is_below_none() && setup.rules.below_none == BelowNone::Anew {
        after.parent = snapshot.parent;
        after.record(Phase::Run);
    } else if brings && after.parent == snapshot.parent {
        after.mark(setup.rules.idle_fold);
    }
    match setup.rules.fold {
        Fold::Deletes => {
            remove(&mut after, children, leaves);
            Next::Begin(after, Step::Fold)
        }
        Fold::DeletesLater => Next::Begin(after, Step::Forget(children, leaves)),
    }
}

/// Which deltas a fold takes: those of inserted children, and those of removed children.
fn taken(setup: &Setup, snapshot: &Database) -> ([bool; CHILDREN], [bool; CHILDREN]) {
    let mut left = setup.at_once;
    let mut some = |deltas: [Option<_>; CHILDREN]| {
        deltas.map(|delta: Option<_>| {
            let is_taken = delta.is_some() && left > 0;
            left -= usize::from(is_taken);
            is_taken
        })
    };
    match setup.rules.order {
        Order::Server => {
            let children = some(snapshot.deltas);
            (children, some(snapshot.leaves))
        }
        Order::Ids => {
            let leaves = some(snapshot.leaves);
            (some(snapshot.deltas), leaves)
        }
    }
}

/// Removes all deltas except those of these children.
fn keep(database: &mut Database, children: [bool; CHILDREN], leaves: [bool; CHILDREN]) {
    remove(database, children.map(|it| !it), leaves.map(|it| !it));
}

fn remove(database: &mut Database, children: [bool; CHILDREN], leaves: [bool; CHILDREN]) {
    let came = database.deltas.iter_mut().zip(children);
    for (delta, is_taken) in came.chain(database.leaves.iter_mut().zip(leaves)) {
        *delta = delta.filter(|_| !is_taken);
    }
}

/// Deletes deltas that were folded.
pub(crate) fn forget(
    latest: &Database,
    children: [bool; CHILDREN],
    leaves: [bool; CHILDREN],
) -> Next {
    let mut after = *latest;
    remove(&mut after, children, leaves);
    Next::Now(after, Step::Fold)
}
