//! Deletes and inserts the source.

use crate::{
    client::Step,
    database::{COPIES, Child, Database, Phase, RULE, Value},
    machine::Next,
    setup::Setup,
};

/// Deletes the source and applies the rule to its children, in one transaction:
///
/// ```js
/// children.find({source: _id})
/// sources.deleteOne({_id})
/// children.deleteMany({_id: {$in: [..]}})      // or an update that removes the reference and the copy
/// _odm_jobs.updateOne({_id: rule}, {$set: {version, ..}}, {upsert: true})
/// ```
pub(crate) fn delete(setup: &Setup, snapshot: &Database) -> Next {
    if snapshot.source.is_none() {
        return Next::Go(Step::Done);
    }
    let mut after = *snapshot;
    after.source = None;
    if setup.rules.applies {
        after.change_links(setup.removal.child());
        after.record(RULE, Phase::Settle);
    } else {
        after.record(RULE, Phase::Run);
    }
    Next::Begin(after, Step::Done)
}

/// Inserts the source, and writes the copies of its children, in one transaction:
///
/// ```js
/// sources.insertOne({_id, value})
/// children.findOne({source: _id})              // continues as `follow` if it finds a child
/// ```
///
/// Searches again after the commit, if it has found no child.
pub(crate) fn insert(setup: &Setup, snapshot: &Database, value: Value) -> Next {
    if snapshot.source.is_some() {
        return Next::Go(Step::Done);
    }
    let mut after = *snapshot;
    after.source = Some(value);
    if setup.rules.searches && snapshot.has_links() {
        follow(&mut after);
        return Next::Begin(after, Step::Done);
    }
    let rechecks = setup.rules.rechecks;
    Next::Begin(after, if rechecks { Step::Search } else { Step::Done })
}

/// Stores the job for the copies, and writes the copies, unless a run of the job is already due:
///
/// ```js
/// _odm_jobs.findAndModify({_id: source}, {$set: {version, ..}}, {upsert: true})
/// children.updateMany({source: _id}, {$set: {value}})
/// ```
fn follow(after: &mut Database) {
    if after.record(COPIES, Phase::Settle) == Phase::Settle {
        after.change_links(Child::Linked(after.source));
    }
}

/// Reads the source again, and writes the copies that the search after the commit has found, in one transaction.
pub(crate) fn follow_again(snapshot: &Database) -> Next {
    let mut after = *snapshot;
    if snapshot.source.is_some() {
        follow(&mut after);
    }
    Next::Begin(after, Step::Done)
}
