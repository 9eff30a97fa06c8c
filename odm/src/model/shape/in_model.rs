//! Adds the model of a call to errors from code that does not know models.

use super::ModelShape;
use crate::error::Error;

impl Error {
    /// Adds the model and its collection to the error if it has none yet.
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
