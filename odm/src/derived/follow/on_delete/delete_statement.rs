//! Sends the statements of a delete: one for each model and one for each rule. Each statement covers all levels.

use std::collections::HashSet;

use mongodb::{
    bson::{Document, doc},
    options::UpdateModifications,
};

use super::{
    archive::{self, Restored},
    cascade::{Cascade, Unlinked},
    deleted_group::Gone,
    deletion::Deletion,
    earlier_deletes::{Part, all_parts},
    owner::in_statements,
};
use crate::{
    client::{
        command::{UpdateCommand, simple},
        odm::Exec,
        place::Place,
    },
    derived::{
        follow::{
            deleted_document::{DeletedDocuments, ids_of},
            follow_result::Follow,
            follow_within,
            inbound_copies::InboundCopies,
            outcome::Outcome,
            source_change::{Change, entries, keys_of_rule},
            written_copy::WrittenCopies,
        },
        outbox::{JobEntry, Phase, record_all},
        values::{CascadeReport, Guarantee, Image, key_condition},
    },
    error::Result,
    graph::{StoredReference, graph},
    value::key::JoinKey,
};

/// Deletes and updates the collected documents, and updates the copies that depend on them. Returns the number of
/// documents that the queries of the call found, and that were deleted or restored.
pub(super) async fn carry_out(cascade: Cascade, how: Follow, exec: &Exec) -> Result<Outcome<u64>> {
    let left = jobs_of(&cascade.left);
    let (mut changes, of_missing) = changes_of(&cascade, &left);
    let parts = all_parts(&cascade, exec).await?;
    if !exec.in_transaction() {
        // Without a transaction, the jobs are written first. So even after a crash, there is a job for each deleted
        // source.
        let announced: Vec<Change> = announced(&cascade).chain(changes.iter().cloned()).collect();
        record_all(&entries(&announced, Phase::Run), exec).await?;
        record_all(&of_missing, exec).await?;
    }
    let mut done = Outcome::<u64>::default();
    let mut restored = Restored::default();
    for (gone, parts) in cascade.gone.iter().zip(parts) {
        let is_asked = gone.asked > 0;
        let update = cascade.deletion.update(gone.model, is_asked, exec)?;
        let mut count = match (&cascade.deletion, update) {
            (Deletion::Archive { id, at }, _) if gone.model.archive.is_some() => {
                archive::store(gone, id, *at, exec).await?
            }
            (Deletion::Restore { .. }, _) if gone.is_archived => {
                restored.take_out(gone, &parts, how, exec).await?
            }
            (_, None) => gone.remove(exec).await?,
            (_, Some(update)) => {
                let place = cascade.deletion.place(gone.model);
                let updated = update_all(gone, parts, (place, update), exec).await?;
                let (count, more, written) = updated;
                changes.extend(more);
                done.written.extend(written);
                count
            }
        };
        // The group may also contain documents of the same model that the cascade has added.
        let asked = count.min(gone.asked as u64);
        done.value += asked;
        count -= asked;
        if count > 0 {
            let mut report = CascadeReport::new(gone.model, Guarantee::Atomic);
            match cascade.deletion {
                Deletion::Purge | Deletion::Mark { .. } | Deletion::Archive { .. } => {
                    report.deleted = count;
                }
                Deletion::Restore { .. } => report.restored = count,
            }
            report.merge_into(&mut done.followed.cascaded);
        }
    }
    restored.finish(&mut done, exec).await?;
    let followed = &mut done.followed;
    let mut updated = DeletedDocuments::default();
    for unlinked in cascade.unlinked {
        let mut report = CascadeReport::new(unlinked.rule.model, Guarantee::Atomic);
        let (count, more) = remove_keys(unlinked, &cascade.going, &mut updated, exec).await?;
        report.changed = count;
        report.merge_into(&mut followed.cascaded);
        changes.extend(more);
    }
    // These updates may only use the remaining budget, because the budget limits the total number of documents that the
    // transaction writes.
    followed.extend(follow_within(changes, how, cascade.budget, exec).await?);
    // The only purpose of these jobs is to conflict with a concurrent transaction that inserts a reference. Without
    // transactions, there are no such conflicts.
    if exec.in_transaction() {
        record_all(&jobs_of_existing(&cascade.gone), exec).await?;
    }
    record_all(&of_missing, exec).await?;
    record_all(&left, exec).await?;
    followed.jobs.extend(left.into_iter().map(|entry| entry.id));
    Ok(done)
}

/// Lists the changes to announce for documents that are marked or restored. Their images after the write are not known
/// yet.
fn announced(cascade: &Cascade) -> impl Iterator<Item = Change> {
    let is_purge = matches!(cascade.deletion, Deletion::Purge | Deletion::Archive { .. });
    let changed = cascade.gone.iter().filter(move |_| !is_purge);
    changed.flat_map(|gone| {
        let documents = gone.documents.iter();
        documents.flat_map(|document| Change::announced(&gone.images, document))
    })
}

fn jobs_of(left: &[(&'static StoredReference, Vec<JoinKey>)]) -> Vec<JobEntry> {
    let left = left.iter();
    left.flat_map(|(rule, keys)| JobEntry::of_rule(rule, keys, Phase::Run))
        .collect()
}

/// Lists jobs for the deleted keys to which references with `exists` and `restrict` may refer. A concurrent write to
/// such a reference writes the same job (`exists_check`), so the two transactions conflict.
fn jobs_of_existing(gone: &[Gone]) -> Vec<JobEntry> {
    let mut jobs = Vec::new();
    for gone in gone {
        for rule in graph().checked_only(gone.model.documents()) {
            let keys = keys_of_rule(rule, &gone.documents);
            jobs.extend(JobEntry::of_rule(rule, &keys, Phase::Settle));
        }
    }
    jobs
}

/// Lists the changes that the deleted documents cause, except for the rules and keys that are left to jobs.
///
/// Summaries inside documents that the same statement deletes are not updated. A concurrent write to such a document
/// conflicts with the delete. Summaries inside documents that are already deleted are not updated either. The second
/// list contains the jobs for these documents.
fn changes_of(cascade: &Cascade, left: &[JobEntry]) -> (Vec<Change>, Vec<JobEntry>) {
    let left = left
        .iter()
        .map(|entry| (&*entry.id.relation, &entry.id.key));
    let left: HashSet<(&str, &JoinKey)> = left.collect();
    let mut changes = Vec::new();
    for gone in &cascade.gone {
        if gone.is_archived && matches!(cascade.deletion, Deletion::Purge) {
            // Nothing depends on an archived document.
            continue;
        }
        if let Deletion::Mark { .. } | Deletion::Restore { .. } = cascade.deletion {
            let rules = graph().acting_rules(gone.model.documents());
            let rules = rules.filter(|rule| cascade.deletion.applies(rule));
            let rules = rules.map(|rule| Change::Rule(rule, keys_of_rule(rule, &gone.documents)));
            changes.extend(rules);
            let documents = gone.documents.iter();
            changes.extend(documents.flat_map(|it| Change::of_foreign_rules(&gone.images, it)));
            continue;
        }
        for document in &gone.documents {
            let all = Change::of_source(gone.model.documents(), &gone.images, Some(document), None);
            let all = all.into_iter();
            changes.extend(all.filter_map(|it| it.without_parents(&cascade.going)));
        }
    }
    let mut of_missing = Vec::new();
    for change in &mut changes {
        if let Change::Rule(rule, keys) = change {
            keys.retain(|key| !left.contains(&(&*rule.relation, key)));
        }
        if let Some(missing) = &cascade.missing {
            of_missing.extend(change.without_missing(missing));
        }
    }
    let mut seen = HashSet::new();
    of_missing.retain(|job| seen.insert(job.id.clone()));
    (changes, of_missing)
}

/// Marks documents as deleted, or restores them. Returns their number, the changes to data that depends on them, and
/// the copies that belong to the actor of the call.
async fn update_all(
    gone: &Gone,
    parts: Vec<Part>,
    (place, update): (Place, Document),
    exec: &Exec,
) -> Result<(u64, Vec<Change>, Vec<WrittenCopies>)> {
    let (place, stored) = (place.durable(), Place::of(gone.model));
    let (mut count, mut after, mut written) = (0, Vec::new(), Vec::new());
    for part in parts {
        let mut update = update.clone();
        part.add_to(&mut update);
        let mut update = UpdateModifications::Document(update);
        let inbound = InboundCopies::of_update(gone.model.documents(), &update, exec).await?;
        let prepared = inbound.prepare(&mut update, exec).await?;
        written.extend(prepared.written(&part.documents));
        for ids in in_statements(&part.documents, exec) {
            let by_ids = doc! { "_id": key_condition(&ids) };
            let mut update = UpdateCommand::many(place.clone(), by_ids, update.clone());
            update.options.comment.clone_from(&gone.comment);
            count += exec.send(update).await?.matched;
            after.extend(gone.images.by_ids(&stored, &ids, exec).await?);
        }
    }
    let (documents, before) = (gone.model.documents(), gone.documents.clone());
    let changes = Change::between(documents, &gone.images, before, &after);
    Ok((count, changes, written))
}

/// Removes deleted keys from the remaining documents. Returns how many documents changed, and the resulting changes to
/// data that depends on them. `updated` contains the documents from which earlier calls have removed keys.
async fn remove_keys(
    unlinked: Unlinked,
    going: &DeletedDocuments,
    updated: &mut DeletedDocuments,
    exec: &Exec,
) -> Result<(u64, Vec<Change>)> {
    let Unlinked {
        rule,
        images,
        update,
        array_filters,
        mut before,
    } = unlinked;
    let (place, collection) = (Place::of(rule.model), rule.model.collection);
    // If a later level of the cascade deletes the document, it would be missing from `after`, and the delete would be
    // counted twice.
    before.retain(|document| !going.contains(collection, document));
    let is_updated = |document: &Image| updated.contains(collection, document);
    if !images.is_empty() && before.iter().any(is_updated) {
        // Another rule has changed a document since it was read.
        before = images.by_ids(&place, &ids_of(&before), exec).await?;
    }
    updated.add(collection, ids_of(&before));
    let count = before.len() as u64;
    let mut after = Vec::new();
    for ids in in_statements(&ids_of(&before), exec) {
        let by_ids = doc! { "_id": key_condition(&ids) };
        let update = UpdateCommand::many(place.clone().durable(), by_ids, update.clone());
        let update = update.array_filters(array_filters.clone());
        let update = update.collation(simple()).hint(doc! { "_id": 1 });
        exec.send(update).await?;
        after.extend(images.by_ids(&place, &ids, exec).await?);
    }
    let changes = Change::between(rule.model.documents(), &images, before, &after);
    Ok((count, changes))
}
