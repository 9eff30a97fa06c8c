//! What follows when copies or references are stored: jobs for those whose source may come, or be changed or
//! deleted, by somebody who does not know of them.

use crate::{
    client::odm::Exec,
    derived::{
        outbox::{JobEntry, Phase, record_all},
        values::{Resolved, read_sources},
    },
    error::Result,
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// Leaves jobs for copies that are stored now, where other programs may not know yet that there are such copies:
/// one that changes a source leaves no job of its own.
pub(crate) async fn mark(
    reference: &'static ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<bool> {
    let Some(until) = exec.until_known(reference).await? else {
        return Ok(false);
    };
    let entries = keys
        .iter()
        .map(|key| JobEntry::of_reference(reference, key, Phase::Settle).not_before(until));
    record_all(&entries.collect::<Vec<_>>(), exec).await?;
    Ok(true)
}

/// Leaves jobs of a young rule for the targets of references that are stored now: whoever deletes one of them and does
/// not know the rule leaves none.
///
/// A target that is missing was not necessarily deleted: it may be inserted later, and the reference stays as it is. If
/// the reference is not by `_id`, the key of the target may also have changed. No job is written for such a reference.
pub(super) async fn mark_targets(
    rule: &'static ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<()> {
    if keys.is_empty() || !rule.by_id() {
        return Ok(());
    }
    exec.note(|| format!("the targets of {}", rule.name));
    let there = read_sources(rule, keys.iter().cloned(), exec).await?;
    let there: Vec<JoinKey> = there.into_keys().collect();
    mark(rule, &there, exec).await?;
    Ok(())
}

/// Leaves jobs for sources that are not there, and where [`mark`] does.
///
/// A reference can be stored before its target, and the writers of both can commit without having seen each
/// other: the last look of the job, after the grace, sees both. A source that refers to the documents with the
/// copies leaves such jobs itself.
pub(super) async fn expect(
    reference: &'static ExtendedReference,
    keys: &[JoinKey],
    resolved: &Resolved,
    exec: &Exec,
) -> Result<()> {
    // The mark of a copy waits for its source as well.
    if mark(reference, keys, exec).await? || reference.keys_in_source {
        return Ok(());
    }
    let missing = keys.iter().filter(|key| !resolved.contains_key(key));
    let entries = missing.map(|key| JobEntry::of_reference(reference, key, Phase::Settle));
    record_all(&entries.collect::<Vec<_>>(), exec).await
}
