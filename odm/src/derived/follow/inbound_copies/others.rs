//! Copies of other programs in documents without the key of their source.

use mongodb::bson::{Bson, Document, RawDocument, doc};

use crate::{
    client::{command::UpdateCommand, odm::Exec, place::Place},
    error::Result,
    graph::ExtendedReference,
    value::path::raw_value_at,
};

/// Removes the copies of another program from a document that has no key any more; returns whether there were any.
///
/// Jobs are about keys, so the other program does not find the document.
pub(super) async fn remove_without_key(
    reference: &ExtendedReference,
    document: &RawDocument,
    id: &Bson,
    exec: &Exec,
) -> Result<bool> {
    let paths = reference.copy_paths();
    let stored = paths.filter(|path| raw_value_at(document, path).is_some());
    let copies: Document = stored.map(|path| (path, "".into())).collect();
    if reference.keys_in_source || copies.is_empty() {
        return Ok(false);
    }
    let place = Place::of(reference.target).durable();
    let update = UpdateCommand::one(place, doc! { "_id": id.clone() }, doc! { "$unset": copies });
    exec.send(update).await?;
    Ok(true)
}
