//! Explains duplicate keys: the `_id` of a rejected document can be that of a deleted document.

use mongodb::bson::Bson;

use crate::{
    client::odm::Exec, error::Error, model::shape::ModelShape, value::key::JoinKey,
    write::conflict::deleted_ids,
};

/// Notes in each error whether the document with the same `_id` is deleted. Each error is paired with the `_id` of its
/// document. Sends one `find`, but only if the model keeps deleted documents in its collection and the server has rejected
/// an `_id`.
pub(super) async fn note_deleted(
    model: &'static ModelShape,
    errors: impl Iterator<Item = (Bson, &mut Error)>,
    exec: &Exec,
) {
    if model.deleted_at().is_none() {
        return;
    }
    let of_ids =
        |error: &Error| matches!(error, Error::DuplicateKey { index, .. } if index == "_id_");
    let mut errors: Vec<_> = errors.filter(|(_, error)| of_ids(error)).collect();
    if errors.is_empty() {
        return;
    }
    let ids: Vec<Bson> = errors.iter().map(|(id, _)| id.clone()).collect();
    // The server has already ended the transaction of the insert.
    let outside = Exec::on(exec.odm().clone());
    // If the read fails, the error of the insert is still correct.
    let Ok(found) = deleted_ids(model, &ids, &outside).await else {
        return;
    };
    for (id, error) in &mut errors {
        if let Error::DuplicateKey { deleted, .. } = error {
            *deleted = found.contains(&JoinKey::from(std::mem::replace(id, Bson::Null)));
        }
    }
}
