//! Who changes the source.

use crate::{
    client::{Next, Step},
    database::{COPIES, Job, Value, Writes},
    rules::JobWrite,
    setup::{Form, Setup},
    state::State,
    transaction::Kind,
};

/// Renames the source to the first of `left`, in one transaction:
///
/// ```js
/// source.findAndModify({_id}, {$set: {value}})             // goes on only if the value changes
/// _odm_jobs.updateOne({_id}, {$set: {seq, changed_at: now, needs_run}}, {upsert: true})
/// copies.updateMany({source, value: {$ne: value}}, {$set: {value}})          // the small form alone
/// ```
pub(crate) fn rename(
    setup: &Setup,
    state: &State,
    left: &'static [Value],
    form: Form,
) -> Option<Next> {
    let (&to, left) = left.split_first()?;
    let snapshot = &state.database;
    let then = Step::Rename(left);
    if snapshot.source == to {
        return Some(Next::Go(then));
    }

    let mut writes = Writes::default();
    writes.source(snapshot, to);
    if setup.rules.job == JobWrite::WithRename {
        let is_running = snapshot.job.is_some_and(|job| job.needs_run);
        let seq = state.next_seq(&setup.rules);
        let needs_run = is_running || form == Form::Large;
        writes.job(snapshot, Some(Job { seq, needs_run }));
    }
    if form == Form::Small {
        let keys = (0..COPIES).filter(|key| snapshot.copies[*key].is_some());
        keys.for_each(|key| writes.copy(snapshot, key, to));
    }
    Some(Next::Begin(writes, Kind::Other, then))
}
