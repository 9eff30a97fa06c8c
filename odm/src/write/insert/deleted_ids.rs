//! Explains duplicate keys: the `_id` of a rejected document can be that of a deleted document.

use mongodb::bson::{Bson, doc};

use crate::{
    client::{
        command::FindCommand,
        odm::Exec,
        place::{Place, Visibility},
    },
    derived::values::key_condition,
    error::Error,
    model::shape::ModelShape,
    value::key::JoinKey,
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
    let place = Place::live(model).seeing(Visibility::Deleted);
    let find = FindCommand::new(place, doc! { "_id": key_condition(&ids) });
    // The server has already ended the transaction of the insert.
    let outside = Exec::on(exec.odm().clone());
    // If the read fails, the error of the insert is still correct.
    let Ok(found) = outside.ids(find.all()).await else {
        return;
    };
    let found: Vec<JoinKey> = found.into_iter().map(JoinKey::from).collect();
    for (id, error) in &mut errors {
        if let Error::DuplicateKey { deleted, .. } = error {
            *deleted = found.contains(&JoinKey::from(std::mem::replace(id, Bson::Null)));
        }
    }
}
