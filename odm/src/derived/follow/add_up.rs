//! Adds changes of children to the computed fields of their parents, or stores deltas for them.

use super::{
    collect::children_of,
    follow_result::Follow,
    parent_update::{ParentUpdates, Parents},
    source_change::Change,
};
use crate::{client::odm::Exec, error::Result, graph::Derivation};

/// Adds changes of children to the computed fields of their parents. Returns the changes that cannot be added.
pub(super) async fn add_to_parents(
    mut changes: Vec<Change>,
    how: Follow,
    budget: &mut Option<u64>,
    exec: &Exec,
) -> Result<ParentUpdates> {
    let mut done = ParentUpdates::default();
    for (reference, children) in children_of(&mut changes, |it| it.derivation == Derivation::Fold) {
        let mut parents = Parents::new(reference, &children, exec).await?;
        // Deltas are stored before `wait_behind`, which then reads only the pending work of the other parents. This
        // order is correct because deltas are folded in their order.
        parents.leave_deltas(how, &mut done, exec).await?;
        parents.wait_behind(how, &mut done, exec).await?;
        if parents.steps.is_empty() {
            continue;
        }
        // The remaining additions cannot be stored as deltas, so a job computes the fields again.
        if how == Follow::Deferred {
            done.left.push(parents.recomputation_of_all());
            continue;
        }
        if let Some(left) = budget {
            let Some(rest) = left.checked_sub(parents.steps.len() as u64) else {
                done.left.push(parents.recomputation_of_all());
                continue;
            };
            *left = rest;
        }
        parents.add(&mut done, exec).await?;
        parents.check_conditions(exec).await?;
        done.left.extend(parents.changes_to_compute());
    }
    // The changes that the additions caused are at the end. If two changes contain values of the same source, the
    // later one is newer.
    changes.append(&mut done.left);
    done.left = changes;
    Ok(done)
}
