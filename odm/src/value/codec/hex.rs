//! Converts documents to hexadecimal text for clients. The text fits into a query parameter or a header.

use std::fmt::{self, Write};

use mongodb::bson::{Document, RawDocumentBuf};

/// Writes a document.
pub(crate) fn write_hex(document: &Document, to: &mut impl Write) -> fmt::Result {
    let bytes = RawDocumentBuf::try_from(document).map_err(|_| fmt::Error)?;
    let mut bytes = bytes.as_bytes().iter();
    bytes.try_for_each(|byte| write!(to, "{byte:02x}"))
}

/// Reads a document in this form. Returns `None` for any other text.
pub(crate) fn read_hex(text: &str) -> Option<Document> {
    let pairs = text.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    let raw = RawDocumentBuf::from_bytes(bytes?).ok()?;
    Document::try_from(&*raw).ok()
}
