//! Describes how the value of a field is derived.

use super::address;
use crate::{
    graph::graph,
    model::shape::{
        ChildFilter, CopyShape, DerivedShape, FieldShape, ModelShape, OnDelete, RecentShape,
        RollupShape,
    },
    schema::data::{DerivedKind, DerivedSchema, FieldAddress},
};
use mongodb::bson::Document;

/// Returns the description of a derived field, or `None` if the field is not derived.
pub(super) fn derived(
    model: &'static ModelShape,
    shape: &'static FieldShape,
    path: &str,
) -> Option<DerivedSchema> {
    let derived = match shape.derived.as_ref()? {
        DerivedShape::Copy(copy) => copy_schema(model, copy, path),
        DerivedShape::Recent(recent) => recent_schema(recent),
        DerivedShape::Rollup(rollup) => rollup_schema(rollup),
    };
    Some(DerivedSchema {
        relation: relation(model, derived.kind, path),
        ..derived
    })
}

/// Returns the name of the extended reference that updates a field. Snapshots are not updated, so they do not have such
/// a name.
fn relation(model: &'static ModelShape, kind: DerivedKind, path: &str) -> Option<String> {
    if kind == DerivedKind::Snapshot {
        return None;
    }
    let mut here = graph().copied_into(model.documents());
    let kept = here.find(|it| it.copy_paths().any(|copy| copy == path))?;
    Some(kept.name.clone())
}

fn copy_schema(model: &'static ModelShape, copy: &CopyShape, path: &str) -> DerivedSchema {
    let source = (copy.source)();
    DerivedSchema {
        kind: if copy.snapshot {
            DerivedKind::Snapshot
        } else {
            DerivedKind::Copy
        },
        from: address(source, (copy.path)()),
        relation: None,
        via: via(model, copy, path),
        limit: None,
        newest_first: false,
        filter: None,
        on_delete: copy.on_delete,
    }
}

/// Finds the reference that connects a copy with its source.
fn via(model: &'static ModelShape, copy: &CopyShape, path: &str) -> Option<FieldAddress> {
    if let Some(keys) = copy.keys {
        return Some(address((copy.source)(), (keys.in_source)()));
    }
    let all = graph().references.iter().chain(&graph().snapshots);
    let mut here = all.filter(|it| it.target.documents() == model.documents());
    let found = here.find(|it| it.copy_paths().any(|copy| copy == path))?;
    Some(address(model, found.key_path()))
}

fn recent_schema(recent: &RecentShape) -> DerivedSchema {
    let source = (recent.of)();
    DerivedSchema {
        kind: DerivedKind::Recent,
        from: address(source, (recent.sort)()),
        relation: None,
        via: Some(address(source, (recent.via)())),
        limit: Some(recent.limit),
        newest_first: recent.descending,
        filter: filter(recent.filter),
        on_delete: OnDelete::Keep,
    }
}

fn rollup_schema(rollup: &RollupShape) -> DerivedSchema {
    let source = (rollup.of)();
    let via = (rollup.via)();
    DerivedSchema {
        kind: DerivedKind::Rollup(rollup.kind),
        from: address(
            source,
            rollup.field.map_or_else(|| via.clone(), |field| field()),
        ),
        relation: None,
        via: Some(address(source, via)),
        limit: None,
        newest_first: false,
        filter: filter(rollup.filter),
        on_delete: OnDelete::Keep,
    }
}

/// Returns the filter that selects child documents. If the filter cannot be encoded, it is left out here, and
/// `check_models` reports the error.
fn filter(filter: Option<ChildFilter>) -> Option<Document> {
    let filter = filter?().ok()?;
    Some(filter).filter(|filter| !filter.is_empty())
}
