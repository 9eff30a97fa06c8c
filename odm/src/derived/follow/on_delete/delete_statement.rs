//! Sends the statements of a delete: one for each model and one for each rule. Each statement covers all levels.

use std::collections::HashSet;

use mongodb::bson::doc;

use super::{
    cascade::{Cascade, Gone, Unlinked},
    owner::in_statements,
};
use crate::{
    client::{
        command::{DeleteCommand, UpdateCommand, simple},
        odm::Exec,
        place::Place,
    },
    derived::{
        follow::{
            deleted_document::{DeletedDocuments, ids_of},
            follow_result::{Follow, Followed},
            follow_within,
            source_change::{Change, entries, keys_of_rule},
        },
        outbox::{JobEntry, Phase, record_all},
        values::{CascadeReport, Guarantee, key_condition},
    },
    error::Result,
    graph::{StoredReference, graph},
    value::key::JoinKey,
};

/// Deletes and updates the collected documents, and updates the copies that depend on them. `asked` is the number of
/// documents that the query found. Returns how many of these documents were deleted.
pub(super) async fn carry_out(
    cascade: Cascade,
    asked: u64,
    how: Follow,
    exec: &Exec,
) -> Result<(u64, Followed)> {
    let left = jobs_of(&cascade.left);
    let mut changes = changes_of(&cascade, &left);
    if !exec.in_transaction() {
        // Without a transaction, the jobs are written first. So even after a crash, there is a job for each deleted
        // source.
        record_all(&entries(&changes, Phase::Run), exec).await?;
    }
    let mut followed = Followed::default();
    let mut deleted = 0;
    for (at, gone) in cascade.gone.iter().enumerate() {
        let mut report = CascadeReport::new(gone.model, Guarantee::Atomic);
        report.deleted = delete_all(gone, exec).await?;
        if at == 0 {
            // The first group may also contain documents of the same model that the cascade has added.
            deleted = report.deleted.min(asked);
            report.deleted -= deleted;
        }
        if report.deleted > 0 {
            report.merge_into(&mut followed.cascaded);
        }
    }
    for unlinked in cascade.unlinked {
        let mut report = CascadeReport::new(unlinked.rule.model, Guarantee::Atomic);
        let (count, more) = remove_keys(unlinked, &cascade.going, exec).await?;
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
    record_all(&left, exec).await?;
    followed.jobs.extend(left.into_iter().map(|entry| entry.id));
    Ok((deleted, followed))
}

fn jobs_of(left: &[(&'static StoredReference, Vec<JoinKey>)]) -> Vec<JobEntry> {
    let left = left.iter();
    left.flat_map(|(rule, keys)| JobEntry::of_rule(rule, keys, Phase::Run))
        .collect()
}

/// Lists jobs for the deleted keys to which references with `exists` and `restrict` may refer. A concurrent write to
/// such a reference writes the same job (`exists_check`), so the two conflict.
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
/// conflicts with the delete.
fn changes_of(cascade: &Cascade, left: &[JobEntry]) -> Vec<Change> {
    let left = left
        .iter()
        .map(|entry| (&*entry.id.relation, &entry.id.key));
    let left: HashSet<(&str, &JoinKey)> = left.collect();
    let mut changes = Vec::new();
    for gone in &cascade.gone {
        for document in &gone.documents {
            let all = Change::of_source(gone.model.documents(), &gone.images, Some(document), None);
            let all = all.into_iter();
            changes.extend(all.filter_map(|it| it.without_parents(&cascade.going)));
        }
    }
    for change in &mut changes {
        if let Change::Rule(rule, keys) = change {
            keys.retain(|key| !left.contains(&(&*rule.relation, key)));
        }
    }
    changes
}

async fn delete_all(gone: &Gone, exec: &Exec) -> Result<u64> {
    let mut deleted = 0;
    for ids in in_statements(&ids_of(&gone.documents), exec) {
        let by_ids = doc! { "_id": key_condition(&ids) };
        let mut delete = DeleteCommand::many(Place::of(gone.model), by_ids);
        delete.options.comment.clone_from(&gone.comment);
        deleted += exec.send(delete).await?;
    }
    Ok(deleted)
}

/// Removes deleted keys from the remaining documents. Returns how many documents changed, and the resulting changes to
/// data that depends on them.
async fn remove_keys(
    unlinked: Unlinked,
    going: &DeletedDocuments,
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
