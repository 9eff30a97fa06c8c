//! Inserts a new copy.

use crate::{
    client::Step,
    database::{Database, Job, Value},
    machine::{Next, State},
    renamer,
    rules::{Marks, Reread},
    setup::{Form, INSERTED, Setup},
    state::Declaration,
};

/// Inserts a copy with the value of the source, in one transaction:
///
/// ```js
/// source.findOne({_id})
/// copies.insertOne({_id: key, source, value: source.value})
/// ```
///
/// The transaction also stores the job of [`mark`].
pub(crate) fn insert(setup: &Setup, state: &State) -> Next {
    let snapshot = &state.database;
    let mut after = *snapshot;
    after.copies[INSERTED] = Some(snapshot.source);
    mark(setup, state, &mut after);
    Next::Begin(after, inserted(setup, snapshot.source))
}

fn inserted(setup: &Setup, copy: Value) -> Step {
    match setup.rules.reread {
        Reread::AfterCommit => Step::Reread(copy),
        Reread::Never => Step::Inserted,
    }
}

/// Renames the source and inserts a copy with the new value, in one transaction of the application. The rename has the
/// writes of [`renamer::rename`].
pub(crate) fn transact(
    setup: &Setup,
    state: &State,
    to: &'static [Value],
    form: Form,
) -> Option<Next> {
    let renamed = renamer::rename(setup, state, false, to, form)?;
    let (mut after, value) = match renamed {
        Next::Begin(after, ..) => (after, *to.first()?),
        _ => (state.database, state.database.source),
    };
    after.copies[INSERTED] = Some(value);
    Some(Next::Begin(after, inserted(setup, value)))
}

/// Stores a job as long as a rename that does not know the copy may be running:
///
/// ```js
/// _odm_jobs.updateOne({_id}, {$set: {seq, not_before}}, {upsert: true})      // nothing, if it waits as long
/// ```
fn mark(setup: &Setup, state: &State, after: &mut Database) {
    let of = INSERTED % setup.relations;
    let found = state.database.jobs[of];
    let is_unknown = match setup.rules.marks {
        Marks::UntilAllHaveEnded | Marks::WithoutWait => state.world.declaration < Declaration::Old,
        Marks::UntilAllKnow => state.world.declaration < Declaration::Known,
        Marks::Never => false,
    };
    if is_unknown && !found.is_some_and(|job| job.waits) {
        let job = Job {
            seq: state.next_seq(&setup.rules, of),
            needs_run: found.is_some_and(|job| job.needs_run),
            waits: true,
            is_of_newer: found.is_some_and(|job| job.is_of_newer),
        };
        after.jobs[of] = Some(job);
    }
}

/// Reads the source after the commit, with read concern majority and outside of a transaction.
pub(crate) fn reread(state: &State, wrote: Value) -> Next {
    let is_same = state.majority().source == wrote;
    Next::Go(if is_same { Step::Inserted } else { Step::Fix })
}

/// Corrects the inserted copy, in one transaction:
///
/// ```js
/// source.findOne({_id})
/// copies.updateOne({_id: key, value: {$ne: source.value}}, {$set: {value: source.value}})
/// ```
pub(crate) fn fix(state: &State) -> Next {
    let snapshot = &state.database;
    let mut after = *snapshot;
    if snapshot.is_stale(INSERTED) {
        after.copies[INSERTED] = Some(snapshot.source);
    }
    Next::Begin(after, Step::Inserted)
}
