//! The keys of a reference: grouped by the server, and in the documents themselves.

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};

use super::declared::DeclaredReference;
use crate::{
    command::{AggregateCommand, FindCommand, simple},
    copy::projection,
    key::JoinKey,
    path::{join, raw_value_at},
    place::Place,
    verify::unreadable::is_readable,
};

/// What stands in the place of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct StoredSlot {
    /// The number of the target that it leads to.
    pub(super) target: usize,
    /// The key, which may be null.
    pub(super) key: JoinKey,
}

impl StoredSlot {
    /// Reads a slot; nothing if it belongs to another model of the same collection, which has a struct
    /// there.
    fn read(
        reference: &DeclaredReference,
        target: usize,
        value: Option<RawBsonRef<'_>>,
    ) -> Option<Self> {
        let key = match value {
            Some(RawBsonRef::Document(_)) if !reference.is_alone() => return None,
            value => value.map_or(JoinKey::NULL, JoinKey::from_raw),
        };
        Some(Self { target, key })
    }
}

/// A slot as it is stored, and how many have the same.
#[derive(Debug)]
pub(super) struct SlotGroup {
    pub(super) slot: StoredSlot,
    pub(super) count: u64,
}

/// Returns the aggregation whose documents are the distinct keys: `{_id: {k, t}, n}`.
///
/// Where only nulls are looked for, it reads the documents with one by the index of the reference.
pub(in crate::verify) fn aggregate(reference: &DeclaredReference) -> AggregateCommand {
    let mut stages = Vec::new();
    if !reference.leads {
        stages.push(doc! { "$match": nulls(reference) });
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
    /// Whether the key that the aggregation returns can be read.
    pub(super) fn is_readable(raw: &RawDocument) -> bool {
        let id = raw.get_document("_id");
        id.is_ok_and(|id| is_readable(id.get("k")))
    }

    /// Reads what the aggregation returns; nothing if it leads to no model, or cannot be read.
    pub(super) fn read(reference: &DeclaredReference, raw: &RawDocument) -> Option<Self> {
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

/// Returns a filter for the documents with a key that is null or missing and must not be.
pub(super) fn nulls(reference: &DeclaredReference) -> Document {
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

/// Returns a query for documents with what tells where the reference leads.
pub(super) fn documents(reference: &DeclaredReference, filter: Document) -> FindCommand {
    let kind = reference.kind.iter().map(|kind| reference.place.path(kind));
    let paths: Vec<String> = kind.chain([reference.path()]).collect();
    let paths = paths.iter().map(String::as_str);
    FindCommand::new(Place::of(reference.model), filter).select(projection(paths))
}

/// Hands over every slot of a document, with its path: `orders.0.lines.3.part`.
pub(super) fn each(
    reference: &DeclaredReference,
    document: &RawDocument,
    found: &mut dyn FnMut(String, StoredSlot),
) {
    let place = &reference.place;
    let relative = place.relative(&reference.key);
    place.each_element(document, &mut |positions, element| {
        let kind = reference.kind.as_ref();
        let kind = kind.and_then(|kind| raw_value_at(element, &place.relative(kind)));
        let Some(target) = reference.target_of(kind.and_then(RawBsonRef::as_str)) else {
            return;
        };
        let path = join(&place.element_at(positions), &relative);
        let value = raw_value_at(element, &relative);
        let mut hand_over = |path, value| {
            if let Some(slot) = StoredSlot::read(reference, target, value) {
                found(path, slot);
            }
        };
        match value {
            Some(RawBsonRef::Array(items)) if reference.many => {
                for (at, item) in items.into_iter().flatten().enumerate() {
                    hand_over(format!("{path}.{at}"), Some(item));
                }
            }
            None | Some(RawBsonRef::Null) if reference.many => {}
            value => hand_over(path, value),
        }
    });
}
