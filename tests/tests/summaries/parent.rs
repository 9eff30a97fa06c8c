//! Inserts and deletes the parent.

use crate::{
    anew::{compute_anew, take_out},
    client::{Ops, Step},
    database::Database,
    fields::CHILDREN,
    machine::Next,
    rules::SecondLook,
    setup::Setup,
};

/// Inserts the parent with the fields computed from its children, in one transaction:
///
/// ```js
/// children.aggregate([{$match: {parent: _id}}, {$group: ..}])
/// parents.insertOne({_id, count, max})
/// _odm_deltas.updateMany({parent: _id}, {$unset: {count: 1, max: 1}})
/// ```
pub(crate) fn insert(setup: &Setup, snapshot: &Database, left: Ops) -> Next {
    if snapshot.parent.is_some() {
        return Next::Go(Step::Write(left));
    }
    let mut after = *snapshot;
    after.parent = Some(setup.summary(snapshot.children));
    for field in setup.fields.iter() {
        take_out(setup, &mut after, field);
    }
    after.mark(setup.rules.arrival);
    let then = match setup.rules.second_look {
        SecondLook::AfterCommit => Step::Reread(snapshot.children, left),
        SecondLook::Never => Step::Write(left),
    };
    Next::Begin(after, then)
}

/// Reads the children again after the commit.
pub(crate) fn reread(latest: &Database, counted: [bool; CHILDREN], left: Ops) -> Next {
    let is_same = latest.children == counted;
    Next::Go(if is_same {
        Step::Write(left)
    } else {
        Step::Correct(left)
    })
}

/// Recomputes all fields, in one transaction.
pub(crate) fn correct(setup: &Setup, snapshot: &Database, left: Ops) -> Next {
    let mut after = *snapshot;
    for field in setup.fields.iter() {
        compute_anew(setup, &mut after, field);
    }
    after.mark(setup.rules.correction);
    Next::Begin(after, Step::Write(left))
}

/// Deletes the parent.
pub(crate) fn remove(snapshot: &Database, left: Ops) -> Next {
    let mut after = *snapshot;
    after.parent = None;
    Next::Begin(after, Step::Write(left))
}
