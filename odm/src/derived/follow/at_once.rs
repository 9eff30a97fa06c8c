//! Writes the fields that are always updated in the transaction of the write.

use super::{
    collect::children_of,
    follow_result::{Follow, Followed},
    parent_update::{ParentUpdates, Parents},
    source_change::{Change, entries},
    spread::spread,
};
use crate::{
    client::odm::Exec,
    derived::outbox::{Phase, record_all},
    error::Result,
    graph::{Derivation, ExtendedReference, Timing},
};

/// Writes the fields that are always updated in the transaction. Adds the changes that these writes cause to `changes`.
pub(super) async fn write_mandatory(
    changes: &mut Vec<Change>,
    how: Follow,
    exec: &Exec,
) -> Result<Followed> {
    let (added, mut recomputed) = add_inline(changes, how, exec).await?;
    // These changes are pairs of a new document and documents that already refer to it. The pairs are written here
    // because a job could no longer reject an insert that exceeds `max`. The job is written, too: a writer that removes
    // such a pair may not find the array yet, and then writes only the job.
    let is_pair = |it: &mut Change| match it {
        Change::Reference(it) => it.reference.derivation == Derivation::Mirror,
        Change::Rule(..) => false,
    };
    let pairs: Vec<Change> = changes.extract_if(.., is_pair).collect();
    record_all(&entries(&pairs, Phase::Settle), exec).await?;
    recomputed.extend(pairs);
    let mut followed = added.followed;
    changes.extend(added.left);
    // The budget is unlimited, because a job could not do the rest.
    let next = spread(&recomputed, &mut None, &mut followed.reports, exec).await?;
    changes.extend(next.into_iter().flatten());
    Ok(followed)
}

/// Adds to the fields that are always updated in the transaction (`ExtendedReference::follows_at_once`). Also returns
/// the changes of fields that have to be computed again in the transaction.
///
/// Without a transaction, a bounded array is left to a job, like other fields. The child is already stored, so it could
/// no longer be rejected.
async fn add_inline(
    changes: &mut Vec<Change>,
    how: Follow,
    exec: &Exec,
) -> Result<(ParentUpdates, Vec<Change>)> {
    let (mut done, mut recomputed) = (ParentUpdates::default(), Vec::new());
    let at_once = |it: &ExtendedReference| match it.timing() {
        Timing::WithTheWrite => true,
        Timing::InTransaction => exec.in_transaction(),
        Timing::ByBudget => false,
    };
    for (reference, children) in children_of(changes, at_once) {
        let mut parents = Parents::new(reference, &children, exec).await?;
        if reference.derivation == Derivation::Fold {
            parents.leave_deltas(how, &mut done, exec).await?;
            parents.wait_behind(how, &mut done, exec).await?;
        }
        parents.add(&mut done, exec).await?;
        parents.check_conditions(exec).await?;
        let left = parents.changes_to_compute();
        // In a pair, `add` has written the job if the other document did not change. If it did change, that write
        // already conflicts with other writers.
        if reference.derivation != Derivation::Mirror {
            record_all(&entries(&left, Phase::Settle), exec).await?;
        }
        recomputed.extend(left);
    }
    Ok((done, recomputed))
}
