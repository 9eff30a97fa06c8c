//! The keys that a reference stores, grouped by the server.

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};

use super::declared_reference::DeclaredReference;
use crate::{
    client::{
        command::{AggregateCommand, FindCommand, simple},
        place::Place,
    },
    graph::stored_reference::{StoredReference, StoredSlot},
    maintenance::invariant::unreadable_key::is_readable,
    value::path::{join, projection},
};

/// A distinct stored slot, and how often it occurs.
#[derive(Debug)]
pub(super) struct SlotGroup {
    pub(super) slot: StoredSlot,
    pub(super) count: u64,
}

/// Returns the aggregation that lists the distinct keys of a reference: `{_id: {k, t}, n}`.
///
/// If the reference is checked only for nulls, the aggregation finds them through the index on the
/// reference.
pub(in crate::maintenance) fn aggregate(reference: &DeclaredReference) -> AggregateCommand {
    let (reference, checks_targets) = (&reference.stored, reference.checks_targets);
    let mut stages = Vec::new();
    if !checks_targets {
        stages.push(doc! { "$match": null_filter(reference) });
    }
    let mut path = String::new();
    let many = reference
        .many
        .then(|| reference.place.relative(&reference.key));
    for array in reference.place.arrays.iter().chain(&many) {
        path = join(&path, array);
        stages.push(doc! { "$unwind": format!("${path}") });
    }
    let mut group = doc! { "k": format!("${}", reference.path()) };
    if let Some(kind) = &reference.kind {
        group.insert("t", format!("${}", reference.place.path(kind)));
    }
    stages.push(doc! { "$group": { "_id": group, "n": { "$sum": 1 } } });
    let mut grouped = AggregateCommand::new(Place::of(reference.model), stages).collation(simple());
    grouped.options.allow_disk_use = Some(true);
    grouped
}

impl SlotGroup {
    /// Whether the key of a group can be read.
    pub(super) fn is_readable(raw: &RawDocument) -> bool {
        let id = raw.get_document("_id");
        id.is_ok_and(|id| is_readable(id.get("k")))
    }

    /// Reads a group. Returns `None` if the slot does not belong to this reference, or if it cannot
    /// be read.
    pub(super) fn read(reference: &StoredReference, raw: &RawDocument) -> Option<Self> {
        let count = match raw.get("n") {
            Ok(Some(RawBsonRef::Int32(n))) => u64::try_from(n).unwrap_or(0),
            Ok(Some(RawBsonRef::Int64(n))) => u64::try_from(n).unwrap_or(0),
            _ => 1,
        };
        let id = raw.get_document("_id").ok()?;
        if !is_readable(id.get("k")) {
            return None;
        }
        let target = reference.target_of(id.get_str("t").ok())?;
        Some(Self {
            slot: StoredSlot::read(reference, target, id.get("k").ok()?)?,
            count,
        })
    }
}

/// Returns a filter for documents in which the key is null or missing although it is required.
pub(super) fn null_filter(reference: &StoredReference) -> Document {
    let (place, key) = (&reference.place, &reference.key);
    let keyless = place.without_key(key);
    match &reference.kind {
        None => keyless,
        Some(kind) => {
            let kinds = reference.targets.iter().flat_map(|target| target.kinds);
            let kinds: Vec<_> = kinds.map(|kind| Bson::from(*kind)).collect();
            doc! { "$and": [keyless, { place.path(kind): { "$in": kinds } }] }
        }
    }
}

/// Returns a query that reads the fields that determine the target of the reference.
pub(super) fn documents(reference: &StoredReference, filter: Document) -> FindCommand {
    let paths = reference.place.read_paths(reference.paths());
    let paths = paths.iter().map(String::as_str);
    FindCommand::new(Place::of(reference.model), filter).select(projection(paths))
}
