//! Recomputes a field from all children.

use crate::{database::Database, fields::Field, rules::Rebuild, setup::Setup};

/// Recomputes a field of the parent from all existing children, and removes the field from the deltas:
///
/// ```js
/// parents.updateOne({_id: parent}, {$set: {max}})
/// _odm_deltas.updateMany({parent}, {$unset: {max: 1}})
/// ```
pub(crate) fn compute_anew(setup: &Setup, after: &mut Database, field: Field) {
    let value = setup.anew(field, after.children);
    let Some(parent) = &mut after.parent else {
        return;
    };
    parent.set(field, value);
    take_out(setup, after, field);
}

/// Removes a field from the deltas, because their children have been counted.
pub(crate) fn take_out(setup: &Setup, after: &mut Database, field: Field) {
    if setup.rules.rebuild == Rebuild::TakesOut {
        let deltas = after.deltas.iter_mut().chain(&mut after.leaves);
        deltas.flatten().for_each(|delta| delta.take_out(field));
    }
}
