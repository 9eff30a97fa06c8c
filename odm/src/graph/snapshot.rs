//! Which copies are snapshots, and which follow their source.

use super::{Copied, ExtendedReference, Graph};
use crate::model::shape::CopyShape;

/// Adds what a copy stands for: a snapshot, or a copy that follows.
pub(super) fn add_copy(reference: ExtendedReference, copy: &CopyShape, graph: &mut Graph) {
    let all = if copy.snapshot {
        &mut graph.snapshots
    } else {
        &mut graph.references
    };
    merge(all, reference);
}

/// The fields of one reference are one extended reference, also when two models share the collection. Of two bounds of
/// one array both hold.
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

/// Puts the copies that follow before the snapshots of the same source.
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
