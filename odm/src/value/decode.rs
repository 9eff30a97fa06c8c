//! Converts documents from the server into values of the program.

use mongodb::bson::RawDocument;
use serde::de::DeserializeOwned;

use super::codec::decode_part;
use crate::error::Result;

/// A function that converts a document to a `V`.
///
/// The function is chosen once, when a builder is created or gets another type. All later code needs no other
/// information about `V`.
#[derive(Debug)]
pub(crate) struct Decode<V>(fn(&str, &RawDocument, &RawDocument) -> Result<V>);

impl<V> Clone for Decode<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Decode<V> {}

impl<V: DeserializeOwned> Decode<V> {
    /// Decodes with serde.
    pub(crate) const fn serde() -> Self {
        Self(decode_part::<V>)
    }
}

impl<V> Decode<V> {
    /// Decodes with the read function that a model, or an enum of several kinds, provides.
    pub(crate) const fn with_reader(
        read: fn(&str, &RawDocument, &RawDocument) -> Result<V>,
    ) -> Self {
        Self(read)
    }
}

impl Decode<()> {
    /// Ignores the document.
    pub(crate) const fn nothing() -> Self {
        Self(|_, _, _| Ok(()))
    }
}

impl<V> Decode<V> {
    /// Decodes a document. An error contains the collection, the path and the `_id`.
    pub(crate) fn decode(self, collection: &str, document: &RawDocument) -> Result<V> {
        self.part(collection, document, document)
    }

    /// Decodes the part of a document that the reader requested. An error contains the collection, the path and the
    /// `_id` of the whole document.
    pub(crate) fn part(
        self,
        collection: &str,
        part: &RawDocument,
        whole: &RawDocument,
    ) -> Result<V> {
        (self.0)(collection, part, whole)
    }
}
