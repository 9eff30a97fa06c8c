//! Copies whose source may come, or be changed, by somebody who does not see them.

use std::time::{Duration, SystemTime};

use crate::{
    copy::{ExtendedReference, Resolved},
    error::Result,
    key::JoinKey,
    odm::Exec,
    outbox::{JobEntry, Phase, record_all},
};

/// For how long an `ObjectId` is new: the insert of its document does not look for copies.
const NEW: Duration = Duration::from_secs(60);

/// Whether the insert of a source with this key leaves its copies to the jobs that there may be.
///
/// Never for longer than these jobs are there.
pub(crate) fn is_unseen(key: &JoinKey, exec: &Exec) -> bool {
    is_younger(key, NEW.min(exec.settings().grace))
}

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

/// Leaves jobs for sources that are not there and whose inserts will not look for these copies, and where
/// [`mark`] does.
///
/// Ids are made by the clients, so a reference can be stored before its target. The clocks of the two
/// writers may differ by a minute.
pub(super) async fn expect(
    reference: &'static ExtendedReference,
    keys: &[JoinKey],
    resolved: &Resolved,
    exec: &Exec,
) -> Result<()> {
    // The mark of a copy waits for its source as well.
    if mark(reference, keys, exec).await? || !reference.by_id() {
        return Ok(());
    }
    let missing = keys.iter().filter(|key| !resolved.contains_key(key));
    let entries: Vec<_> = missing
        .filter(|key| is_younger(key, NEW * 2))
        .map(|key| JobEntry::of_reference(reference, key, Phase::Settle))
        .collect();
    if entries.is_empty() {
        return Ok(());
    }
    record_all(&entries, exec).await
}

fn is_younger(key: &JoinKey, age: Duration) -> bool {
    let Some(id) = key.as_object_id() else {
        return false;
    };
    let born = id.timestamp().to_system_time();
    // One from the future is as new as can be.
    SystemTime::now()
        .duration_since(born)
        .map_or(true, |since| since < age)
}
