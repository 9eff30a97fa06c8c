//! Reads the keys by which other documents refer to a document, for the relations `has_many` and `has_one`.

use mongodb::bson::{Bson, Document};

use crate::{
    error::{EncodeError, Error, Result},
    model::{
        derive_traits::{IdOf, Storable},
        reference::KeySlot,
        shape::FieldShape,
    },
    value::{
        codec::encode_document,
        key::{JoinKey, Key},
        path::{each_raw_value, value_at},
    },
};

/// Calls `found` for each key by which other documents refer to `owner`. The key is the owner's id, or the value of the
/// field that the reference declares with `to = "Model.field"`.
#[doc(hidden)]
pub fn owner_keys<O: Storable>(
    owner: &O,
    reference: Option<&'static FieldShape>,
    found: &mut dyn FnMut(KeySlot),
) {
    match reference.and_then(|field| field.reference.as_ref()?.key) {
        None => found(owner.stored_id().as_key().join_key()),
        Some(key) => match stored_keys(owner, &(key.path)()) {
            Ok(keys) => keys.into_iter().for_each(|key| found(Ok(key))),
            Err(error) => found(Err(error)),
        },
    }
}

/// Returns the only key by which a reference refers to `owner`, in its stored form.
///
/// # Errors
///
/// Fails if serde cannot encode the owner, or if the owner does not have this key.
pub(crate) fn stored_key<O: Storable>(
    owner: &O,
    reference: Option<&'static FieldShape>,
) -> Result<Bson> {
    let key = reference.and_then(|field| field.reference.as_ref()?.key);
    let path = key.map_or_else(|| "_id".to_owned(), |key| (key.path)());
    let encoded = encode_document(owner)
        .and_then(|raw| Document::try_from(&*raw).map_err(|error| EncodeError(error.to_string())));
    let stored =
        encoded.map_err(|source| Error::encode(format!("a `{}`", O::__ODM_NAME), source))?;
    match value_at(&stored, &path) {
        None | Some(Bson::Null) => Err(Error::invalid(format!(
            "this `{}` has no `{path}`, which references to it need; set it first",
            O::__ODM_NAME
        ))),
        Some(key) => Ok(key.clone()),
    }
}

/// Reads the keys at a path in the encoded owner.
fn stored_keys<O: Storable>(owner: &O, path: &str) -> Result<Vec<JoinKey>, EncodeError> {
    let stored = encode_document(owner)?;
    let mut keys = Vec::new();
    each_raw_value(&stored, path, &mut |key| keys.push(JoinKey::from_raw(key)));
    Ok(keys)
}
