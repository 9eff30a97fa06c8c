//! Changes the source.

use crate::{
    client::Step,
    database::{Job, Value},
    machine::{Next, State},
    rules::JobWrite,
    setup::{Form, Setup},
};

/// Renames the source to the first of `left`, in one transaction:
///
/// ```js
/// source.findAndModify({_id}, {$set: {value}})             // goes on only if the value changes
/// _odm_jobs.updateOne({_id}, {$set: {seq, changed_at: now, needs_run}}, {upsert: true})  // each relation
/// copies.updateMany({source, value: {$ne: value}}, {$set: {value}})          // the small form alone
/// ```
///
/// A renamer that does not know the copies only renames the source. So does a renamer that stops half-way.
///
/// Also in the small form, a renamer leaves the copies of unknown relations to the programs that know them.
pub(crate) fn rename(
    setup: &Setup,
    state: &State,
    is_older: bool,
    left: &'static [Value],
    form: Form,
) -> Option<Next> {
    let (&to, left) = left.split_first()?;
    let snapshot = &state.database;
    let then = Step::Rename(left);
    if snapshot.source == to {
        return Some(Next::Go(then));
    }

    let mut after = *snapshot;
    after.source = to;
    if matches!(form, Form::Unknowing | Form::Cut) {
        return Some(Next::Begin(after, then));
    }
    let marked = match setup.rules.job {
        // For the newer version, all copies belong to one relation.
        JobWrite::WithRename if setup.versions && !is_older => 1,
        JobWrite::WithRename => setup.relations,
        JobWrite::FirstRelation => 1,
        JobWrite::Never => 0,
    };
    for of in 0..marked {
        let found = snapshot.jobs[of];
        let is_running = found.is_some_and(|job| job.needs_run);
        let is_of_newer = setup.versions && !is_older;
        let job = Job {
            seq: state.next_seq(&setup.rules, of),
            needs_run: is_running || form == Form::Large || !setup.knows(is_older, of),
            waits: found.is_some_and(|job| job.waits),
            is_of_newer: is_of_newer || found.is_some_and(|job| job.is_of_newer),
        };
        after.jobs[of] = Some(job);
    }
    if form == Form::Small {
        let known = (0..setup.known).filter(|of| setup.knows(is_older, *of));
        let keys = known.flat_map(|of| setup.keys(of));
        let keys = keys.filter(|key| snapshot.copies[*key].is_some());
        keys.for_each(|key| after.copies[key] = Some(to));
    }
    Some(Next::Begin(after, then))
}
