//! Creates the extended references for fields with `#[rollup]` and `#[recent]`.

use mongodb::bson::{Bson, Document};

use super::{Copied, Derivation, ExtendedReference, Fold};
use crate::{
    model::shape::{
        ChildFilter, DerivedShape, FieldShape, ModelShape, RecentShape, RollupKind, RollupShape,
        StoredField, inclusion, projected_paths, walk,
    },
    mongosh,
    value::path::{ElementPath, covers, each_filtered_path, without_positions},
};

/// Returns the extended reference for a summary or a recent list. Returns `None` for other fields.
pub(super) fn computed_field(
    model: &'static ModelShape,
    field: &'static FieldShape,
    place: &ElementPath,
) -> Option<Result<ExtendedReference, String>> {
    let (mut computed, filter) = Computed::of(field.derived.as_ref()?)?;
    let to = place.path(field.stored);
    if to != field.stored {
        return Some(Err(
            "it is in a struct inside the document, which can be missing; move it to the model"
                .to_owned(),
        ));
    }
    let filtered = filter.map_or(Ok(()), |filter| computed.narrow(filter()?));
    let right = filtered.and_then(|()| computed.check());
    Some(right.map(|()| computed.reference(model, field)))
}

/// Returns the value of a summary or a recent list without children. Returns `None` for other fields.
pub(super) fn value_without_children(field: &DerivedShape) -> Option<Bson> {
    Computed::of(field)?.0.fold.of_nothing().cloned()
}

/// Returns the error message for a field that lacks values in the documents.
pub(crate) fn lacks_values_of(model: &str, path: &str) -> String {
    format!(
        "serde leaves out a value of `{model}.{path}` (`skip_serializing_if`), so the server would find no value in these \
         documents; remove `skip_serializing_if`, or make the field an `Option`"
    )
}

/// The declaration of a computed field: the model of the children, and the fold over them.
struct Computed {
    source: &'static ModelShape,
    via: String,
    /// The stored path of the parent's field with which the children's keys are compared.
    key: String,
    /// The stored paths that the fold reads in the children. The first path is the field to sum, or the field that
    /// sorts a recent list.
    reads: Vec<String>,
    fold: Fold,
    filter: Option<Document>,
}

impl Computed {
    /// Returns the declaration and the filter that selects the children. Returns `None` for a copy.
    fn of(derived: &DerivedShape) -> Option<(Self, Option<ChildFilter>)> {
        match derived {
            DerivedShape::Copy(_) => None,
            DerivedShape::Recent(recent) => Some((Self::from_recent(recent), recent.filter)),
            DerivedShape::Rollup(rollup) => Some((Self::from_rollup(rollup), rollup.filter)),
        }
    }

    fn from_recent(recent: &RecentShape) -> Self {
        let source = (recent.of)();
        let fields = (recent.line)().map_or(source.fields, |line| line.fields);
        let lines = projected_paths(fields);
        let mut reads = vec![(recent.sort)()];
        reads.extend(lines.iter().cloned());
        Self {
            source,
            via: (recent.via)(),
            key: (recent.key)(),
            fold: Fold::Recent {
                limit: recent.limit,
                newest_first: recent.descending,
                lines: inclusion(fields, &lines),
            },
            reads,
            filter: None,
        }
    }

    fn from_rollup(rollup: &RollupShape) -> Self {
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
            key: (rollup.key)(),
            reads: rollup.field.iter().map(|field| field()).collect(),
            fold,
            filter: None,
        }
    }

    /// Restricts the fold to the children that match a filter. The value then also depends on the fields in the
    /// filter.
    fn narrow(&mut self, filter: Document) -> Result<(), String> {
        read_paths(&filter, &mut self.reads)?;
        self.filter = Some(filter).filter(|filter| !filter.is_empty());
        Ok(())
    }

    /// Rejects fields of the children that cannot be stored in a recent list, sort fields that are arrays or inside
    /// arrays, fields for which serde leaves out a value, and the use of `#[deleted_at]`.
    fn check(&self) -> Result<(), String> {
        if self.reads.iter().any(String::is_empty) {
            return Err(format!(
                "the field names of a flattened map of `{}` are unknown, so that they cannot be stored; store a projection of it",
                self.source.name
            ));
        }
        if let Some(field) = self.deletion_field() {
            return Err(format!(
                "it contains only live documents, in which `{}.{field}` is null; use another field, or read the \
                 deleted documents with `only_deleted()`",
                self.source.name
            ));
        }
        let orders = |field: &&StoredField| self.fold.order(&self.reads) == Some(&*field.path);
        let fields = walk(self.source.fields);
        if let Some(field) = fields.iter().find(|field| self.lacks_values_of(field)) {
            return Err(lacks_values_of(self.source.name, &field.path));
        }
        match fields.iter().find(orders) {
            Some(field) if field.shape.array || field.arrays_above > 0 => Err(format!(
                "`{}.{}` is an array, and has no place in an order; order by a single value",
                self.source.name, field.path
            )),
            _ => Ok(()),
        }
    }

    /// Returns the field with `#[deleted_at]` if the filter depends on it, or if the fold sums, compares or sorts by
    /// it. The entries of a list may contain the field.
    fn deletion_field(&self) -> Option<&'static str> {
        let mut used: Vec<String> = self.reads.first().cloned().into_iter().collect();
        let filter = self.filter.iter();
        filter
            .for_each(|filter| each_filtered_path(filter, &mut |path| used.push(path.to_owned())));
        let mut fields = self.source.deletion_fields();
        fields.find(|field| used.iter().any(|path| path == field))
    }

    /// Whether the fold reads the value of a field or of a field inside it, and serde leaves out a value that changes the
    /// result. A sum is the same with and without a zero.
    fn lacks_values_of(&self, field: &StoredField) -> bool {
        let read = match &self.fold {
            Fold::Copy | Fold::Count | Fold::Members { .. } => None,
            Fold::Sum { .. } | Fold::Average | Fold::Min | Fold::Max | Fold::Recent { .. } => {
                self.reads.first()
            }
        };
        let is_read = read.is_some_and(|read| covers(&field.path, read));
        let none = match &self.fold {
            Fold::Sum { zero } => zero,
            _ => &Bson::Null,
        };
        is_read && field.shape.lacks_values(none)
    }

    fn reference(self, model: &'static ModelShape, field: &FieldShape) -> ExtendedReference {
        let Self {
            source, via, key, ..
        } = self;
        let path = self.reads.first().map_or("", String::as_str);
        let from = self.fold.declared(path);
        let deleted_at = source.deletion_fields().next();
        let mut reads = self.reads;
        reads.extend(deleted_at.map(str::to_owned));
        let mut computed = Copied {
            filter: self.filter,
            deleted_at,
            reads,
            fold: self.fold,
            to: field.stored.to_owned(),
            skips: field.skips,
            ..Copied::default()
        };
        let condition = computed.condition();
        let condition = condition.map(|it| format!(" where {}", mongosh::document(&it)));
        computed.from = from + &condition.unwrap_or_default();
        let target = (model.into(), ElementPath::root(), key);
        ExtendedReference::new(
            Derivation::Fold,
            target,
            (source.into(), via),
            vec![computed],
        )
    }
}

/// Adds to `reads` the stored paths that a filter uses.
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
                    "its filter has `{operator}`, and the library cannot tell which fields that reads; write conditions on fields"
                ));
            }
            (path, _) => {
                // A condition on one element depends on the whole array.
                let path = without_positions(path);
                if !reads.contains(&path) {
                    reads.push(path);
                }
            }
        }
    }
    Ok(())
}
