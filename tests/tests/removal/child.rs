//! Stores a child that refers to the source, and checks its copy after the commit.

use crate::{
    client::Step,
    database::{COPIES, Child, Database, Phase},
    machine::Next,
    setup::Setup,
};

/// Stores the reference and the copy, in one transaction:
///
/// ```js
/// sources.findOne({_id: source})
/// children.insertOne({_id, source, value})    // or an update, if the child exists
/// _odm_jobs.updateOne({_id: source}, {$set: {version, ..}}, {upsert: true})   // without a source
/// ```
pub(crate) fn store(setup: &Setup, snapshot: &Database, at: usize) -> Next {
    let mut after = *snapshot;
    after.children[at] = Child::Linked(snapshot.source);
    if snapshot.source.is_none() && setup.rules.expects {
        after.record(COPIES, Phase::Settle);
    }
    let rechecks = setup.rules.rechecks;
    let then = if rechecks {
        Step::Recheck(at, snapshot.source)
    } else {
        Step::Done
    };
    Next::Begin(after, then)
}

/// Corrects the copy, in one transaction:
///
/// ```js
/// sources.findOne({_id: source})
/// children.updateOne({_id, source}, {$set: {value}})
/// ```
pub(crate) fn correct(snapshot: &Database, at: usize) -> Next {
    let mut after = *snapshot;
    if let (Child::Linked(copy), Some(_)) = (&mut after.children[at], snapshot.source) {
        *copy = snapshot.source;
    }
    Next::Begin(after, Step::Done)
}
