//! Converts documents to hexadecimal text that fits into a query parameter or a header, so that clients
//! can send them back.

use std::fmt::{self, Write};

use mongodb::bson::{Document, RawBsonRef, RawDocument, RawDocumentBuf};

/// Largest number of levels of documents and arrays in a text. The library writes far fewer levels.
const LEVELS: usize = 32;

/// Writes a document as hexadecimal text.
pub(crate) fn write_hex(document: &Document, to: &mut impl Write) -> fmt::Result {
    let bytes = RawDocumentBuf::try_from(document).map_err(|_| fmt::Error)?;
    let mut bytes = bytes.as_bytes().iter();
    bytes.try_for_each(|byte| write!(to, "{byte:02x}"))
}

/// Reads a document from hexadecimal text. Returns `None` if the text does not contain a document, or if the document is
/// nested too deeply.
pub(crate) fn read_hex(text: &str) -> Option<Document> {
    let pairs = text.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    let raw = RawDocumentBuf::from_bytes(bytes?).ok()?;
    is_shallow(&raw)
        .then(|| Document::try_from(&*raw).ok())
        .flatten()
}

/// Returns whether a document is well-formed and has at most [`LEVELS`] levels. Clients choose the bytes, and decoding is
/// recursive and copies each level. So this check uses neither recursion nor copies.
fn is_shallow(document: &RawDocument) -> bool {
    let mut level = vec![document];
    for _ in 0..LEVELS {
        let mut below = Vec::new();
        for element in level.into_iter().flatten() {
            match element {
                Ok((_, RawBsonRef::Document(inner))) => below.push(inner),
                Ok((_, RawBsonRef::JavaScriptCodeWithScope(code))) => below.push(code.scope),
                Ok((_, RawBsonRef::Array(inner))) => {
                    let Ok(inner) = RawDocument::from_bytes(inner.as_bytes()) else {
                        return false;
                    };
                    below.push(inner);
                }
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        if below.is_empty() {
            return true;
        }
        level = below;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of documents, arrays or scopes of code that are nested in each other.
    fn nested(kind: u8, levels: usize) -> String {
        // A level consists of its length, a type, an empty name, the level below and the end. For code, the length of
        // the value and an empty string precede the level below.
        let code: &[u8] = &[1, 0, 0, 0, 0];
        let code = if kind == 0x0F { code } else { &[] };
        let empty = [5, 0, 0, 0, 0];
        let outer = if code.is_empty() { 7 } else { 16 };
        let sizes = (0..levels).map(|level| 5 + outer * (levels - 1 - level));
        let mut bytes = Vec::new();
        for size in sizes.filter(|size| *size > 5) {
            bytes.extend(i32::try_from(size).unwrap().to_le_bytes());
            bytes.extend([kind, 0]);
            if !code.is_empty() {
                bytes.extend(i32::try_from(size - 7).unwrap().to_le_bytes());
                bytes.extend(code);
            }
        }
        bytes.extend(empty);
        bytes.resize(bytes.len() + levels - 1, 0);
        let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
        digits.collect()
    }

    #[test]
    fn documents_of_many_levels_are_rejected() {
        for kind in [0x03, 0x04, 0x0F] {
            for levels in [1, 2, LEVELS] {
                assert!(
                    read_hex(&nested(kind, levels)).is_some(),
                    "{kind}, {levels}"
                );
            }
            for levels in [LEVELS + 1, 50_000] {
                assert!(
                    read_hex(&nested(kind, levels)).is_none(),
                    "{kind}, {levels}"
                );
            }
        }
    }
}
