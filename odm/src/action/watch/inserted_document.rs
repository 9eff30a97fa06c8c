//! Completes the documents in the events of inserts.
//!
//! If an upsert inserts a document, the server determines the fields of the document. So the library stores the
//! document first, and further statements of the same transaction add its copies and summaries. The event of the insert
//! does not contain these fields, so the stream reads the document again. The documents before and after the further
//! statements can also lack fields, so the stream adds empty values to them.

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf};

use super::pipeline::{AFTER, BEFORE};
use crate::{
    client::{command::FindCommand, odm::Exec, place::Place},
    error::Result,
    graph::{fill_blanks, fill_blanks_or, graph},
    model::shape::ModelShape,
};

/// Adds the fields that the library maintains to the documents of an event whose transaction has stored a document
/// without them.
///
/// Sends one `find` for an inserted document that lacks one of these fields, and for an updated document that lacks a
/// field without an empty value. Otherwise, sends nothing.
pub(super) async fn completed(
    event: RawDocumentBuf,
    model: &'static ModelShape,
    exec: &Exec,
) -> Result<RawDocumentBuf> {
    let is_in_transaction = event.get("txnNumber").is_ok_and(|it| it.is_some());
    let operation = event.get_str("operationType").unwrap_or_default();
    if !is_in_transaction {
        return Ok(event);
    }
    let has_derived = || graph().derived_within(model.documents()).next().is_some();
    match operation {
        "insert" => with_stored(event, model, true, exec).await,
        "update" | "replace" if has_derived() => {
            let event = with_stored(event, model, false, exec).await?;
            with_filled_before(event, model)
        }
        "delete" if has_derived() => with_filled_before(event, model),
        _ => Ok(event),
    }
}

/// Adds the missing fields to the document after the change. If the document was inserted, or if a field has no empty
/// value, reads the document again. Otherwise, and if the document was deleted in the meantime, the fields receive empty
/// values.
async fn with_stored(
    event: RawDocumentBuf,
    model: &'static ModelShape,
    is_inserted: bool,
    exec: &Exec,
) -> Result<RawDocumentBuf> {
    let Some(after) = image(&event, AFTER)? else {
        return Ok(event);
    };
    let model = shape_of(model, &after);
    let mut filled = after.clone();
    // `fill_blanks` fails if a field is missing and the library knows no empty value for this field.
    let is_known = fill_blanks(model, &mut filled).is_ok();
    let is_complete = is_known && filled == after;
    if is_complete && !(is_inserted && lacks_derived_field(model, &after)) {
        return Ok(event);
    }
    if is_known && !is_inserted {
        return with_image(&event, AFTER, filled);
    }
    let key = image(&event, "documentKey")?.unwrap_or_default();
    let find = FindCommand::new(Place::of(model), key).first();
    // The library sends this statement on its own, so the settings for statements of the application do not apply.
    let mut stored = Exec::on(exec.odm().clone()).documents(find).await?.pop();
    if let (Some(stored), Some(field)) = (&mut stored, model.deleted_at()) {
        // The document can have been marked as deleted in the meantime. This delete has an event of its own.
        stored.insert(field, after.get(field).cloned().unwrap_or(Bson::Null));
    }
    with_image(&event, AFTER, stored.unwrap_or(filled))
}

/// Adds empty values to the document before the change. If a field has no empty value, adds its value after the change.
fn with_filled_before(event: RawDocumentBuf, model: &'static ModelShape) -> Result<RawDocumentBuf> {
    let Some(before) = image(&event, BEFORE)? else {
        return Ok(event);
    };
    let mut filled = before.clone();
    let after = image(&event, AFTER)?.unwrap_or_default();
    // If a value is still missing, decoding the document reports the field.
    let _ = fill_blanks_or(shape_of(model, &before), &mut filled, &after);
    if filled == before {
        return Ok(event);
    }
    with_image(&event, BEFORE, filled)
}

/// Returns the shape of a document. For an enum over several kinds, this is the shape of the document's kind.
fn shape_of(model: &'static ModelShape, document: &Document) -> &'static ModelShape {
    model.shape_of_kind(|field| document.get_str(field).ok())
}

fn image(event: &RawDocument, name: &str) -> Result<Option<Document>> {
    let image = event.get_document(name).ok().map(Document::try_from);
    Ok(image.transpose().map_err(mongodb::error::Error::from)?)
}

fn with_image(event: &RawDocument, name: &str, image: Document) -> Result<RawDocumentBuf> {
    let mut event = Document::try_from(event).map_err(mongodb::error::Error::from)?;
    event.insert(name, image);
    Ok(RawDocumentBuf::try_from(&event).map_err(mongodb::error::Error::from)?)
}

/// Returns whether a document lacks a copy or a summary outside of embedded structs.
fn lacks_derived_field(model: &'static ModelShape, document: &Document) -> bool {
    let derived = graph().derived_within(model.documents());
    let mut paths = derived.flat_map(|it| it.copy_paths());
    paths.any(|path| !path.contains('.') && !document.contains_key(&path))
}
