//! Determines the keys that children store, and the children that match the filters of computed fields.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document};

use crate::{
    client::odm::Exec,
    derived::follow::{copy_write::ids_that_match, source_change::ChildChange},
    error::Result,
    graph::ExtendedReference,
    value::key::{JoinKey, is_operator_or_pattern},
};

/// Lists the keys that a child stores before or after a write. For each key, also returns whether the child stored the
/// key before the write, and whether it stores the key afterwards. Skips patterns, and documents that begin with an
/// operator, because the `_id` of a parent cannot be such a value.
pub(super) fn keys_with_ends(
    reference: &ExtendedReference,
    child: &ChildChange,
) -> Vec<(JoinKey, bool, bool)> {
    let old = child.parents(reference, child.before.as_ref());
    let new = child.parents(reference, child.after.as_ref());
    let was: HashSet<&JoinKey> = old.iter().collect();
    let is: HashSet<&JoinKey> = new.iter().collect();
    let gone = old.iter().map(|key| (key.clone(), true, is.contains(key)));
    let newly = new.iter().filter(|key| !was.contains(key));
    gone.chain(newly.map(|key| (key.clone(), false, true)))
        .filter(|(key, ..)| !is_operator_or_pattern(&key.to_bson()))
        .collect()
}

/// The written children that match the filter of each field. The entry is `None` for a field without a filter.
pub(super) struct Matching(Vec<Option<HashSet<JoinKey>>>);

impl Matching {
    /// Determines which of the stored children match the filters. Sends one `find` for each filter.
    pub(super) async fn of(
        reference: &ExtendedReference,
        children: &[ChildChange],
        exec: &Exec,
    ) -> Result<Self> {
        let mut known: Vec<(&Document, HashSet<JoinKey>)> = Vec::new();
        let mut all = Vec::new();
        for copied in &reference.fields {
            let Some(filter) = &copied.filter else {
                all.push(None);
                continue;
            };
            if let Some((_, found)) = known.iter().find(|(of, _)| *of == filter) {
                all.push(Some(found.clone()));
                continue;
            }
            let newcomers = children
                .iter()
                .filter_map(|it| it.after.as_ref()?.get("_id"));
            let ids: Vec<Bson> = newcomers.cloned().collect();
            // The server evaluates the filter, because only the server interprets all operators exactly as the
            // aggregation that computes the field does.
            let found = ids_that_match(&reference.source, &ids, filter, exec).await?;
            known.push((filter, found.clone()));
            all.push(Some(found));
        }
        Ok(Self(all))
    }

    pub(super) fn contains(&self, at: usize, child: &Document) -> bool {
        match self.0.get(at) {
            Some(Some(found)) => child
                .get("_id")
                .is_some_and(|id| found.contains(&JoinKey::from(id.clone()))),
            _ => true,
        }
    }
}
