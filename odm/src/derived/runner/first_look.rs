//! Looks for copies that a write of this handle has missed.
//!
//! A write that updates the copies in its own transaction does not see a document that is stored while this transaction
//! runs. The writer of that document does not see the new value of the source. The last look of the job finds such
//! copies, but only after the grace period. So the background task of a handle, and a worker, search for these copies
//! in their next pass, a few seconds after the write. A handle whose setting is [`Settle::Immediate`] keeps no keys for
//! this search.
//!
//! The search is only an optimization. If the search fails or is dropped, if the process ends, or if too many keys are
//! waiting, the last look finds the copies. Without a background task and a worker, at most 10,000 keys stay in memory.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use super::job_group::{is_large_key, run_all};
use crate::{
    client::odm::{Exec, Odm, Settle},
    derived::follow::correct_stale,
    error::Result,
    graph::{ExtendedReference, graph},
    value::key::JoinKey,
};

/// Largest number of keys that wait for the next pass.
const MOST: usize = 10_000;

/// Largest number of keys in one statement. Keys whose sources have different values require separate conditions.
const TOGETHER: usize = 100;

/// The keys of sources that this handle has changed since the previous pass, by relation.
#[derive(Debug, Default)]
struct Changed(Mutex<HashMap<String, HashSet<JoinKey>>>);

impl Changed {
    fn take(&self) -> HashMap<String, HashSet<JoinKey>> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, relation: &str, keys: Vec<JoinKey>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST.saturating_sub(all.values().map(HashSet::len).sum());
        let changed = all.entry(relation.to_owned()).or_default();
        let keys = keys.into_iter().filter(|key| !is_large_key(key));
        changed.extend(keys.take(room));
    }
}

/// Looks for missed copies of some sources in the next pass of the handle's background task or worker.
pub(crate) fn look_soon(changed: Vec<(Arc<ExtendedReference>, Vec<JoinKey>)>, odm: &Odm) {
    if changed.is_empty() || odm.settings().settle == Settle::Immediate {
        return;
    }
    let all = odm.deployment().shared::<Changed>();
    for (reference, keys) in changed {
        all.add(&reference.relation, keys);
    }
}

/// Corrects copies that the writes of this handle have missed since the previous pass. Errors are only logged, because
/// the last look does the same.
pub(super) async fn first_look(odm: &Odm) {
    if let Err(error) = correct_all(odm).await {
        tracing::warn!(%error, "cannot look for copies of changed sources; the last look of their jobs does it");
    }
}

async fn correct_all(odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    for (relation, keys) in odm.deployment().shared::<Changed>().take() {
        let keys: Vec<JoinKey> = keys.into_iter().collect();
        // A write may have changed only some fields of a relation, but the search includes all fields.
        for reference in graph().references_of(&relation) {
            for keys in keys.chunks(TOGETHER) {
                let keys = keys.to_vec();
                let jobs = correct_stale(Arc::clone(reference), keys, None, &exec).await?;
                run_all(jobs, None, odm).await?;
            }
        }
    }
    Ok(())
}
