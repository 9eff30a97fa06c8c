//! The seam where a document of the server becomes a value of the program.

use mongodb::bson::RawDocument;
use serde::de::DeserializeOwned;

use super::codec::decode_part;
use crate::error::Result;

/// How a document becomes a `V`.
///
/// Chosen once, where a builder is made or given another type; everything behind it knows of `V` no
/// more than this.
#[derive(Debug)]
pub(crate) struct Decode<V>(fn(&str, &RawDocument, &RawDocument) -> Result<V>);

impl<V> Clone for Decode<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Decode<V> {}

impl<V: DeserializeOwned> Decode<V> {
    /// Decodes as serde says.
    pub(crate) const fn serde() -> Self {
        Self(decode_part::<V>)
    }
}

impl<V> Decode<V> {
    /// Decodes as the description of a model or of several kinds says.
    pub(crate) const fn with_reader(
        read: fn(&str, &RawDocument, &RawDocument) -> Result<V>,
    ) -> Self {
        Self(read)
    }
}

impl Decode<()> {
    /// Looks into no document.
    pub(crate) const fn nothing() -> Self {
        Self(|_, _, _| Ok(()))
    }
}

impl<V> Decode<V> {
    /// Decodes a document; an error names the collection, the path, and the `_id`.
    pub(crate) fn decode(self, collection: &str, document: &RawDocument) -> Result<V> {
        self.part(collection, document, document)
    }

    /// Decodes what a reader may see of a document; an error names the collection, the path, and the
    /// `_id` of the whole.
    pub(crate) fn part(
        self,
        collection: &str,
        part: &RawDocument,
        whole: &RawDocument,
    ) -> Result<V> {
        (self.0)(collection, part, whole)
    }
}
