//! The kind of a model. The library writes the kind into each document that it stores, and rejects documents of a
//! different kind.

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocumentBuf};

use super::Place;
use crate::{
    error::{Error, Result},
    model::shape::{KindShape, ModelShape},
    mongosh,
};

impl Place {
    pub(super) fn stamp_kind(&self, document: RawDocumentBuf) -> Result<RawDocumentBuf> {
        let (Some(model), Some(kind)) = (self.about, self.kind()) else {
            return Ok(document);
        };
        match document.get(kind.field) {
            Ok(Some(RawBsonRef::String(value))) if value == kind.value => return Ok(document),
            Ok(None | Some(RawBsonRef::Null)) => {}
            Ok(Some(other)) => {
                let other = Bson::try_from(other).map_err(mongodb::error::Error::from)?;
                return Err(of_another_kind(model, &kind, &other));
            }
            // A document that cannot be read is left unchanged, because the server will reject it.
            Err(_) => return Ok(document),
        }
        let mut stamped = Document::try_from(&*document).map_err(mongodb::error::Error::from)?;
        stamped.insert(kind.field, kind.value);
        Ok(RawDocumentBuf::try_from(&stamped).map_err(mongodb::error::Error::from)?)
    }
}

fn of_another_kind(model: &'static ModelShape, kind: &KindShape<'_>, other: &Bson) -> Error {
    let (name, field, value) = (model.name, kind.field, kind.value);
    Error::invalid_in_document(format!(
        "`{name}.{field}` is {}, and documents of `{name}` are of the kind \"{value}\"; set the field to \"{value}\", or \
         leave it out: it is written by the library",
        mongosh::value(other)
    ))
    .in_model(model)
}
