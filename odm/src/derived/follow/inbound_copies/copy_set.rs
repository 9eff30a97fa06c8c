//! Groups the copies and snapshots in a struct that have the same source.

use std::sync::Arc;

use mongodb::bson::Bson;

use crate::{
    derived::{
        follow::written_copy::WrittenCopies,
        values::{Resolved, Values},
    },
    graph::ExtendedReference,
    value::{key::JoinKey, path::overlap},
};

/// The copies and snapshots in a struct that have the same source.
#[derive(Clone, Debug)]
pub(super) struct CopySet {
    /// The copies without the snapshots. `None` if the set contains only snapshots.
    pub(super) following: Option<Arc<ExtendedReference>>,
    /// All fields to set in a new struct: the copies, followed by the snapshots.
    pub(super) all: Arc<ExtendedReference>,
}

impl CopySet {
    /// Lists the copies and snapshots to set in new structs. A copy that serves as a key precedes the copies that
    /// depend on it.
    pub(super) fn of_new(
        references: &[Arc<ExtendedReference>],
        snapshots: &[Arc<ExtendedReference>],
    ) -> Vec<Self> {
        let following = references.iter().map(|reference| Self {
            following: Some(Arc::clone(reference)),
            all: Arc::clone(reference.find_beside(snapshots).unwrap_or(reference)),
        });
        let alone = snapshots.iter();
        let alone = alone.filter(|snapshot| snapshot.find_beside(references).is_none());
        let alone = alone.map(|snapshot| Self {
            following: None,
            all: Arc::clone(snapshot),
        });
        in_order(following.chain(alone).collect())
    }

    /// Returns the copies to set in a stored struct. The snapshots in the struct stay unchanged.
    pub(super) fn of_stored(reference: &Arc<ExtendedReference>) -> Self {
        Self {
            following: Some(Arc::clone(reference)),
            all: Arc::clone(reference),
        }
    }

    /// Whether the set contains snapshots.
    pub(super) fn has_snapshots(&self) -> bool {
        let following = self.following.as_ref().map_or(0, |it| it.fields.len());
        self.all.fields.len() > following
    }

    /// Whether one of these copies serves as the key of the other set.
    fn leads_to(&self, other: &Self) -> bool {
        let key = other.all.key_path();
        self.all.copy_paths().any(|copy| overlap(&copy, &key))
    }

    /// Returns the copies to check again after the commit. Snapshots are not included.
    pub(super) fn written(
        &self,
        ids: Vec<Bson>,
        keys: Vec<JoinKey>,
        resolved: Resolved,
    ) -> Option<WrittenCopies> {
        let reference = self.following.as_ref()?;
        WrittenCopies::new(reference, ids, keys, self.follows(resolved))
    }

    /// Returns the values of the copies, without the values of the snapshots.
    pub(super) fn follows(&self, resolved: Resolved) -> Resolved {
        if !self.has_snapshots() {
            return resolved;
        }
        let following = self.following.as_ref().map_or(0, |it| it.fields.len());
        let follows = |(key, Values(mut values)): (JoinKey, Values)| {
            values.truncate(following);
            (key, Values(values))
        };
        resolved.into_iter().map(follows).collect()
    }
}

/// Sorts the sets so that a copied key precedes the copies that depend on it.
fn in_order(mut left: Vec<CopySet>) -> Vec<CopySet> {
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waits = |copies: &CopySet| {
            let mut others = left.iter().filter(|it| !Arc::ptr_eq(&it.all, &copies.all));
            others.any(|other| other.leads_to(copies))
        };
        // If keys are copied in a cycle, no order is possible. For such a cycle, any set is chosen, so that the loop
        // ends.
        let next = left.iter().position(|copies| !waits(copies)).unwrap_or(0);
        ordered.push(left.remove(next));
    }
    ordered
}
