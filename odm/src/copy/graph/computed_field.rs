//! What a field stands for that is computed of the documents that refer to its own.

use mongodb::bson::{Bson, Document};

use super::{Copied, ExtendedReference, Fold};
use crate::{
    path::ElementPath,
    shape::{
        FieldShape, ModelShape, RecentShape, RollupKind, RollupShape, inclusion, projected_paths,
    },
    shell,
};

/// Returns the extended reference of a field that a list or a summary is kept in; none for another field.
pub(super) fn computed_field(
    model: &'static ModelShape,
    field: &'static FieldShape,
    place: &ElementPath,
) -> Option<Result<ExtendedReference, String>> {
    let (mut computed, filter) = match (&field.recent, &field.rollup) {
        (Some(recent), _) => (Computed::of_recent(recent), recent.filter),
        (None, Some(rollup)) => (Computed::of_rollup(rollup), rollup.filter),
        (None, None) => return None,
    };
    if !place.arrays.is_empty() {
        return Some(Err(
            "it is in an array, and documents refer to the whole document; move it to the model"
                .to_owned(),
        ));
    }
    let filtered = filter.map_or(Ok(()), |filter| computed.narrow(filter()?));
    Some(filtered.map(|()| computed.reference(model, place.path(field.stored))))
}

/// One field: the documents it is computed of, and how.
struct Computed {
    source: &'static ModelShape,
    via: String,
    /// The first one is summed up, or orders the list.
    reads: Vec<String>,
    fold: Fold,
    filter: Option<Document>,
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
                newest_first: recent.descending,
                lines: lines.map(|lines| inclusion(&lines)),
            },
            reads,
            filter: None,
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
            filter: None,
        }
    }

    /// Computes it of those children alone that match: what the filter looks at decides, too.
    fn narrow(&mut self, filter: Document) -> Result<(), String> {
        read_paths(&filter, &mut self.reads)?;
        self.filter = Some(filter).filter(|filter| !filter.is_empty());
        Ok(())
    }

    fn reference(self, model: &'static ModelShape, to: String) -> ExtendedReference {
        let Self { source, via, .. } = self;
        let path = self.reads.first().map_or("", String::as_str);
        let filtered = self.filter.as_ref();
        let filtered = filtered.map(|filter| format!(" where {}", shell::document(filter)));
        let computed = Copied {
            from: self.fold.declared(path) + &filtered.unwrap_or_default(),
            filter: self.filter,
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

/// Adds the stored paths that a filter looks at.
fn read_paths(filter: &Document, reads: &mut Vec<String>) -> Result<(), String> {
    for (name, value) in filter {
        match (name.as_str(), value) {
            ("$and" | "$or" | "$nor", Bson::Array(clauses)) => {
                let clauses = clauses.iter().filter_map(Bson::as_document);
                for clause in clauses {
                    read_paths(clause, reads)?;
                }
            }
            ("$comment", _) => {}
            (operator, _) if operator.starts_with('$') => {
                return Err(format!(
                    "its filter has `{operator}`, which does not tell which fields it looks at; write conditions on fields"
                ));
            }
            (path, _) if reads.iter().any(|known| known == path) => {}
            (path, _) => reads.push(path.to_owned()),
        }
    }
    Ok(())
}
