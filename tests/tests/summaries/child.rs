//! Writes children.

use crate::{
    anew::compute_anew,
    client::{Ops, Step},
    database::{Database, Phase},
    fields::{CHILDREN, Child, Field, Fields},
    machine::Next,
    rules::{Behind, BelowNone, DeltaWrite, Pending, Running, SecondLook},
    setup::{Form, Setup},
};

/// Inserts a child.
pub(crate) fn insert(
    setup: &Setup,
    snapshot: &Database,
    child: Child,
    form: Form,
    left: Ops,
) -> Next {
    match (form, setup.rules.delta) {
        (Form::Inline, _) => insert_inline(setup, snapshot, child, left),
        (Form::Job, _) => {
            let mut after = *snapshot;
            after.children[child] = true;
            after.record(Phase::Run);
            Next::Begin(after, Step::Write(left))
        }
        (Form::Delta, DeltaWrite::WithChild) => {
            let mut after = *snapshot;
            after.children[child] = true;
            after.deltas[child] = Some(setup.fields);
            Next::Begin(after, Step::Write(left))
        }
        (Form::Delta, DeltaWrite::Before) => {
            write_delta(setup, snapshot, child, Step::WriteChild(child, left))
        }
        (Form::Delta, DeltaWrite::After) => {
            write_child(snapshot, child, Step::WriteDelta(child, left))
        }
    }
}

/// Inserts a child and adds its values to the parent, in one transaction:
///
/// ```js
/// children.insertOne({_id, parent, value})
/// parents.updateOne({_id: parent}, {$inc: {count: 1}, $max: {max: value}})
/// _odm_jobs.updateOne({_id: parent}, {$set: {version, ..}}, {upsert: true})         // if that changed nothing
/// ```
///
/// Other transactions do not notice an update that changes nothing, but they notice the job.
fn insert_inline(setup: &Setup, snapshot: &Database, child: Child, left: Ops) -> Next {
    let mut after = *snapshot;
    after.children[child] = true;
    for field in setup.fields.iter() {
        after.add(setup, field, child);
    }
    if snapshot.parent.is_none() {
        return without_parent(setup, after, left);
    }
    if after.parent == snapshot.parent {
        after.mark(setup.rules.unchanged);
    }
    Next::Begin(after, Step::Write(left))
}

/// Removes a child, in one transaction:
///
/// ```js
/// children.deleteOne({_id})
/// _odm_deltas.aggregate([{$match: {parent}}, {$unionWith: _odm_jobs}])  // something waits: with $set, and the next one
/// _odm_deltas.insertOne({_id, parent, count: -1})                       // in the place of $inc
/// parents.findOne({_id: parent, max: {$gt: value}})                     // or: {"newest._id": {$ne: _id}}
/// parents.updateOne({_id: parent, count: {$gte: 1}}, {$inc: {count: -1}, $set: {max}})    // without $set, if it is there
/// _odm_deltas.updateMany({parent}, {$unset: {max: 1}})                  // as $set
/// _odm_jobs.updateOne({_id: parent}, {$set: {version, ..}}, {upsert: true})
/// ```
///
/// The decision depends on documents that the transaction only reads, so other transactions do not conflict with these
/// reads. They conflict with the write of the job.
pub(crate) fn remove(setup: &Setup, snapshot: &Database, child: Child, left: Ops) -> Next {
    if !snapshot.children[child] {
        return Next::Go(Step::Write(left));
    }
    let mut after = *snapshot;
    after.children[child] = false;
    let waits = setup.rules.behind == Behind::Waits && is_behind(setup, snapshot);
    if snapshot.parent.is_none() && !waits {
        return without_parent(setup, after, left);
    }
    if setup.fields.has(Field::Count) {
        count_one_less(setup, snapshot, &mut after, child);
    }
    for field in setup.fields.iter().filter(|field| *field != Field::Count) {
        leave(setup, snapshot, &mut after, field, child);
    }
    Next::Begin(after, Step::Write(left))
}

/// Changes the value of a child, in one transaction. A larger value is added to the parent. With a smaller value, the
/// child leaves the maximum as if it were removed. The child's delta remains, with the old value.
pub(crate) fn change(
    setup: &Setup,
    snapshot: &Database,
    child: Child,
    to: Child,
    left: Ops,
) -> Next {
    if !snapshot.children[child] {
        return Next::Go(Step::Write(left));
    }
    let mut after = *snapshot;
    (after.children[child], after.children[to]) = (false, true);
    if snapshot.parent.is_none() {
        return without_parent(setup, after, left);
    }
    if setup.values[to] < setup.values[child] {
        leave(setup, snapshot, &mut after, Field::Max, child);
    } else if is_behind(setup, snapshot) && setup.rules.behind == Behind::Waits {
        after.deltas[to] = Some(Fields::of(&[Field::Max]));
    } else {
        after.add(setup, Field::Max, to);
        if after.parent == snapshot.parent {
            after.mark(setup.rules.unchanged);
        }
    }
    Next::Begin(after, Step::Write(left))
}

/// Whether a delta or a job that may contain the insert of the child is pending for the parent.
fn is_behind(setup: &Setup, snapshot: &Database) -> bool {
    let mut fields = setup.fields.iter();
    let is_running = setup.rules.running != Running::Ignored && snapshot.is_running();
    is_running || fields.any(|field| snapshot.is_pending(field))
}

/// Subtracts a child from the count.
fn count_one_less(setup: &Setup, snapshot: &Database, after: &mut Database, child: Child) {
    let is_behind = is_behind(setup, snapshot);
    match setup.rules.behind {
        Behind::Waits if is_behind => {
            after.leaves[child] = Some(Fields::of(&[Field::Count]));
            return;
        }
        Behind::Folds if is_behind && snapshot.is_running() => {
            compute_anew(setup, after, Field::Count);
            return;
        }
        Behind::Folds if is_behind => {
            after.add_deltas(setup);
            (after.deltas, after.leaves) = ([None; CHILDREN], [None; CHILDREN]);
        }
        _ => {}
    }
    after.take_one();
    if after.is_below_none() && setup.rules.below_none == BelowNone::Anew {
        compute_anew(setup, after, Field::Count);
        after.mark(setup.rules.anew);
    }
}

/// Removes a child from a field. The field is unchanged or recomputed.
fn leave(setup: &Setup, snapshot: &Database, after: &mut Database, field: Field, child: Child) {
    if is_without(setup, snapshot, field, child) {
        after.mark(setup.rules.stays);
    } else {
        compute_anew(setup, after, field);
        after.mark(setup.rules.anew);
    }
}

/// Whether a field of the parent does not depend on a child.
fn is_without(setup: &Setup, snapshot: &Database, field: Field, child: Child) -> bool {
    let value = setup.value(field, child);
    let is_without = snapshot.parent.is_some_and(|parent| match field {
        Field::Count => false,
        Field::Max => parent.get(field) > value,
        Field::Newest => parent.get(field) != value,
    });
    let is_seen = setup.rules.pending == Pending::Anew;
    is_without && !(is_seen && snapshot.is_pending(field))
}

/// Stores a job for a missing parent, because a concurrent insert of the parent does not see this write.
fn without_parent(setup: &Setup, mut after: Database, left: Ops) -> Next {
    after.mark(setup.rules.absent);
    let then = match setup.rules.second_look {
        SecondLook::AfterCommit => Step::Look(left),
        SecondLook::Never => Step::Write(left),
    };
    Next::Begin(after, then)
}

/// Looks for the parent after the commit. If the parent exists now, its job is due at once.
pub(crate) fn look(latest: &Database, left: Ops) -> Next {
    let then = Step::Write(left);
    if latest.parent.is_none() {
        return Next::Go(then);
    }
    let mut after = *latest;
    after.record(Phase::Run);
    Next::Now(after, then)
}

/// Writes a child and nothing else.
pub(crate) fn write_child(snapshot: &Database, child: Child, then: Step) -> Next {
    let mut after = *snapshot;
    after.children[child] = true;
    Next::Begin(after, then)
}

/// Writes the delta of a child and nothing else.
pub(crate) fn write_delta(setup: &Setup, latest: &Database, child: Child, then: Step) -> Next {
    let mut after = *latest;
    after.deltas[child] = Some(setup.fields);
    Next::Now(after, then)
}
