//! The keys that a reference stores, grouped by the server.

use mongodb::bson::{Bson, Document, RawBsonRef, doc};

use super::declared_reference::{DanglingCheck, DeclaredReference};
use crate::{
    client::{
        command::{AggregateCommand, FindCommand, simple},
        place::Place,
    },
    graph::stored_reference::{StoredReference, StoredSlot},
    maintenance::invariant::group::Group,
    value::path::{join, projection},
};

/// A distinct stored slot, and the number of its occurrences.
#[derive(Debug)]
pub(in crate::maintenance::invariant) struct SlotGroup {
    pub(super) slot: StoredSlot,
    pub(super) count: u64,
}

/// Returns the aggregation that lists the distinct keys of a reference: `{_id: {k, t}, n}`.
///
/// If the reference is checked only for nulls, the aggregation finds the nulls through the index on
/// the reference.
pub(super) fn aggregate(reference: &DeclaredReference) -> AggregateCommand {
    let mut stages = match reference.dangling {
        DanglingCheck::Reference => Vec::new(),
        DanglingCheck::Copies | DanglingCheck::Pair => {
            vec![doc! { "$match": null_filter(&reference.stored) }]
        }
    };
    let reference = &reference.stored;
    let mut path = String::new();
    let keys = reference.array_of_keys();
    for array in reference.place.arrays.iter().chain(&keys) {
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
    /// Decodes a group. Returns `None` if the slot does not belong to this reference.
    pub(super) fn new(reference: &StoredReference, group: Group<'_>) -> Option<Self> {
        let kind = group.value("t");
        let target = reference.target_of(kind.and_then(RawBsonRef::as_str))?;
        Some(Self {
            slot: StoredSlot::read(reference, target, group.value("k"))?,
            count: group.count,
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
            let kinds = reference.targets().flat_map(|target| target.kinds);
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
