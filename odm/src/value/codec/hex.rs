//! Converts documents to hexadecimal text that fits into a query parameter or a header, so that clients
//! can send them back.

use std::fmt::{self, Write};

use mongodb::bson::{Document, RawDocumentBuf};

/// Writes a document as hexadecimal text.
pub(crate) fn write_hex(document: &Document, to: &mut impl Write) -> fmt::Result {
    let bytes = RawDocumentBuf::try_from(document).map_err(|_| fmt::Error)?;
    let mut bytes = bytes.as_bytes().iter();
    bytes.try_for_each(|byte| write!(to, "{byte:02x}"))
}

/// Reads a document from hexadecimal text. Returns `None` if the text does not contain a document.
pub(crate) fn read_hex(text: &str) -> Option<Document> {
    let pairs = text.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    let raw = RawDocumentBuf::from_bytes(bytes?).ok()?;
    Document::try_from(&*raw).ok()
}
