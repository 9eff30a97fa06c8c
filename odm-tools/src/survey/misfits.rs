//! Finds sampled documents that cannot be decoded as the models of their collection.

use std::collections::BTreeMap;

use mongo_odm::{__tools::fits, Error, models, shape::ModelShape};
use mongodb::bson::{Bson, RawBsonRef, RawDocument, RawDocumentBuf};

use super::sample::id_of;

/// Documents that cannot be decoded as a model, all for the same reason.
#[derive(Debug)]
pub(crate) struct Misfits {
    pub(crate) model: &'static ModelShape,
    /// The path of the value that cannot be decoded; empty if the decoder does not report it.
    pub(crate) path: String,
    pub(crate) message: String,
    pub(crate) count: u64,
    /// Number of sampled documents that belong to the model.
    pub(crate) documents: u64,
    /// The `_id` of the first document that cannot be decoded.
    pub(crate) example: Option<Bson>,
}

/// Decodes all sampled documents of a collection, each as the model of its kind, and returns the failures.
pub(crate) fn misfits(collection: &str, sample: &[RawDocumentBuf]) -> Vec<Misfits> {
    let models = models().into_iter();
    let own = models.filter(|model| model.collection == collection);
    own.flat_map(|model| of_model(sample, model)).collect()
}

fn of_model(sample: &[RawDocumentBuf], model: &'static ModelShape) -> Vec<Misfits> {
    let Some(fits) = fits(model) else {
        return Vec::new();
    };
    let (mut misfits, mut documents) = (BTreeMap::<(String, String), Misfits>::new(), 0);
    for document in sample.iter().filter(|it| is_of(model, it)) {
        documents += 1;
        let Err((path, message)) = fits(document).map_err(told) else {
            continue;
        };
        let new = || Misfits {
            model,
            path: path.clone(),
            message: message.clone(),
            count: 0,
            documents: 0,
            example: id_of(document),
        };
        let misfit = misfits
            .entry((path.clone(), message.clone()))
            .or_insert_with(new);
        misfit.count += 1;
    }
    let misfits = misfits.into_values();
    misfits.map(|it| Misfits { documents, ..it }).collect()
}

/// Whether a document has the kind of a model.
pub(crate) fn is_of(model: &ModelShape, document: &RawDocument) -> bool {
    let Some(kind) = &model.kind else {
        return true;
    };
    match document.get(kind.field) {
        Ok(Some(RawBsonRef::String(value))) => value == kind.value,
        Ok(None | Some(RawBsonRef::Null)) => kind.is_default,
        Ok(Some(_)) | Err(_) => false,
    }
}

/// Removes the text that the driver puts around the message of a decoding error.
fn plain(message: &str) -> String {
    const FRAME: &str = "BSON error. Kind: A deserialization-related error occurred. Message: ";
    match message.strip_prefix(FRAME) {
        Some(inner) => inner.trim_end_matches('.').to_owned(),
        None => message.to_owned(),
    }
}

/// Returns the path and the reason of a decoding error. Neither text contains the `_id`, so the same error in several
/// documents results in equal texts.
fn told(error: Error) -> (String, String) {
    match error {
        Error::Decode { path, message, .. } => (path, plain(&message)),
        other => (String::new(), other.to_string()),
    }
}
