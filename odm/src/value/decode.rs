//! Converts documents that the server returns to Rust values.

use mongodb::bson::RawDocument;
use serde::de::DeserializeOwned;

use super::codec::decode_part;
use crate::error::Result;

/// A function that converts a document to a `V`.
///
/// The function is chosen once, when a builder is created or when its result type changes. Later code depends on the
/// type `V` only through this function.
#[derive(Debug)]
pub(crate) struct Decode<V>(fn(&str, &RawDocument, &RawDocument) -> Result<V>);

impl<V> Clone for Decode<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Decode<V> {}

impl<V: DeserializeOwned> Decode<V> {
    /// Returns a `Decode` that uses serde.
    pub(crate) const fn serde() -> Self {
        Self(decode_part::<V>)
    }
}

impl<V> Decode<V> {
    /// Returns a `Decode` that calls `read`, which is the read function of a model, or of an enum over several kinds.
    pub(crate) const fn with_reader(
        read: fn(&str, &RawDocument, &RawDocument) -> Result<V>,
    ) -> Self {
        Self(read)
    }
}

impl Decode<()> {
    /// Returns a `Decode` that ignores the content of documents.
    pub(crate) const fn nothing() -> Self {
        Self(|_, _, _| Ok(()))
    }
}

impl<V> Decode<V> {
    /// Decodes a document. An error contains the collection, the `_id`, and the path of the value that does not match
    /// its type.
    pub(crate) fn decode(self, collection: &str, document: &RawDocument) -> Result<V> {
        self.part(collection, document, document)
    }

    /// Decodes the requested part of a document. An error contains the collection, the `_id` of the whole document, and
    /// the path of the value that does not match its type.
    pub(crate) fn part(
        self,
        collection: &str,
        part: &RawDocument,
        whole: &RawDocument,
    ) -> Result<V> {
        (self.0)(collection, part, whole)
    }
}
