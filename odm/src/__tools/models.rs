//! Lists the linked models, and checks documents against a model of which only the shape is known.

use mongodb::bson::RawDocument;

use crate::{
    error::Result,
    model::{
        registry::{ModelSelection, readers},
        shape::ModelShape,
    },
};

/// Returns all models that are linked into the program.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) if no model is linked into the program.
pub fn linked_models() -> Result<Vec<&'static ModelShape>> {
    ModelSelection::default().models()
}

/// Returns a function that checks whether a document fits a model. Returns `None` if the model is
/// not linked into the program.
pub fn fits(model: &ModelShape) -> Option<impl Fn(&RawDocument) -> Result<()>> {
    let mut readers = readers().into_iter();
    let is_it =
        |known: &ModelShape| (known.collection, known.name) == (model.collection, model.name);
    let (known, fits) = readers.find(|(known, _)| is_it(known))?;
    Some(move |document: &RawDocument| fits(known.collection, document))
}
