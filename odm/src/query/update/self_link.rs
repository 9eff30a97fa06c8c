//! Adds the link from an upserted document to itself, with `$setOnInsert`.

use mongodb::{bson::Bson, options::UpdateModifications};

use super::{keep_kind::add_field, written_paths::written_paths};
use crate::{
    error::{Error, Result},
    model::shape::{ModelLinks, ModelShape, id_text},
    value::path::overlap,
};

/// Changes an upsert so that a document that it inserts contains a link to itself.
///
/// # Errors
///
/// [`Error::Invalid`] if the upsert does not contain the `_id` of the new document, writes links itself, or is a
/// pipeline.
pub(crate) fn insert_self_link(
    model: &'static ModelShape,
    id: Option<&Bson>,
    update: UpdateModifications,
) -> Result<UpdateModifications> {
    let Some(links) = model.links() else {
        return Ok(update);
    };
    let UpdateModifications::Document(mut operators) = update else {
        return Err(refused(model, &links, "is a pipeline; use operators"));
    };
    let mut written = written_paths(&operators).into_iter();
    if written.any(|path| overlap(&path, links.array)) {
        let reason = "writes the links; remove them, and call `link` after the upsert";
        return Err(refused(model, &links, reason));
    }
    let set = operators.get_document("$setOnInsert").ok();
    let set_id = || set.and_then(|set| set.get("_id"));
    let Some(id) = id.or_else(set_id).cloned() else {
        let reason = "does not contain the `_id`; add the `_id` to the filter";
        return Err(refused(model, &links, reason));
    };
    let own = links.link_to(&id);
    let own = match links.shape.separator {
        None => vec![own].into(),
        Some(separator) if id_text(&id).contains(separator) => {
            let reason = "has an `_id` that contains the separator; choose another `_id`";
            return Err(refused(model, &links, reason));
        }
        Some(_) => own,
    };
    add_field(&mut operators, "$setOnInsert", links.array, own);
    Ok(operators.into())
}

fn refused(model: &'static ModelShape, links: &ModelLinks, reason: &str) -> Error {
    let (name, array) = (model.name, links.array);
    let message = format!(
        "an upsert of `{name}` inserts a link to the new document in `{array}`, but this upsert {reason}"
    );
    Error::invalid(message).in_model(model)
}
