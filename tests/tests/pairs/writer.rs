//! Writes to arrays of existing documents.

use crate::{
    arrival::{insert, look_again},
    client::{Op, Ops, Step},
    database::{Database, Id, Phase, each},
    machine::Next,
    mirror::{mirror, settle},
    setup::Setup,
};

/// Does the next write of a writer.
pub(crate) fn write(setup: &Setup, snapshot: &Database, op: Op, left: Ops) -> Next {
    let mut after = *snapshot;
    let id = match op {
        Op::Link(id, other) => {
            if let Some(document) = &mut after.documents[id] {
                document.array.get_or_insert_default()[other] = true;
            }
            id
        }
        Op::Unlink(id, other) => {
            after.end(id, other);
            id
        }
        Op::Delete(id) => {
            after.documents[id] = None;
            id
        }
        Op::Make(id, other) => return change(setup, snapshot, (id, other), true, left),
        Op::End(id, other) => return change(setup, snapshot, (id, other), false, left),
        Op::Insert(id, names) => return insert(setup, snapshot, id, names, left),
        Op::RemoveOneSided(id) => return remove(setup, snapshot, id, left),
    };
    let missing = mirror(setup, snapshot, &mut after, id);
    Next::Begin(after, look_again(setup, missing, None, left))
}

/// Creates or ends a link, in one transaction that first reads the document's own array:
///
/// ```js
/// students.find({_id})
/// students.updateOne({_id}, ..)   // if that changes it; then as `mirror`, else as `settle`
/// ```
fn change(
    setup: &Setup,
    snapshot: &Database,
    (id, other): (Id, Id),
    names: bool,
    left: Ops,
) -> Next {
    if snapshot.documents[id].is_none() {
        return Next::Go(Step::Write(left));
    }
    if snapshot.named_by(id)[other] != names {
        let op = if names { Op::Link } else { Op::Unlink };
        return write(setup, snapshot, op(id, other), left);
    }
    let mut after = *snapshot;
    let missing = settle(setup, &mut after, id, other, names);
    Next::Begin(after, look_again(setup, missing, None, left))
}

/// Removes from an array the documents that do not refer back, in one transaction that reads both ends:
///
/// ```js
/// students.find({_id})
/// courses.find({_id: {$in: courses}})
/// students.updateOne({_id}, {$pullAll: {courses: [course]}})
/// ```
fn remove(setup: &Setup, snapshot: &Database, id: Id, left: Ops) -> Next {
    let mut after = *snapshot;
    let is_there = |other: Id| snapshot.documents[other].is_some();
    for other in each(snapshot.named_by(id)).filter(|other| is_there(*other)) {
        if snapshot.named_by(other)[id] {
            continue;
        }
        after.end(id, other);
        if setup.rules.marks_removed {
            after.record(other, Phase::Settle);
        }
    }
    Next::Begin(after, Step::Write(left))
}
