//! Adds copies and snapshots to the graph, and merges fields that belong to the same reference.

use std::sync::Arc;

use super::{Copied, ExtendedReference, Graph};
use crate::model::shape::CopyShape;

/// Adds a copy or a snapshot to the graph.
pub(super) fn add_copy(reference: ExtendedReference, copy: &CopyShape, graph: &mut Graph) {
    let all = if copy.snapshot {
        &mut graph.snapshots
    } else {
        &mut graph.references
    };
    merge(all, reference);
}

/// Adds an extended reference, or adds its fields to an existing one for the same reference. Models that share a
/// collection also share their extended references. If two models declare a bound for one array, the smaller bound
/// applies.
pub(super) fn merge(all: &mut Vec<Arc<ExtendedReference>>, new: ExtendedReference) {
    match all.iter_mut().find(|reference| reference.is_beside(&new)) {
        None => all.push(Arc::new(new)),
        Some(reference) => {
            let reference = Arc::make_mut(reference);
            for copied in new.fields {
                let mut known = reference.fields.iter_mut();
                match known.find(|other| other.to == copied.to) {
                    Some(known) => known.fold.narrow(&copied.fold),
                    None => reference.fields.push(copied),
                }
            }
        }
    }
}

/// Inserts copies from the same source before the snapshots, so that one read provides both.
pub(super) fn add_live_copies(graph: &mut Graph) {
    for snapshot in &mut graph.snapshots {
        let mut references = graph.references.iter();
        if let Some(beside) = references.find(|reference| reference.is_beside(snapshot)) {
            let follows = |copied: &Copied| beside.fields.iter().any(|other| other.to == copied.to);
            let snapshot = Arc::make_mut(snapshot);
            snapshot.fields.retain(|copied| !follows(copied));
            snapshot.fields.splice(..0, beside.fields.iter().cloned());
        }
    }
}
