//! Who adds to the parent what deltas say. Any number of folders may be at work; nothing depends on a lease.

use crate::{
    client::{Next, Step},
    database::Database,
    fields::CHILDREN,
    rules::Fold,
    setup::Setup,
};

/// Folds the deltas that are there, in one transaction:
///
/// ```js
/// _odm_deltas.find({parent})
/// parents.updateOne({_id: parent}, {$inc: {count}, $max: {max}})
/// _odm_deltas.deleteMany({_id: {$in: ..}})
/// _odm_jobs.updateOne({_id: parent}, {$set: {version, ..}}, {upsert: true})         // if there is no parent
/// ```
pub(crate) fn fold(setup: &Setup, snapshot: &Database) -> Next {
    let mut after = *snapshot;
    after.add_deltas(setup);
    let brings = setup.fields.iter().any(|field| snapshot.is_pending(field));
    if brings && snapshot.parent.is_none() {
        after.mark(setup.rules.dropped);
    } else if brings && after.parent == snapshot.parent {
        after.mark(setup.rules.idle_fold);
    }
    match setup.rules.fold {
        Fold::Deletes => {
            after.deltas = [None; CHILDREN];
            Next::Begin(after, Step::Fold)
        }
        Fold::DeletesLater => {
            let folded = snapshot.deltas.map(|delta| delta.is_some());
            Next::Begin(after, Step::Forget(folded))
        }
    }
}

/// Deletes deltas that were folded.
pub(crate) fn forget(latest: &Database, folded: [bool; CHILDREN]) -> Next {
    let mut after = *latest;
    for (delta, is_folded) in after.deltas.iter_mut().zip(folded) {
        *delta = delta.filter(|_| !is_folded);
    }
    Next::Now(after, Step::Fold)
}
