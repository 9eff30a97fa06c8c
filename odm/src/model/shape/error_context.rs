//! Adds the call's model to errors from code that does not know the model.

use mongodb::bson::Document;

use super::ModelShape;
use crate::error::Error;

impl ModelShape {
    /// Returns the error for a call that did not find a document.
    pub(crate) fn not_found(&self, filter: Document) -> Error {
        Error::NotFound {
            model: self.name,
            collection: self.collection,
            filter: Box::new(filter),
        }
    }
}

impl Error {
    /// Adds the model and its collection to the error, unless the error already contains a model.
    #[must_use]
    pub(crate) fn in_model(mut self, shape: &ModelShape) -> Self {
        if let Self::Encode {
            model, collection, ..
        }
        | Self::Invalid {
            model, collection, ..
        } = &mut self
            && model.is_none()
        {
            (*model, *collection) = (Some(shape.name), Some(shape.collection));
        }
        self
    }
}
