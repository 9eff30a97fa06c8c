//! Encodes a struct as the document to store, and checks it.

use mongodb::bson::RawDocumentBuf;

use crate::{
    client::place::Place,
    error::{Error, Result},
    model::{array_bound::check_stored, derive_traits::Storable},
    value::codec::{encode_document, unwritable_path},
};

/// Encodes a document, and adds its kind and its link to itself, if the model has them.
pub(crate) fn encoded<M: Storable>(model: &M) -> Result<RawDocumentBuf> {
    let document = encode_document(model)
        .map_err(|source| Error::encode(unwritable(model), source).in_model(M::SHAPE))?;
    Place::of(M::SHAPE).stamp(document)
}

/// Checks a document against the rules of its model, if the model has the option `validate`.
///
/// # Errors
///
/// [`Error::Validation`] if the document violates a rule.
pub(crate) fn check_rules<M: Storable>(model: &M) -> Result<()> {
    let violations = model.__odm_violations();
    if violations.is_empty() {
        return Ok(());
    }
    Err(Error::Validation {
        model: M::SHAPE.name,
        violations,
    })
}

/// Checks a document against its rules, encodes it with its kind, and checks the bounds of its arrays.
pub(crate) fn stored<M: Storable>(model: &M) -> Result<RawDocumentBuf> {
    check_rules(model)?;
    let document = encoded(model)?;
    check_stored(M::SHAPE, &document)?;
    Ok(document)
}

/// Describes a document that cannot be encoded, including the path of the field if the path is known.
fn unwritable<M: Storable>(model: &M) -> String {
    match unwritable_path(model) {
        Some(path) => format!("a document at `{path}`"),
        None => "a document".to_owned(),
    }
}
