//! Encodes a struct as the document that a write stores, and checks the document.

use std::collections::HashSet;

use mongodb::bson::{RawBsonRef, RawDocument, RawDocumentBuf};

use crate::{
    client::place::Place,
    error::{EncodeError, Error, Result},
    model::{
        array_bound::check_stored,
        derive_traits::Storable,
        shape::{DELETE_ID, DELETED_AT, ModelShape, RESTORING, any_field},
    },
    value::codec::{encode_document, unwritable_path},
};

/// Encodes a document. Adds the document's kind and its link to itself, if the model declares a kind or links.
pub(crate) fn encoded<M: Storable>(model: &M) -> Result<RawDocumentBuf> {
    let document = encode_document(model)
        .map_err(|source| Error::encode(unwritable(model), source).in_model(M::SHAPE))?;
    if any_field(M::SHAPE.fields, |field| field.flatten) {
        // A job would take these fields for a delete or a restore of the library.
        let marks = [DELETE_ID, DELETED_AT, RESTORING].into_iter();
        let marks = marks.filter(|_| M::SHAPE.keeps_deleted()).collect();
        refuse_repeated_names(M::SHAPE, &document, marks)?;
    }
    Place::of(M::SHAPE).stamp(document)
}

/// Rejects a document that contains a field name twice, or one of the names that are already taken. This happens if a
/// key of a flattened map equals the name of another field. No program could read such a document. A key that equals
/// the name of the tenant field would assign the document to a different tenant.
#[allow(
    clippy::useless_asref,
    reason = "names are strings in one major of BSON and C strings in the other"
)]
fn refuse_repeated_names<'d>(
    model: &'static ModelShape,
    document: &'d RawDocument,
    mut names: HashSet<&'d str>,
) -> Result<()> {
    for element in document {
        let (name, value) = element.map_err(mongodb::error::Error::from)?;
        let name: &str = name.as_ref();
        if !names.insert(name) {
            return Err(repeated_name(model.name, name).in_model(model));
        }
        match value {
            RawBsonRef::Document(inner) => refuse_repeated_names(model, inner, HashSet::new())?,
            RawBsonRef::Array(values) => {
                for value in values {
                    let value = value.map_err(mongodb::error::Error::from)?;
                    if let Some(inner) = value.as_document() {
                        refuse_repeated_names(model, inner, HashSet::new())?;
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the error for a key of a flattened map that has the name of another field. `of` is the name of the struct.
pub(super) fn repeated_name(of: &str, name: &str) -> Error {
    unfit_key(format!(
        "a `{of}` would contain the field `{name}` twice, because a key of a flattened map has the name of another field; \
         rename the key"
    ))
}

/// Returns the error for a key of a flattened map. Clients can choose the keys, so the error is not `Error::Invalid`,
/// which would be an error of the program.
pub(crate) fn unfit_key(message: String) -> Error {
    Error::encode("a document", EncodeError(message))
}

/// Checks a document against the rules of its model, if the model has the option `validate`. The rules of snapshots do
/// not apply to a new document, because the library reads the snapshots from their sources.
///
/// # Errors
///
/// [`Error::Validation`] if the document violates a rule.
pub(crate) fn check_rules<M: Storable>(model: &M, is_new: bool) -> Result<()> {
    let violations = model.__odm_violations(is_new);
    if violations.is_empty() {
        return Ok(());
    }
    Err(Error::Validation {
        model: M::SHAPE.name,
        violations,
    })
}

/// Checks a document against its rules, encodes it with its kind, and checks the bounds of its arrays.
pub(crate) fn stored<M: Storable>(model: &M, is_new: bool) -> Result<RawDocumentBuf> {
    check_rules(model, is_new)?;
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
