//! Applies the additions and removals of one array to the other arrays, in the same transaction.

use crate::{
    database::{Database, Id, Ids, Phase, each},
    setup::Setup,
};

/// Adds a document to the arrays of the documents that it now refers to, and removes it from the arrays of those that
/// it no longer refers to. Returns the missing ones of these documents.
///
/// ```js
/// courses.updateOne({_id, students: {$type: "array"}}, {$pullAll: {students: [ann]}})                  // lost
/// courses.updateOne({_id, students: {$type: "array", $nin: [ann]}}, {$push: {students: {$each: [ann]}}})  // gained
/// ```
pub(crate) fn mirror(setup: &Setup, snapshot: &Database, after: &mut Database, id: Id) -> Ids {
    let (before, now) = (snapshot.named_by(id), after.named_by(id));
    let mut missing = Ids::default();
    for other in each(std::array::from_fn(|other| before[other] != now[other])) {
        missing[other] = !bring(setup, after, id, other, now[other]);
    }
    missing
}

/// Adds a document to the array of another document, or removes it, if its own array already has the right content.
/// Returns the other document if it is missing. A writer that does the opposite at the same time also writes the array
/// of one document and the job of the other.
///
/// ```js
/// courses.updateOne(..)                                                       // as `mirror`
/// _odm_jobs.updateOne({_id: ann}, {$set: {version, ..}}, {upsert: true})
/// ```
pub(crate) fn settle(setup: &Setup, after: &mut Database, id: Id, other: Id, names: bool) -> Ids {
    let mut missing = Ids::default();
    if setup.rules.settles {
        missing[other] = !bring(setup, after, id, other, names);
        if setup.rules.marks_settled {
            after.record(id, Phase::Settle);
        }
    }
    missing
}

/// Adds a document to the array of one other document, or removes it. Returns whether the other document exists.
fn bring(setup: &Setup, after: &mut Database, id: Id, other: Id, names: bool) -> bool {
    if !setup.rules.mirrors {
        after.record(other, Phase::Run);
        return true;
    }
    let array = after.documents[other].as_mut().map(|it| &mut it.array);
    match array {
        Some(Some(array)) if array[id] != names => array[id] = names,
        Some(_) => unchanged(setup, after, other, names),
        None => {
            if setup.rules.marks_missing {
                after.record(other, Phase::Settle);
            }
            return false;
        }
    }
    true
}

/// Stores a job because the update of an existing document has changed nothing:
///
/// ```js
/// _odm_jobs.updateOne({_id: course}, {$set: {version, ..}}, {upsert: true})
/// courses.updateOne({_id}, {$set: {students: [..]}})   // if it did not match: what the array has and lacks
/// ```
fn unchanged(setup: &Setup, after: &mut Database, id: Id, has_gained: bool) {
    if setup.rules.marks_unchanged {
        after.record(id, Phase::Settle);
    }
    let is_array = after.documents[id].is_some_and(|it| it.array.is_some());
    if has_gained || !is_array {
        after.complete(id);
    }
}
