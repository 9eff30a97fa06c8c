//! Deletes documents, and applies the delete rules (`on_delete`) of references to these documents.
//!
//! A delete removes its documents, marks them as deleted, or moves them to an archive. A restore has the same steps
//! (`deletion`). A restore also finds documents that an earlier restore has left to jobs (`earlier_deletes`).
//!
//! The library sends all its reads before its first write:
//!
//! 1. `cascade` collects the dependent documents level by level, until the budget of the transaction is used up.
//!    `cascade` sends one `find` for each rule and level. A job for each rule handles the remaining documents in the
//!    same way. Documents that have already been collected are skipped, so the collection ends even if references form
//!    a cycle.
//! 2. `hooks` calls the hooks of all collected documents. If a hook writes, step 1 runs again, because the hook may
//!    have added, changed or removed documents.
//! 3. `restrict` rejects the delete if a remaining document refers to a collected document. This check runs after step
//!    1, because a document that is itself about to be deleted cannot forbid the delete.
//! 4. `delete_statement` sends one `delete` for each model and one `update` for each rule. Each statement covers all
//!    levels. If the documents are marked or restored, one `update` for each model replaces the `delete`. If the model
//!    has an archive, `archive` moves the documents.
//!
//! The job of a rule finds references that concurrent transactions have stored. If the rule also removes the copies of
//! the deleted document (`ExtendedReference::is_removed_by`), this job covers them, and they have no job of their own.
//! If a document with the key exists again, the rule does not apply, and [`record_copies`] stores the job for the
//! copies. Without this step, a copy that was stored during the delete would keep the value of the deleted document.
//! `a_copy_stored_late_follows_a_source_that_was_made_again`,
//! `without_a_job_for_the_copies_a_child_keeps_the_value_of_the_deleted_source`,
//! `without_a_grace_of_the_rule_a_reference_dangles`

mod archive;
mod cascade;
mod delete_statement;
mod deleted_group;
mod deletion;
mod earlier_deletes;
mod hooks;
mod key_removal;
mod owner;
mod restrict;

use std::collections::HashSet;

use mongodb::bson::{Bson, Document};

use super::{
    copy_options::FanOut,
    deleted_document::DeletedDocuments,
    follow_result::{Follow, Followed},
    outcome::Outcome,
};
use crate::{
    client::{command::FindCommand, odm::Exec, place::Place},
    derived::outbox::{JobCursor, JobId, record_keys},
    error::Result,
    graph::{StoredReference, graph},
    model::shape::ModelShape,
    value::{
        key::JoinKey,
        path::{each_value, projection},
    },
};
use cascade::Cascade;
use delete_statement::carry_out;
pub(crate) use deletion::Deletion;
use deletion::deletions;
pub(crate) use hooks::delete_calls_hooks;
use owner::owners;
pub(crate) use restrict::{check_restrict, is_restricted, may_be_refused, order_of_deletes};

/// Deletes the documents that the queries find, and applies the delete rules. Returns the number of documents that the
/// queries found. `also` contains the documents that other parts of the same call delete.
pub(crate) async fn delete(
    model: &'static ModelShape,
    (finds, deletion): (Vec<FindCommand>, Deletion),
    fan_out: &FanOut,
    also: &DeletedDocuments,
    exec: &Exec,
) -> Result<Outcome<u64>> {
    let how = fan_out.how;
    let mut cascade = Cascade::new(deletion, how.budget(exec));
    let mut asked = 0;
    for find in finds {
        asked += cascade.begin(model, find, exec).await?;
    }
    if asked == 0 {
        return Ok(Outcome::default());
    }
    let is_deferred = how == Follow::Deferred;
    // Without a transaction, a crash could interrupt the delete between two levels. So jobs, which are stored before
    // the delete, handle the deeper levels.
    if exec.in_transaction() && (!is_deferred || may_be_refused(model.documents())) {
        // A deferred delete collects the dependent documents only to check whether a `restrict` rule forbids the
        // delete. `leave_to_jobs` then drops the collected documents.
        cascade.descend(exec).await?;
    }
    let (mut cascade, committed) = hooks::before_delete(cascade, fan_out, exec).await?;
    refuse_restricted(&cascade, also, exec).await?;
    if is_deferred {
        cascade.leave_to_jobs();
    }
    let mut outcome = carry_out(cascade, how, exec).await?;
    outcome.committed = committed;
    Ok(outcome)
}

/// Largest number of documents that one batch of a job deletes or updates.
const DEPENDENTS: u64 = 10_000;

/// Applies a delete rule to some of the documents that refer to deleted documents. Returns the number of documents to
/// which it applied the rule. Skips a key if a document with this key exists again.
///
/// Updates the cursors for the keys of these documents. So if another runner has claimed one of these keys, the batch
/// fails.
///
/// `only` is a condition on the referring documents, and `size` limits their number. The same transaction also writes
/// up to [`DEPENDENTS`] documents that depend on the referring documents. Separate jobs for the deleted documents would
/// require many more commands. The runner reduces `size` if a batch takes too long.
pub(crate) async fn unlink(
    rule: &'static StoredReference,
    (keys, cursor): (&[JoinKey], &JobCursor),
    only: Document,
    size: usize,
    exec: &Exec,
) -> Result<(u64, Followed)> {
    // With a `size` of 1, the batch consists of a document that was rejected in a larger batch. Jobs handle the
    // dependent documents of this document, so that they cannot prevent its delete.
    let budget = if size == 1 { 1 } else { DEPENDENTS };
    let deletions = deletions(rule, keys, exec).await?;
    for (deletion, keys) in &deletions {
        let mut cascade = Cascade::new(deletion.clone(), Some(budget));
        let found = cascade.reach(rule, keys, only.clone(), size, exec).await?;
        if found == 0 {
            continue;
        }
        // No position is stored, because an updated owner no longer refers to the key, and the next batch does not find
        // this owner again.
        if let Some(held) = cascade.keys_of_owners(rule, keys) {
            let cursor = cursor.of_keys(&rule.relation, &held);
            cursor.advance("", None, exec).await?;
            cascade.set_missing(rule, held);
        } else {
            cursor.advance("", None, exec).await?;
        }
        if exec.in_transaction() {
            cascade.descend(exec).await?;
        }
        // A job cannot return the error to a caller, so the runner skips the rejected document and reports it.
        refuse_restricted(&cascade, &DeletedDocuments::default(), exec).await?;
        let done = carry_out(cascade, Follow::Converge, exec).await?;
        // The next batch continues with the other keys.
        return Ok((found, done.followed));
    }
    let gone: HashSet<&JoinKey> = deletions.iter().flat_map(|(_, keys)| keys).collect();
    let kept: Vec<JoinKey> = keys
        .iter()
        .filter(|it| !gone.contains(it))
        .cloned()
        .collect();
    let followed = Followed {
        jobs: record_copies(rule, &kept, exec).await?,
        ..Followed::default()
    };
    Ok((0, followed))
}

/// Stores the jobs for the copies that a delete has left to a rule, for keys to which the rule does not apply after
/// all: a document with the key exists again, or the documents that refer to the key cannot be changed. Returns these
/// jobs.
pub(crate) async fn record_copies(
    rule: &StoredReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Vec<JobId>> {
    let mut jobs = Vec::new();
    for reference in graph().copied_into(rule.model.documents()) {
        if reference.is_removed_by(rule) {
            jobs.extend(record_keys(reference, keys, exec).await?);
        }
    }
    Ok(jobs)
}

/// Rejects the delete if a remaining document refers to a collected document through a reference with `restrict`.
async fn refuse_restricted(cascade: &Cascade, also: &DeletedDocuments, exec: &Exec) -> Result<()> {
    if !cascade.deletion.can_be_restricted() {
        return Ok(());
    }
    // A reference that contains the key of an archived document does not refer to this document. The reference refers
    // to another document that has the same key, or it is dangling.
    for gone in cascade.gone.iter().filter(|gone| !gone.is_archived) {
        let rules: Vec<_> = restrict::restricting(gone.model.documents()).collect();
        restrict::refuse(&rules, &gone.documents, [&cascade.going, also], exec).await?;
    }
    Ok(())
}

/// Finds the first document that [`unlink`] would write. Also returns the keys of deleted documents to which this
/// document refers.
pub(crate) async fn first_owner(
    rule: &StoredReference,
    keys: &[JoinKey],
    only: Document,
    exec: &Exec,
) -> Result<Option<(Bson, Vec<JoinKey>)>> {
    let path = rule.path();
    for (deletion, keys) in deletions(rule, keys, exec).await? {
        let wanted: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        for seen in deletion.visibilities(rule) {
            let find = owners(rule, &wanted, Place::of(rule.model).seeing(seen));
            let find = find.and(only.clone()).and(deletion.condition());
            let find = find.select(projection([path.as_str()])).first();
            let Some(owner) = exec.documents(find).await?.pop() else {
                continue;
            };
            let mut held = Vec::new();
            each_value(&owner, &path, &mut |key| {
                let key = JoinKey::from(key.clone());
                if keys.contains(&key) {
                    held.push(key);
                }
            });
            return Ok(owner.get("_id").cloned().map(|id| (id, held)));
        }
    }
    Ok(None)
}
