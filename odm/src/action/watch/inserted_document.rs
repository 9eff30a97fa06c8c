//! Completes the documents in the events of inserts.
//!
//! If an upsert inserts a document, the server determines the fields of the document. So the library stores the
//! document first, and a second statement of the same transaction adds its copies and summaries. The event of the
//! insert does not contain these fields, and neither does the pre-image of the second statement. So the stream reads the
//! inserted document again, and adds the missing fields to the pre-image.

use mongodb::bson::{Document, RawDocumentBuf};

use super::pipeline::{AFTER, BEFORE};
use crate::{
    client::{command::FindCommand, odm::Exec, place::Place},
    error::Result,
    graph::{fill_blanks, graph},
    model::shape::ModelShape,
};

/// Adds the fields that the library maintains to the documents of an event whose transaction has stored a document
/// without them.
///
/// Sends one `find` for an inserted document that lacks one of these fields. Otherwise, sends nothing.
pub(super) async fn completed(
    event: RawDocumentBuf,
    model: &'static ModelShape,
    exec: &Exec,
) -> Result<RawDocumentBuf> {
    let is_in_transaction = event.get("txnNumber").is_ok_and(|it| it.is_some());
    match event.get_str("operationType") {
        Ok("insert") if is_in_transaction => with_stored(event, model, exec).await,
        Ok("update" | "replace") if is_in_transaction => with_filled_before(event, model),
        _ => Ok(event),
    }
}

/// Reads an inserted document again. If the document was deleted in the meantime, required fields receive empty values.
async fn with_stored(
    event: RawDocumentBuf,
    model: &'static ModelShape,
    exec: &Exec,
) -> Result<RawDocumentBuf> {
    let Ok(inserted) = event.get_document(AFTER) else {
        return Ok(event);
    };
    let inserted = Document::try_from(inserted).map_err(mongodb::error::Error::from)?;
    let mut filled = inserted.clone();
    // `fill_blanks` fails if a field is missing and the library knows no empty value for this field.
    let is_filled = fill_blanks(model, &mut filled).is_err() || filled != inserted;
    if !is_filled && missing_derived_fields(model, &inserted).next().is_none() {
        return Ok(event);
    }
    let key = event.get_document("documentKey");
    let key = key.ok().map(Document::try_from).transpose();
    let key = key
        .map_err(mongodb::error::Error::from)?
        .unwrap_or_default();
    let find = FindCommand::new(Place::of(model), key).first();
    let stored = exec.documents(find).await?.pop();
    let mut event = Document::try_from(&*event).map_err(mongodb::error::Error::from)?;
    event.insert(AFTER, stored.unwrap_or(filled));
    Ok(RawDocumentBuf::try_from(&event).map_err(mongodb::error::Error::from)?)
}

/// Adds empty values to the document before an update. If a field has no empty value, adds the value after the update.
fn with_filled_before(event: RawDocumentBuf, model: &'static ModelShape) -> Result<RawDocumentBuf> {
    let parse = |name| {
        let image = event.get_document(name).ok().map(Document::try_from);
        image.transpose().map_err(mongodb::error::Error::from)
    };
    let Some(before) = parse(BEFORE)? else {
        return Ok(event);
    };
    let mut filled = before.clone();
    if fill_blanks(model, &mut filled).is_err() {
        let after = parse(AFTER)?.unwrap_or_default();
        for path in missing_derived_fields(model, &before) {
            if let Some(value) = after.get(&path) {
                filled.insert(path, value.clone());
            }
        }
        // If a value is still missing, decoding the document reports the field.
        let _ = fill_blanks(model, &mut filled);
    }
    if filled == before {
        return Ok(event);
    }
    let mut event = Document::try_from(&*event).map_err(mongodb::error::Error::from)?;
    event.insert(BEFORE, filled);
    Ok(RawDocumentBuf::try_from(&event).map_err(mongodb::error::Error::from)?)
}

/// Returns the copies and summaries outside of embedded structs that a document lacks.
fn missing_derived_fields<'d>(
    model: &'static ModelShape,
    document: &'d Document,
) -> impl Iterator<Item = String> + use<'d> {
    let derived = graph().derived_within(model.documents());
    let paths = derived.flat_map(|it| it.copy_paths());
    paths.filter(|path| !path.contains('.') && !document.contains_key(path))
}
