//! Inserts a document, and looks for references to it once more after the commit.

use crate::{
    client::{Look, Ops, Step},
    database::{Database, Document, Id, Ids, Phase, each, ids},
    machine::Next,
    mirror::mirror,
    setup::Setup,
};

/// Inserts a document, and adds to its array the documents that already refer to it, in one transaction:
///
/// ```js
/// courses.insertOne({_id, students})
/// students.find({courses: _id, _id: {$nin: students}})
/// students.updateMany(..)                                                     // as `mirror`
/// _odm_jobs.updateOne({_id: course}, {$set: {version, ..}}, {upsert: true})   // if anybody names it
/// courses.updateOne({_id}, {$set: {students: [..]}})                          // as the job
/// ```
pub(crate) fn insert(setup: &Setup, snapshot: &Database, id: Id, names: &[Id], left: Ops) -> Next {
    if snapshot.documents[id].is_some() {
        return Next::Go(Step::Write(left));
    }
    let mut after = *snapshot;
    let array = Some(ids(names));
    after.documents[id] = Some(Document { array });
    let awaited = mirror(setup, snapshot, &mut after, id);
    let mut known = ids(names);
    let found = snapshot.namers_of(id);
    if setup.rules.looks && each(found).any(|other| !known[other]) {
        name_back(setup, &mut after, id);
        each(found).for_each(|other| known[other] = true);
    }
    let arrived = setup.rules.looks_again.then_some((id, known));
    Next::Begin(after, look_again(setup, awaited, arrived, left))
}

fn name_back(setup: &Setup, after: &mut Database, id: Id) {
    let is_left = !setup.rules.completes;
    if setup.rules.marks_new {
        after.record(id, if is_left { Phase::Run } else { Phase::Settle });
    }
    if !is_left {
        after.complete(id);
    }
}

/// The step of a writer after its commit.
pub(crate) fn look_again(
    setup: &Setup,
    missing: Ids,
    arrived: Option<(Id, Ids)>,
    left: Ops,
) -> Step {
    let awaited = if setup.rules.awaits {
        missing
    } else {
        Ids::default()
    };
    let look = Look { awaited, arrived };
    if arrived.is_none() && each(awaited).next().is_none() {
        return Step::Write(left);
    }
    Step::Look(look, left)
}

/// Looks for further documents that refer to the new document, and for documents that were missing. If it finds any, it
/// stores a job that is due at once for the new document and for each document that was missing.
pub(crate) fn look(latest: &Database, look: Look, left: Ops) -> Next {
    let mut after = *latest;
    if let Some((id, known)) = look.arrived {
        let is_new = |other: Id| !known[other];
        if each(latest.namers_of(id)).any(is_new) {
            after.record(id, Phase::Run);
        }
    }
    for id in each(look.awaited).filter(|id| latest.documents[*id].is_some()) {
        after.record(id, Phase::Run);
    }
    Next::Now(after, Step::Write(left))
}
