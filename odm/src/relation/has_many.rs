//! Relations that are stored on the other side.

use crate::{
    codec::encode_document,
    described::{Described, IdOf},
    error::{EncodeError, Result},
    key::{JoinKey, Key},
    path::each_raw_value,
    reference::KeySlot,
    shape::FieldShape,
};

/// Hands over the keys by which other documents refer to `owner`: its id, or the field that their
/// reference names with `to = "Model.field"`.
pub fn owner_keys<O: Described>(
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

/// Reads the keys at a path of an owner as it is stored.
fn stored_keys<O: Described>(owner: &O, path: &str) -> Result<Vec<JoinKey>, EncodeError> {
    let stored = encode_document(owner)?;
    let mut keys = Vec::new();
    each_raw_value(&stored, path, &mut |key| keys.push(JoinKey::from_raw(key)));
    Ok(keys)
}
