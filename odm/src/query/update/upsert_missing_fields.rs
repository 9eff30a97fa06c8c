//! Finds required fields that would be missing in a document that an upsert inserts.

use mongodb::{bson::Document, options::UpdateModifications};

use crate::{
    error::{Error, Result},
    model::shape::{FieldShape, ModelShape, find_field},
    value::path::{covers, equalities, join},
};

/// Update operators that do not add a value at a path.
pub(crate) const REMOVING_OPERATORS: [&str; 4] = ["$unset", "$pull", "$pullAll", "$pop"];

/// Rejects an upsert that would insert a document that the model cannot read.
///
/// A pipeline is not checked, because it can write to any field. `keeps` is true if snapshots keep the
/// values that the update contains.
///
/// # Errors
///
/// [`Error::Invalid`] if neither the filter nor the update contains a required field. The error lists all such fields.
pub(crate) fn reject_incomplete_upsert(
    model: &'static ModelShape,
    (filter, update): (&Document, &UpdateModifications),
    keeps: bool,
) -> Result<()> {
    let UpdateModifications::Document(update) = update else {
        return Ok(());
    };
    let puts = update
        .iter()
        .filter(|(name, _)| !REMOVING_OPERATORS.contains(&name.as_str()))
        .filter_map(|(_, fields)| fields.as_document());
    let demanded = equalities(filter);
    // A filter without the shard key is rejected elsewhere, so the fields of the shard key count as written.
    let shard_key: Vec<String> = model.shard_key_paths().collect();
    let paths: Vec<&str> = puts
        .flat_map(Document::keys)
        .map(String::as_str)
        .chain(demanded.into_iter().map(|(path, _)| path))
        .chain(model.kind.map(|kind| kind.field))
        .chain(model.tenant())
        .chain(shard_key.iter().map(String::as_str))
        .collect();
    let (written, mut missing) = (WrittenPaths { paths, keeps }, Vec::new());
    add_missing_fields(model.fields, "", &written, &mut missing);
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "an upsert of `{}` may insert a document without `{}`, which could not be read; add these fields with `set`, or \
         with `set_on_insert` if an existing document keeps its values; or make them optional with `#[serde(default)]`",
        model.name,
        missing.join("`, `")
    )))
}

/// The paths that an upsert writes in a new document.
struct WrittenPaths<'u> {
    paths: Vec<&'u str>,
    /// Whether snapshots keep the values that the update contains.
    keeps: bool,
}

/// Finds the required fields that the upsert does not write, and adds their paths to the list of missing fields.
fn add_missing_fields(
    fields: &[FieldShape],
    prefix: &str,
    written: &WrittenPaths<'_>,
    missing: &mut Vec<String>,
) {
    for field in fields {
        if field.flatten {
            // Serde reads a flattened `Option` as `None` if its fields are missing.
            if let Some(embed) = field.embed.filter(|_| !field.optional) {
                add_missing_fields(embed().fields, prefix, written, missing);
            }
            continue;
        }
        let path = join(prefix, field.stored);
        if path == "_id" || field.may_be_missing() || may_be_left_out(field, written.keeps) {
            continue;
        }
        let inside: Vec<_> = written
            .paths
            .iter()
            .filter(|it| covers(&path, it))
            .collect();
        let is_whole = field.array || inside.iter().any(|it| **it == path);
        match field.embed {
            _ if inside.is_empty() => missing.push(path),
            Some(embed) if !is_whole => add_missing_fields(embed().fields, &path, written, missing),
            _ => {}
        }
    }
}

/// Returns whether a new document can lack the field, because the library writes its value, or because the field is the
/// key of an enum of references, which can have variants without a key.
fn may_be_left_out(field: &FieldShape, keeps: bool) -> bool {
    let is_key_of_enum = !field.targets.is_empty();
    is_key_of_enum
        || is_derived_array(field)
        || field.is_synchronized()
        || (field.is_snapshot() && !keeps)
        || field.links.is_some()
}

/// Whether the field is an array that the library derives from the references in the children. If both sides of a
/// two-way reference are arrays, either side can be written, so an upsert must contain the array.
fn is_derived_array(field: &FieldShape) -> bool {
    let other_side = field.reference.as_ref().and_then(|reference| {
        let target = (reference.target)();
        find_field(target.fields, reference.inverse?)
    });
    field.array && other_side.is_some_and(|other_side| !other_side.array)
}
