//! Hot documents: documents that had a write conflict during the last five seconds. The handle remembers them.
//!
//! Additions to a hot parent become deltas, in the transaction of the child.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{client::odm::Exec, error::Error, graph::ExtendedReference, value::key::JoinKey};

/// The time after a conflict during which additions to a document become deltas.
const HOT_FOR: Duration = Duration::from_secs(5);

/// Largest number of remembered documents.
const MOST: usize = 10_000;

/// The hot documents of one handle and its clones, and the time of the last conflict on each.
#[derive(Debug, Default)]
struct HotDocuments(Mutex<HashMap<(String, JoinKey), Instant>>);

/// Remembers documents as hot, if an error is a write conflict.
pub(super) fn note(reference: &ExtendedReference, keys: &[JoinKey], error: &Error, exec: &Exec) {
    const WRITE_CONFLICT: i32 = 112;
    // Only a conflict shows that others write the parent too. Otherwise a delta would only delay the summary.
    if error.server_code() != Some(WRITE_CONFLICT) {
        return;
    }
    let hot = exec.odm().deployment().shared::<HotDocuments>();
    let mut hot = hot.0.lock().unwrap_or_else(PoisonError::into_inner);
    // Old entries are searched for only when the map is full. A search at each conflict would block other writers for a
    // long time.
    if hot.len() + keys.len() > MOST {
        hot.retain(|_, since| since.elapsed() < HOT_FOR);
    }
    // If there is no room for a document, it is not treated as hot. Its writers repeat their transactions, which is
    // slow but correct.
    let room = MOST.saturating_sub(hot.len());
    for key in keys.iter().take(room) {
        hot.insert((reference.relation.clone(), key.clone()), Instant::now());
    }
}

/// Returns those of some keys that belong to hot documents.
pub(super) fn are_hot(
    reference: &ExtendedReference,
    keys: impl IntoIterator<Item = JoinKey>,
    exec: &Exec,
) -> Vec<JoinKey> {
    let hot = exec.odm().deployment().shared::<HotDocuments>();
    let hot = hot.0.lock().unwrap_or_else(PoisonError::into_inner);
    if hot.is_empty() {
        return Vec::new();
    }
    let is_hot = |key: &JoinKey| {
        let since = hot.get(&(reference.relation.clone(), key.clone()));
        since.is_some_and(|since| since.elapsed() < HOT_FOR)
    };
    keys.into_iter().filter(is_hot).collect()
}
