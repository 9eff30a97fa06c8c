//! Marks: jobs that a write stores for the copies and references that it adds, because other programs might not know
//! the declarations of these copies and references yet.
//!
//! Other programs read a new declaration at most one minute later. Until then, a write by such a program that changes a
//! source enqueues no job. So the writer of a copy stores the job instead:
//!
//! 1. A write that stores copies also writes a job for their key, in the same transaction. Test:
//!    `without_marks_a_copy_stays_stale_that_a_renamer_does_not_know`.
//! 2. Writes store these jobs as long as another program that does not know the declaration might still commit a write.
//!    The jobs are needed for one minute, plus two minutes for retries, plus the grace period. Test:
//!    `when_marks_end_before_the_last_unknowing_rename_a_copy_stays_stale`.
//! 3. The last look of the job takes place one more grace period later (`not_before`). Test:
//!    `when_marks_wait_for_the_grace_period_alone_a_copy_stays_stale`. The time of the last look is the same for all
//!    copies of a relation. So one stored job covers all copies of a key, and later writes do not change this job.
//!
//! References that have a delete rule are marked in the same way, but only if the target exists when the reference is
//! stored. If such a target is missing later, it must have been deleted. But a target that was already missing when the
//! reference was stored may still be inserted. Tests: `a_delete_that_does_not_know_a_new_rule_is_caught_up_with`,
//! `references_stay_whose_target_was_not_deleted`.
//!
//! # Limits
//!
//! - A reference that was stored before its rule was declared is not marked. If its target is deleted within the
//!   following minute, the reference may remain in the document. `verify` reports such references.
//! - `restrict` is enforced only by programs that know the rule.

use std::sync::Arc;

use crate::{
    client::odm::Exec,
    derived::{
        outbox::{JobEntry, Phase, record_all},
        values::{Resolved, read_sources},
    },
    error::Result,
    graph::{ExtendedReference, KeyOwner, Sources},
    value::key::JoinKey,
};

/// Marks copies that are being stored. Marking writes the jobs for these copies if other programs might not know the
/// declaration yet. Returns whether jobs were written.
pub(crate) async fn mark(
    reference: &Arc<ExtendedReference>,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<bool> {
    let Some(until) = exec.until_known(reference).await? else {
        return Ok(false);
    };
    let entries = JobEntry::of_reference(reference, keys, Phase::Settle).into_iter();
    let entries: Vec<_> = entries.map(|entry| entry.not_before(until)).collect();
    record_all(&entries, exec).await?;
    Ok(true)
}

/// Marks references that are being stored, if their delete rule is new and their targets exist. A program that does not
/// know the rule enqueues no job when it deletes a target.
///
/// A missing target was not necessarily deleted, because it may be inserted later. So references to a missing target
/// are not marked. If a key is not the target's `_id`, the key may also have changed in the target. So no job is
/// written for references to such keys.
pub(super) async fn mark_targets(
    rule: &Arc<ExtendedReference>,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<()> {
    match rule.sources() {
        Sources::OneById if !keys.is_empty() => {}
        Sources::OneById | Sources::FirstByKey | Sources::All => return Ok(()),
    }
    exec.note(|| format!("the targets of {}", rule.name));
    let there = read_sources(rule, keys.iter().cloned(), exec).await?;
    let there: Vec<JoinKey> = there.into_keys().collect();
    mark(rule, &there, exec).await?;
    Ok(())
}

/// Writes jobs for all given copies if other programs might not know their declaration yet. Otherwise, writes jobs only
/// for copies whose source does not exist.
///
/// A reference can be stored before its target. The writer of the reference and the writer of the target can both
/// commit without seeing each other. The last look of the job, after the grace period, sees both writes. If the source
/// stores the reference, the source's own write finds the documents (`new_source`).
pub(super) async fn expect(
    reference: &Arc<ExtendedReference>,
    keys: &[JoinKey],
    resolved: &Resolved,
    exec: &Exec,
) -> Result<()> {
    // A marked copy already has a job, which also covers a missing source.
    let is_marked = mark(reference, keys, exec).await?;
    match reference.key_owner() {
        KeyOwner::Target if !is_marked => {}
        KeyOwner::Target | KeyOwner::Source => return Ok(()),
    }
    let missing = keys.iter().filter(|key| !resolved.contains_key(key));
    let entries = JobEntry::of_reference(reference, missing, Phase::Settle);
    record_all(&entries, exec).await
}
