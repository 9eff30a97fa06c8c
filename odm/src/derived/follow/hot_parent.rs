//! Hot documents: documents on which a write conflict occurred within the last five seconds. Each handle remembers its
//! own hot documents.
//!
//! Additions to a hot parent are stored as deltas, in the transaction of the child.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{client::odm::Exec, error::Error, graph::ExtendedReference, value::key::JoinKey};

/// How long additions to a document are stored as deltas after a conflict.
const HOT_FOR: Duration = Duration::from_secs(5);

/// Largest number of hot documents that a handle remembers.
const MOST: usize = 10_000;

/// The hot documents of a handle and its clones, with the time of the latest conflict on each.
#[derive(Debug, Default)]
struct HotDocuments(Mutex<HashMap<(String, JoinKey), Instant>>);

/// Records the documents with the given keys as hot, but only if the error is a write conflict.
pub(super) fn note(reference: &ExtendedReference, keys: &[JoinKey], error: &Error, exec: &Exec) {
    const WRITE_CONFLICT: i32 = 112;
    // Only a conflict shows that other programs or tasks are writing to the same parent. Without conflicts, a delta
    // would only delay the summary.
    if error.server_code() != Some(WRITE_CONFLICT) {
        return;
    }
    let hot = exec.odm().deployment().shared::<HotDocuments>();
    let mut hot = hot.0.lock().unwrap_or_else(PoisonError::into_inner);
    // Old entries are removed only when the map is full, because searching for old entries after each conflict would
    // block other writers.
    if hot.len() + keys.len() > MOST {
        hot.retain(|_, since| since.elapsed() < HOT_FOR);
    }
    // If the map is still full, further documents are not treated as hot. Writers of such documents then repeat their
    // transactions, which is slow but correct.
    let room = MOST.saturating_sub(hot.len());
    for key in keys.iter().take(room) {
        hot.insert((reference.relation.clone(), key.clone()), Instant::now());
    }
}

/// Returns the keys that belong to hot documents.
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
