//! The route of a move: its two models, the conversion function, and the options.

use std::{fmt, sync::Arc};

use mongodb::bson::{Document, RawDocument, RawDocumentBuf};

use crate::{
    client::{
        command::FindCommand,
        place::{Place, Visibility},
    },
    error::Result,
    model::{
        derive_traits::{Described, Storable},
        shape::ModelShape,
    },
    query::stored_document::stored,
    value::decode::Decode,
};

/// A move, described without type parameters for the two models.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) from: &'static ModelShape,
    pub(super) to: &'static ModelShape,
    pub(super) convert: Convert,
    /// Whether the move overwrites target documents that differ from the converted ones.
    pub(super) overwrite: bool,
    /// Whether the move deletes documents from the source once the target contains them.
    pub(super) delete: bool,
}

impl Route {
    /// Returns the query for the documents to move. If the target does not keep deleted documents, they are not moved,
    /// because they would become live documents.
    pub(super) fn find(&self) -> FindCommand {
        let seen = if self.to.deleted_at().is_some() {
            Visibility::All
        } else {
            Visibility::Live
        };
        FindCommand::new(Place::of(self.from).seeing(seen), Document::new())
    }
}

/// The conversion from a stored source document to a stored target document.
#[derive(Clone)]
pub(super) struct Convert(Arc<ConvertFn>);

type ConvertFn = dyn Fn(&RawDocument) -> Result<RawDocumentBuf> + Send + Sync;

impl Convert {
    pub(super) fn new<Old: Described, New: Storable>(
        convert: impl Fn(Old) -> New + Send + Sync + 'static,
    ) -> Self {
        let collection = Old::SHAPE.collection;
        Self(Arc::new(move |raw| {
            let old = Decode::with_reader(Old::__odm_read_document).decode(collection, raw)?;
            stored(&convert(old), true)
        }))
    }

    /// Returns the converted document.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`](crate::Error::Decode) if the document cannot be decoded, and the errors that an insert returns
    /// before it sends a statement.
    pub(super) fn call(&self, document: &RawDocument) -> Result<RawDocumentBuf> {
        (self.0)(document)
    }
}

impl fmt::Debug for Convert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Convert")
    }
}
