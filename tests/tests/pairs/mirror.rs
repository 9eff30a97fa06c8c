//! Applies the additions and removals of one array to the other arrays, in the same transaction.

use crate::{
    database::{Database, Id, Ids, Phase, each},
    setup::Setup,
};

/// Brings to the others what a document names now and did not name before, and the other way round. Returns those that
/// are not there.
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

/// Brings to the other one that a document names it, or does not, which its own array has said before. Returns the other
/// one if it is not there. Who does the opposite at the same time writes the one array and the job of the other; so does
/// this.
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

/// Brings to one other what a document names or does not name. Returns whether it is there.
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

/// The update of a document that is there has changed nothing:
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
