//! Prevents updates from changing the kind of a document.

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateModifications,
};

use super::written_paths::written_paths;
use crate::{
    error::{Error, Result},
    model::shape::{KindShape, ModelShape},
    mongosh,
    value::path::{equality_in, overlap},
};

/// Checks that an update does not change the kind of the model's documents. An upsert is changed so that it
/// inserts documents of this kind.
///
/// # Errors
///
/// [`Error::Invalid`] if the update writes to the kind's field, or if the upsert would insert a document of a different
/// kind.
pub(crate) fn keep_kind(
    model: &'static ModelShape,
    filter: &Document,
    update: UpdateModifications,
    upsert: bool,
) -> Result<UpdateModifications> {
    let Some(kind) = &model.kind else {
        return Ok(update);
    };
    if upsert {
        reject_other_kind(model, kind, filter)?;
    }
    match update {
        UpdateModifications::Document(mut operators) => {
            let mut written = written_paths(&operators).into_iter();
            if written.any(|path| overlap(&path, kind.field)) {
                return Err(refused(model, kind));
            }
            // The server copies equality conditions from the filter into an inserted document. The filter for a
            // default kind is not an equality condition, so the update must set the kind.
            if upsert && kind.is_default {
                add_field(
                    &mut operators,
                    "$setOnInsert",
                    kind.field,
                    kind.value.into(),
                );
            }
            Ok(UpdateModifications::Document(operators))
        }
        UpdateModifications::Pipeline(mut stages) => {
            if stages.iter().any(|stage| stage_writes(stage, kind.field)) {
                return Err(refused(model, kind));
            }
            if stages.iter().any(rebuilds_document) || upsert && kind.is_default {
                stages.push(doc! { "$set": { kind.field: kind.value } });
            }
            Ok(UpdateModifications::Pipeline(stages))
        }
        other => Ok(other),
    }
}

/// Adds a field to an operator such as `$setOnInsert`.
pub(crate) fn add_field(
    operators: &mut Document,
    operator: &str,
    field: impl Into<String>,
    value: Bson,
) {
    if let Ok(fields) = operators.get_document_mut(operator) {
        fields.insert(field, value);
    } else {
        operators.insert(operator, doc! { field: value });
    }
}

/// Returns whether a pipeline stage writes to a field. A stage that builds a new document does not count.
pub(crate) fn stage_writes(stage: &Document, field: &str) -> bool {
    let names = |path: &str| overlap(path, field);
    stage
        .iter()
        .any(|(name, fields)| match (name.as_str(), fields) {
            ("$unset", Bson::String(path)) => names(path),
            ("$unset", Bson::Array(paths)) => paths.iter().filter_map(Bson::as_str).any(names),
            ("$set" | "$addFields", Bson::Document(fields)) => {
                fields.keys().any(|path| names(path))
            }
            ("$project", Bson::Document(fields)) => {
                let is_kept = |value: &Bson| {
                    matches!(value, Bson::Int32(1) | Bson::Int64(1) | Bson::Boolean(true))
                };
                fields
                    .iter()
                    .any(|(path, value)| names(path) && !is_kept(value))
            }
            _ => false,
        })
}

/// Returns whether a pipeline stage builds a new document, in which the kind may be missing.
fn rebuilds_document(stage: &Document) -> bool {
    let rebuilding = ["$replaceRoot", "$replaceWith", "$project"];
    stage.keys().any(|name| rebuilding.contains(&name.as_str()))
}

fn reject_other_kind(
    model: &'static ModelShape,
    kind: &KindShape<'_>,
    filter: &Document,
) -> Result<()> {
    let Some(other) = equality_in(filter, kind.field) else {
        return Ok(());
    };
    if kind.is_kind_of(Some(other)) {
        return Ok(());
    }
    let (name, field, own) = (model.name, kind.field, kind.value);
    Err(Error::invalid(format!(
        "an upsert of `{name}` looks for `{field}` {}, but documents of `{name}` have the kind \"{own}\"; remove \
         `{field}` from the filter",
        mongosh::value(other)
    ))
    .in_model(model))
}

fn refused(model: &'static ModelShape, kind: &KindShape<'_>) -> Error {
    let (name, field, value) = (model.name, kind.field, kind.value);
    Error::invalid(format!(
        "an update writes `{name}.{field}`, which holds the kind \"{value}\"; remove it from the update; \
         to change the kind, delete the document and insert one of the other kind"
    ))
    .in_model(model)
}
