//! Adds copies and snapshots to the graph, and merges the fields of the same reference.

use super::{Copied, ExtendedReference, Graph};
use crate::model::shape::CopyShape;

/// Adds a copy or a snapshot.
pub(super) fn add_copy(reference: ExtendedReference, copy: &CopyShape, graph: &mut Graph) {
    let all = if copy.snapshot {
        &mut graph.snapshots
    } else {
        &mut graph.references
    };
    merge(all, reference);
}

/// Adds an extended reference. If one already exists for the same reference, adds the fields to that one. Models of the
/// same collection share the extended reference. If two models declare bounds for one array, the smaller one applies.
pub(super) fn merge(all: &mut Vec<ExtendedReference>, new: ExtendedReference) {
    match all.iter_mut().find(|reference| reference.is_beside(&new)) {
        None => all.push(new),
        Some(reference) => {
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

/// Inserts the copies of the same source before the snapshots, so that one read provides both.
pub(super) fn add_live_copies(graph: &mut Graph) {
    for snapshot in &mut graph.snapshots {
        let mut references = graph.references.iter();
        if let Some(beside) = references.find(|reference| reference.is_beside(snapshot)) {
            let follows = |copied: &Copied| beside.fields.iter().any(|other| other.to == copied.to);
            snapshot.fields.retain(|copied| !follows(copied));
            snapshot.fields.splice(..0, beside.fields.iter().cloned());
        }
    }
}
