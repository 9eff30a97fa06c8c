//! Completes the documents in the events of inserts.
//!
//! If an upsert inserts a document, the server determines the fields of the document. So the library stores the
//! document first, and a second statement of the same transaction adds its copies and summaries. The event of the
//! insert does not contain these fields. So the stream reads the document again.

use mongodb::bson::{Document, RawDocumentBuf};

use super::pipeline::AFTER;
use crate::{
    client::{command::FindCommand, odm::Exec, place::Place},
    error::Result,
    graph::{fill_blanks, graph},
    model::shape::ModelShape,
};

/// Adds the fields that the library maintains to the inserted document of an event. If the document was deleted in the
/// meantime, required fields receive empty values.
///
/// Sends one `find` if a transaction has inserted the document without one of these fields. Otherwise, sends nothing.
pub(super) async fn completed(
    event: RawDocumentBuf,
    model: &'static ModelShape,
    exec: &Exec,
) -> Result<RawDocumentBuf> {
    let is_insert = event
        .get_str("operationType")
        .is_ok_and(|it| it == "insert");
    let is_in_transaction = event.get("txnNumber").is_ok_and(|it| it.is_some());
    let Ok(inserted) = event.get_document(AFTER) else {
        return Ok(event);
    };
    if !is_insert || !is_in_transaction {
        return Ok(event);
    }
    let inserted = Document::try_from(inserted).map_err(mongodb::error::Error::from)?;
    let mut filled = inserted.clone();
    // `fill_blanks` fails if a field is missing and the library knows no empty value for this field.
    let is_filled = fill_blanks(model, &mut filled).is_err() || filled != inserted;
    if !is_filled && !lacks_derived_field(model, &inserted) {
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

/// Returns whether a document lacks a copy or a summary outside of embedded structs.
fn lacks_derived_field(model: &'static ModelShape, document: &Document) -> bool {
    let derived = graph().derived_within(model.documents());
    let mut paths = derived.flat_map(|it| it.copy_paths());
    paths.any(|path| !path.contains('.') && !document.contains_key(&path))
}
