//! Which keys a child has, and which newcomers the fields let in.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document};

use crate::{
    client::odm::Exec,
    derived::follow::{copy_write::ids_that_match, source_change::ChildChange},
    error::Result,
    graph::ExtendedReference,
    value::key::{JoinKey, is_operator_or_pattern},
};

/// Lists the keys of a child, and whether it had each before and has it now. No document has a pattern for its `_id`, or
/// a document that begins with an operator: such a key has no parent.
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

/// Which newcomers match the filters of the fields.
pub(super) struct Matching(Vec<Option<HashSet<JoinKey>>>);

impl Matching {
    /// Asks the server: one `find` for each filter, once the newcomers are stored.
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
            // Only the server evaluates all operators in the same way as the aggregation that computes the field.
            let found = ids_that_match(reference.source, &ids, filter, exec).await?;
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
