//! Removes copies from documents that do not contain the key of the source, if only other programs declare these
//! copies.

use mongodb::bson::{Bson, Document, RawDocument, doc};

use crate::{
    client::{command::UpdateCommand, odm::Exec, place::Place},
    error::Result,
    graph::ExtendedReference,
    value::path::raw_value_at,
};

/// Removes the copies of a foreign declaration from a document that lacks the key. Returns whether the document
/// contained such copies.
///
/// The other program could not find these copies, because it finds documents by the key in a job. `bypass` is true if
/// the update skips the validation rules of the collection.
pub(super) async fn remove_without_key(
    reference: &ExtendedReference,
    document: &RawDocument,
    id: &Bson,
    bypass: Option<bool>,
    exec: &Exec,
) -> Result<bool> {
    let paths = reference.copies_beside_key();
    let stored = paths.filter(|path| raw_value_at(document, path).is_some());
    let copies: Document = stored.map(|path| (path, "".into())).collect();
    if copies.is_empty() {
        return Ok(false);
    }
    let place = Place::at(&reference.target).durable();
    let by_id = doc! { "_id": id.clone() };
    let mut update = UpdateCommand::one(place, by_id, doc! { "$unset": copies });
    update.options.bypass_document_validation = bypass;
    exec.send(update).await?;
    Ok(true)
}
