//! Updates the copies of changed sources in the transaction of the write, or enqueues jobs.
//!
//! 1. `write_mandatory` writes the fields that always follow in the transaction (`ExtendedReference::follows_at_once`).
//! 2. `add_to_parents` adds to the computed fields of parents, or stores deltas for them.
//! 3. `announce` writes the jobs for the remaining changes, before the copies are written. The jobs cover copies that a
//!    concurrent transaction inserts, because this one does not see them.
//! 4. `spread` writes the copies, level by level, until the budget is used up. The remaining changes are left to their
//!    jobs.
//!
//! Without a transaction, all changes are left to jobs after step 1. With `deferred()`, they are left after step 2.
//!
//! Exception: copies that only other programs declare (`foreign`) are never written here, and always get jobs.

use std::collections::HashSet;

use mongodb::bson::{Bson, doc};

use super::{
    copy_write::{Candidates, count, count_tied, followers, send, write_with_changes},
    follow_result::{Follow, Followed},
    new_declaration::mark,
    parent_update::{ParentUpdates, add_inline, add_to_parents},
    source_change::{Change, entries},
};
use crate::{
    client::{command::UpdateCommand, odm::Exec},
    derived::{
        outbox::{JobEntry, Phase, record, record_all},
        values::{CopyReport, Form, Guarantee, Resolved, resolve_stored, updates},
    },
    error::{Error, Result},
    graph::ExtendedReference,
    mongosh,
    value::key::JoinKey,
};

/// Updates the copies of changed sources, in the transaction that changed the sources.
pub(crate) async fn follow(changes: Vec<Change>, how: Follow, exec: &Exec) -> Result<Followed> {
    follow_within(changes, how, how.budget(exec), exec).await
}

/// Updates the copies of changed sources, as far as the remaining budget allows.
pub(super) async fn follow_within(
    mut changes: Vec<Change>,
    how: Follow,
    mut budget: Option<u64>,
    exec: &Exec,
) -> Result<Followed> {
    if changes.is_empty() {
        return Ok(Followed::default());
    }
    // Before `defer`: a job cannot tell an added element from a removed one, nor reject a child for `max`.
    let mut followed = write_mandatory(&mut changes, how, exec).await?;
    // Without a transaction, a crash could leave some copies unwritten. The job, stored before the source, writes them.
    // If an earlier try met a document that cannot store its copy, the job writes the others and reports that one.
    let leave = exec.defers_copies() && how == Follow::Converge;
    if leave || !exec.in_transaction() {
        followed.extend(defer(&changes, exec).await?);
        return Ok(followed);
    }
    // This applies to deferred writes too: an addition becomes a delta, which costs less than a job that reads all
    // children.
    let ParentUpdates {
        left: changes,
        followed: added,
    } = add_to_parents(changes, how, &mut budget, exec).await?;
    followed.extend(added);
    if how == Follow::Deferred {
        followed.extend(defer(&changes, exec).await?);
        return Ok(followed);
    }
    if changes.is_empty() {
        return Ok(followed);
    }
    // The jobs are written even if all copies fit, because a concurrent transaction may insert a copy of the old value.
    // The last look finds it.
    let running = announce(&changes, exec).await?;
    mark_computed(&changes, exec).await?;
    if running && how == Follow::Converge {
        // No runner has finished the job yet, so a runner will read the new values. A second writer would only conflict
        // with it.
        followed.extend(promise(&changes));
        return Ok(followed);
    }
    followed.extend(promise_of_foreign(&changes, exec));
    let mut left = changes;
    while !left.is_empty() {
        let next = spread(&left, &mut budget, &mut followed.reports, exec).await;
        if how == Follow::Converge && next.as_ref().is_err_and(Error::is_document_rejected) {
            // Otherwise one document that cannot store its copy would make each change of its source fail.
            exec.refuse_copies();
        }
        let Some(next) = next? else {
            // The levels that were written are correct. This level is left to its jobs.
            followed.extend(defer(&left, exec).await?);
            return Ok(followed);
        };
        // Copies of copies belong to other relations. The last look of the first job does not read them.
        record_all(&entries(&next, Phase::Settle), exec).await?;
        followed.extend(promise_of_foreign(&next, exec));
        left = next;
    }
    Ok(followed)
}

/// Writes the fields that always follow in the transaction. Adds the changes that these writes cause.
async fn write_mandatory(changes: &mut Vec<Change>, how: Follow, exec: &Exec) -> Result<Followed> {
    let (added, mut recomputed) = add_inline(changes, how, exec).await?;
    // Pairs of a new document with documents that already refer to it. A job could not reject the insert for its `max`.
    // The job is written as well: a writer that removes such a pair does not find the array yet, and writes only the
    // job.
    let pairs: Vec<Change> = changes.extract_if(.., |it| it.is_of_pairs()).collect();
    record_all(&entries(&pairs, Phase::Settle), exec).await?;
    recomputed.extend(pairs);
    let mut followed = added.followed;
    changes.extend(added.left);
    // No budget, because a job could not do the rest.
    let next = spread(&recomputed, &mut None, &mut followed.reports, exec).await?;
    changes.extend(next.into_iter().flatten());
    Ok(followed)
}

/// Writes the jobs for copies that this transaction writes next. Sends one `findAndModify` for a single job, and one
/// `update` for several. Returns whether a single job was already in the phase `run`.
async fn announce(changes: &[Change], exec: &Exec) -> Result<bool> {
    let entries = entries(changes, Phase::Settle);
    if let [entry] = entries.as_slice()
        // A foreign entry always has the phase `Run`. The job would seem to have a runner, and this write would try to
        // run a job for another program.
        && entry.phase == Phase::Settle
    {
        return Ok(record(entry, exec).await? == Phase::Run);
    }
    // The reply of an `update` contains no phases. One `findAndModify` for each job would cost more than it saves.
    record_all(&entries, exec).await?;
    Ok(false)
}

/// Marks the documents that have computed fields, because another program may write children without knowing these
/// fields.
async fn mark_computed(changes: &[Change], exec: &Exec) -> Result<()> {
    let mut references = changes.iter().flat_map(|change| &change.references);
    if !references.any(|it| it.reference.is_computed()) {
        return Ok(());
    }
    for (reference, keys, _) in by_reference(changes) {
        if reference.is_computed() {
            mark(reference, &keys, exec).await?;
        }
    }
    Ok(())
}

/// Returns the report about the copies that are left to other programs, and their jobs.
fn promise_of_foreign(changes: &[Change], exec: &Exec) -> Followed {
    let mut followed = Followed::default();
    let references = changes.iter().flat_map(|change| &change.references);
    for it in references.filter(|it| it.reference.foreign) {
        exec.odm().warn_of_foreign(&it.reference.relation);
        CopyReport::new(it.reference, Form::Job, Guarantee::Eventual)
            .merge_into(&mut followed.reports);
        let jobs = it.keys.iter();
        let jobs = jobs.map(|key| JobEntry::of_reference(it.reference, key, Phase::Run).id);
        followed.foreign.extend(jobs);
    }
    followed
}

async fn defer(changes: &[Change], exec: &Exec) -> Result<Followed> {
    record_all(&entries(changes, Phase::Run), exec).await?;
    Ok(promise(changes))
}

/// Returns the report about the copies that are left to jobs of this program.
fn promise(changes: &[Change]) -> Followed {
    let mut followed = Followed::default();
    for change in changes {
        for it in &change.references {
            CopyReport::new(it.reference, Form::Job, Guarantee::Eventual)
                .merge_into(&mut followed.reports);
        }
    }
    let jobs = entries(changes, Phase::Run).into_iter();
    followed.jobs = jobs.map(|entry| entry.id).collect();
    followed
}

/// Writes the copies of some changes. Returns the changes that these writes cause, or `None` if there are more copies
/// than the budget allows.
async fn spread(
    changes: &[Change],
    budget: &mut Option<u64>,
    reports: &mut Vec<CopyReport>,
    exec: &Exec,
) -> Result<Option<Vec<Change>>> {
    // All copies of a level are counted before any is written, so that the level is written as a whole or left to its
    // jobs as a whole.
    let mut statements = Vec::new();
    for (reference, keys, known) in by_reference(changes) {
        let resolved = match known {
            Some(known) => known,
            None => resolve_stored(reference, &keys, exec).await?,
        };
        let updates = updates(reference, &keys, &resolved)?;
        if updates.is_empty() {
            continue;
        }
        if let Some(left) = budget {
            exec.note(|| {
                format!(
                    "{}: more than {left} copies are left to a job",
                    reference.name
                )
            });
            // Counting one more than the budget is enough. An exact count would read all copies.
            let copies = copies_of(reference, &keys, &updates, left.saturating_add(1), exec);
            let copies = copies.await?;
            let Some(rest) = left.checked_sub(copies) else {
                return Ok(None);
            };
            *left = rest;
            if copies == 0 {
                CopyReport::new(reference, Form::Written, Guarantee::Atomic).merge_into(reports);
                continue;
            }
        }
        statements.push((reference, keys, updates));
    }
    let mut next = Vec::new();
    for (reference, keys, updates) in statements {
        explain(reference, exec);
        let followers = followers(reference, exec).await?;
        let wrote = if followers.is_empty() {
            send(&updates, exec).await?
        } else {
            let keys = Candidates::Keys(&keys);
            let seen = write_with_changes(reference, followers, keys, &updates, exec).await?;
            next.extend(seen.1);
            seen.0
        };
        let mut report = CopyReport::new(reference, Form::Written, Guarantee::Atomic);
        // `matched` counts copies with another value. The filter also matches some copies that are correct already.
        (report.matched, report.modified, report.batches) = (wrote.modified, wrote.modified, 1);
        report.merge_into(reports);
    }
    Ok(Some(next))
}

/// Counts the copies that updates of some keys would change, up to a limit. For several updates it counts all copies of
/// their keys, because this is one statement, not one for each source.
async fn copies_of(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    updates: &[UpdateCommand],
    limit: u64,
    exec: &Exec,
) -> Result<u64> {
    // Each key has at most one document.
    if reference.is_by_document() {
        return Ok(keys.len() as u64);
    }
    match updates {
        [update] => count(update, limit, exec).await,
        updates => {
            let hint = updates.first().and_then(|it| it.options.hint.clone());
            let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
            count_tied(reference, &keys, hint, limit, exec).await
        }
    }
}

/// Notes in a plan which copies the next statement writes, and which index it uses.
fn explain(reference: &ExtendedReference, exec: &Exec) {
    exec.note(|| {
        let path = reference.key_path();
        let index = if path == "_id" {
            doc! { "_id": 1 }
        } else {
            doc! { path: 1, "_id": 1 }
        };
        format!(
            "{}, by the index {}",
            reference.name,
            mongosh::document(&index)
        )
    });
    exec.count_next();
}

/// Groups changes by extended reference, so that each key occurs once. A group has values if all its changes have
/// values.
fn by_reference(
    changes: &[Change],
) -> Vec<(&'static ExtendedReference, Vec<JoinKey>, Option<Resolved>)> {
    let mut groups: Vec<(&'static ExtendedReference, Vec<JoinKey>, Option<Resolved>)> = Vec::new();
    let references = changes.iter().flat_map(|change| &change.references);
    for it in references.filter(|it| !it.reference.foreign) {
        // By address: a part of a reference has the same relation, but other fields.
        let at = groups
            .iter()
            .position(|(reference, ..)| std::ptr::eq(*reference, it.reference))
            .unwrap_or_else(|| {
                groups.push((it.reference, Vec::new(), Some(Resolved::default())));
                groups.len() - 1
            });
        let Some((_, keys, known)) = groups.get_mut(at) else {
            continue;
        };
        keys.extend(it.keys.iter().cloned());
        match (&mut *known, &it.values) {
            (Some(known), Some(values)) => {
                // The later of two changes of a key replaces the earlier one. `add_to_parents` relies on it.
                known.extend(it.keys.iter().map(|key| (key.clone(), values.clone())));
            }
            _ => *known = None,
        }
    }
    for (_, keys, _) in &mut groups {
        let mut seen = HashSet::new();
        // Many children have one parent.
        keys.retain(|key| seen.insert(key.clone()));
    }
    groups
}
