//! Who makes a new copy.

use crate::{
    client::{Next, Step},
    database::{Value, Writes},
    rules::Reread,
    setup::{INSERTED, Setup},
    state::State,
    transaction::Kind,
};

/// Inserts a copy with the value of the source, in one transaction:
///
/// ```js
/// source.findOne({_id})
/// copies.insertOne({_id: key, source, value: source.value})
/// ```
pub(crate) fn insert(setup: &Setup, state: &State) -> Next {
    let snapshot = &state.database;
    let mut writes = Writes::default();
    writes.copy(snapshot, INSERTED, snapshot.source);
    let then = match setup.rules.reread {
        Reread::AfterCommit => Step::Reread(snapshot.source),
        Reread::Never => Step::Inserted,
    };
    Next::Begin(writes, Kind::Other, then)
}

/// Reads the source after the commit, with read concern majority and outside of a transaction.
pub(crate) fn reread(state: &State, wrote: Value) -> Next {
    let is_same = state.majority().source == wrote;
    Next::Go(if is_same { Step::Inserted } else { Step::Fix })
}

/// Corrects its copy, in one transaction:
///
/// ```js
/// source.findOne({_id})
/// copies.updateOne({_id: key, value: {$ne: source.value}}, {$set: {value: source.value}})
/// ```
pub(crate) fn fix(state: &State) -> Next {
    let snapshot = &state.database;
    let mut writes = Writes::default();
    if snapshot.is_stale(INSERTED) {
        writes.copy(snapshot, INSERTED, snapshot.source);
    }
    Next::Begin(writes, Kind::Other, Step::Inserted)
}
