//! From where to where documents are moved, and what becomes of them.

use std::{fmt, sync::Arc};

use mongodb::bson::{Document, RawDocument, RawDocumentBuf};

use crate::{
    action::stored,
    client::{command::FindCommand, place::Place},
    error::Result,
    model::{
        derive_traits::{Described, Storable},
        shape::ModelShape,
    },
    value::decode::Decode,
};

/// A move, but for the types.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) from: &'static ModelShape,
    pub(super) to: &'static ModelShape,
    pub(super) convert: Convert,
    /// Whether documents that differ are written over.
    pub(super) overwrite: bool,
    /// Whether documents that the target has are deleted.
    pub(super) delete: bool,
}

impl Route {
    /// Finds the documents that are moved.
    pub(super) fn find(&self) -> FindCommand {
        FindCommand::new(Place::of(self.from), Document::new())
    }
}

/// Makes a document of the target of one of the source, both as they are stored.
#[derive(Clone)]
pub(super) struct Convert(Arc<ConvertFn>);

type ConvertFn = dyn Fn(&RawDocument) -> Result<RawDocumentBuf> + Send + Sync;

impl Convert {
    pub(super) fn new<Old: Described, New: Storable>(
        convert: impl Fn(Old) -> New + Send + Sync + 'static,
    ) -> Self {
        let collection = Old::SHAPE.collection;
        Self(Arc::new(move |raw| {
            stored(&convert(
                Decode::with_reader(Old::__odm_read_document).decode(collection, raw)?,
            ))
        }))
    }

    /// Returns what is to be stored.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`](crate::Error::Decode), and those of an insert before anything is sent.
    pub(super) fn call(&self, document: &RawDocument) -> Result<RawDocumentBuf> {
        (self.0)(document)
    }
}

impl fmt::Debug for Convert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Convert")
    }
}
