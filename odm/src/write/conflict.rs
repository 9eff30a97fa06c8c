//! Reports that a stored document has a different version from the struct that your code has loaded.

use mongodb::bson::{Bson, doc};

use crate::{
    client::{command::FindCommand, odm::Exec, place::Place},
    error::{Error, Result},
    model::shape::ModelShape,
    query::maintained::version_in,
    value::path::projection,
};

/// Reads the version of a stored document with one `find`. Returns `None` if the document does not exist.
pub(super) async fn stored_version(
    model: &'static ModelShape,
    id: &Bson,
    exec: &Exec,
) -> Result<Option<i64>> {
    let field = model.version().unwrap_or_default();
    let find = FindCommand::new(Place::of(model), doc! { "_id": id });
    let find = find.select(projection([field])).first();
    let found = exec.raw_documents(find).await?.pop();
    Ok(found.map(|document| version_in(&document, field)))
}

/// Returns the error for a document whose stored version is `found` instead of `expected`.
pub(super) fn conflict(
    model: &'static ModelShape,
    id: Bson,
    expected: i64,
    found: Option<i64>,
) -> Error {
    Error::Conflict {
        model: model.name,
        collection: model.collection,
        id: Box::new(id),
        expected,
        found,
    }
}
