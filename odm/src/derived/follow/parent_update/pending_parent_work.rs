//! Finds the deltas and jobs that are pending for some parents.

use std::collections::HashSet;

use crate::{
    client::odm::Exec,
    derived::outbox::{JobId, Waiting, waiting},
    error::Result,
    graph::ExtendedReference,
    value::key::JoinKey,
};

/// Reads the pending deltas and jobs of the given parents, including jobs for single fields.
pub(super) async fn waiting_for(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Waiting> {
    let names = reference.relations().flat_map(|relation| {
        keys.iter().map(move |key| JobId {
            relation: relation.clone(),
            key: key.clone(),
        })
    });
    exec.note(|| format!("{}: pending deltas and jobs", reference.name));
    waiting(&names.collect::<Vec<_>>(), exec).await
}

/// Returns the keys that the ids of deltas or jobs contain.
pub(super) fn keys_of(ids: Vec<JobId>) -> HashSet<JoinKey> {
    ids.into_iter().map(|id| id.key).collect()
}
