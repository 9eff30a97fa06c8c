//! Brings to other arrays what one array has gained and lost, in the same transaction.

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
        if !setup.rules.mirrors {
            after.record(other, Phase::Run);
            continue;
        }
        let array = after.documents[other].as_mut().map(|it| &mut it.array);
        match array {
            Some(Some(array)) if array[id] != now[other] => array[id] = now[other],
            Some(_) => unchanged(setup, after, other, now[other]),
            None => {
                missing[other] = true;
                if setup.rules.marks_missing {
                    after.record(other, Phase::Settle);
                }
            }
        }
    }
    missing
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
