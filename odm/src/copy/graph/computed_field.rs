//! What a field stands for that is computed of the documents that refer to its own.

use super::{Copied, ExtendedReference, Fold};
use crate::{
    path::ElementPath,
    shape::{
        FieldShape, ModelShape, RecentShape, RollupKind, RollupShape, inclusion, projected_paths,
    },
};

/// Returns the extended reference of a field that a list or a summary is kept in; none for another field.
pub(super) fn computed_field(
    model: &'static ModelShape,
    field: &'static FieldShape,
    place: &ElementPath,
) -> Option<Result<ExtendedReference, String>> {
    let computed = match (&field.recent, &field.rollup) {
        (Some(recent), _) => Computed::of_recent(recent),
        (None, Some(rollup)) => Computed::of_rollup(rollup),
        (None, None) => return None,
    };
    if !place.arrays.is_empty() {
        return Some(Err(
            "it is in an array, and documents refer to the whole document; move it to the model"
                .to_owned(),
        ));
    }
    Some(Ok(computed.reference(model, place.path(field.stored))))
}

/// One field: the documents it is computed of, and how.
struct Computed {
    source: &'static ModelShape,
    via: String,
    /// The first one is summed up, or orders the list.
    reads: Vec<String>,
    fold: Fold,
}

impl Computed {
    fn of_recent(recent: &RecentShape) -> Self {
        let lines = (recent.line)().map(|line| projected_paths(line.fields));
        let sort = (recent.sort)();
        let mut reads = vec![sort];
        reads.extend(lines.iter().flatten().cloned());
        Self {
            source: (recent.of)(),
            via: (recent.via)(),
            fold: Fold::Recent {
                limit: recent.limit,
                lines: lines.map(|lines| inclusion(&lines)),
            },
            reads,
        }
    }

    fn of_rollup(rollup: &RollupShape) -> Self {
        let fold = match rollup.kind {
            RollupKind::Sum => Fold::Sum {
                zero: rollup.zero.map_or(0_i64.into(), |zero| zero()),
            },
            RollupKind::Min => Fold::Min,
            RollupKind::Max => Fold::Max,
            RollupKind::Count => Fold::Count,
            RollupKind::Average => Fold::Average,
        };
        Self {
            source: (rollup.of)(),
            via: (rollup.via)(),
            reads: rollup.field.iter().map(|field| field()).collect(),
            fold,
        }
    }

    fn reference(self, model: &'static ModelShape, to: String) -> ExtendedReference {
        let Self { source, via, .. } = self;
        let path = self.reads.first().map_or("", String::as_str);
        let computed = Copied {
            from: self.fold.declared(path),
            reads: self.reads,
            fold: self.fold,
            to,
            optional: false,
            empties: false,
        };
        ExtendedReference {
            name: format!("{}._id <- {}.{via}", model.name, source.name),
            relation: ExtendedReference::relation(
                (model.collection, "_id"),
                (source.collection, &via),
            ),
            source,
            source_key: via,
            keys_in_source: true,
            target: model,
            place: ElementPath::root(),
            key: "_id".to_owned(),
            fields: vec![computed],
            has_followers: false,
            foreign: false,
        }
    }
}
