//! Who changes the source.

use crate::{
    client::{Next, Step},
    database::{Job, Value, Writes},
    rules::JobWrite,
    setup::{Form, Setup},
    state::State,
    transaction::Kind,
};

/// Renames the source to the first of `left`, in one transaction:
///
/// ```js
/// source.findAndModify({_id}, {$set: {value}})             // goes on only if the value changes
/// _odm_jobs.updateOne({_id}, {$set: {seq, changed_at: now, needs_run}}, {upsert: true})  // each relation
/// copies.updateMany({source, value: {$ne: value}}, {$set: {value}})          // the small form alone
/// ```
///
/// A renamer that does not know the copies renames the source, and nothing else.
///
/// Copies of relations that only other programs know are left to them, also in the small form.
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
    if form == Form::Unknowing {
        return Some(Next::Begin(writes, Kind::Other, then));
    }
    let marked = match setup.rules.job {
        JobWrite::WithRename => setup.relations,
        JobWrite::FirstRelation => 1,
        JobWrite::Never => 0,
    };
    for of in 0..marked {
        let is_running = snapshot.jobs[of].is_some_and(|job| job.needs_run);
        let seq = state.next_seq(&setup.rules, of);
        let needs_run = is_running || form == Form::Large || of >= setup.known;
        let waits = snapshot.jobs[of].is_some_and(|job| job.waits);
        let job = Job {
            seq,
            needs_run,
            waits,
        };
        writes.job(snapshot, of, Some(job));
    }
    if form == Form::Small {
        let keys = (0..setup.known).flat_map(|of| setup.keys(of));
        let keys = keys.filter(|key| snapshot.copies[*key].is_some());
        keys.for_each(|key| writes.copy(snapshot, key, to));
    }
    Some(Next::Begin(writes, Kind::Other, then))
}
