//! Recomputes a field from all children.

use crate::{database::Database, fields::Field, rules::Rebuild, setup::Setup};

/// Computes a field of the parent of all children that are there, and takes it out of the deltas of these:
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

/// Takes a field out of the deltas: their children were counted.
pub(crate) fn take_out(setup: &Setup, after: &mut Database, field: Field) {
    if setup.rules.rebuild == Rebuild::TakesOut {
        let deltas = after.deltas.iter_mut().chain(&mut after.leaves);
        deltas.flatten().for_each(|delta| delta.take_out(field));
    }
}
