//! Text that is not UTF-8. The servers store any bytes as text, but a [`Document`] contains only UTF-8.
//!
//! So when the front reads a message, it replaces each byte that is not valid UTF-8 with a character that represents
//! the byte. When the front writes a message, it replaces the character with the byte again.

use std::io;

use mongodb::bson::Document;

/// The first of the 256 characters that represent bytes. They are the last characters of Unicode, which are for private
/// use.
const FIRST: u32 = 0x10_FF00;
/// The first byte of these characters in UTF-8.
const LEADING: u8 = 0xF4;

/// Reads a document.
pub(super) fn read(bytes: &[u8]) -> io::Result<Document> {
    let read = |bytes: &[u8]| Document::from_reader(bytes);
    let escaped = || rewritten(bytes, escaped).map(|escaped| read(&escaped));
    match read(bytes) {
        Ok(document) => Ok(document),
        Err(error) => escaped().unwrap_or(Err(error)).map_err(invalid),
    }
}

/// Appends a document to a message.
pub(super) fn write(document: &Document, to: &mut Vec<u8>) -> io::Result<()> {
    let start = to.len();
    document.to_writer(&mut *to).map_err(invalid)?;
    let written = to.get(start..).unwrap_or_default();
    if written.contains(&LEADING)
        && let Some(original) = rewritten(written, original)
    {
        to.truncate(start);
        to.extend(original);
    }
    Ok(())
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

fn escaped(text: &[u8]) -> Vec<u8> {
    let mut valid = String::new();
    for chunk in text.utf8_chunks() {
        valid.push_str(chunk.valid());
        let bytes = chunk.invalid().iter();
        valid.extend(bytes.filter_map(|byte| char::from_u32(FIRST + u32::from(*byte))));
    }
    valid.into_bytes()
}

fn original(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in String::from_utf8_lossy(text).chars() {
        let byte = u32::from(character).checked_sub(FIRST);
        match byte.and_then(|byte| u8::try_from(byte).ok()) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// Copies a document, and changes each text in it. Returns `None` if the document is not BSON.
fn rewritten(document: &[u8], change: fn(&[u8]) -> Vec<u8>) -> Option<Vec<u8>> {
    let size = i32::from_le_bytes(*document.first_chunk::<4>()?);
    if usize::try_from(size).ok()? != document.len() {
        return None;
    }
    let mut elements = document.get(4..document.len().checked_sub(1)?)?;
    let mut copy = vec![0; 4];
    while let Some(kind) = elements.first() {
        let name = elements.iter().skip(1).position(|byte| *byte == 0)? + 2;
        let (name, rest) = elements.split_at_checked(name)?;
        let (value, rest) = rest.split_at_checked(length(*kind, rest)?)?;
        copy.extend(name);
        match kind {
            0x02 | 0x0D | 0x0E => {
                let text = change(value.get(4..value.len().checked_sub(1)?)?);
                copy.extend(i32::try_from(text.len() + 1).ok()?.to_le_bytes());
                copy.extend(text);
                copy.push(0);
            }
            0x03 | 0x04 => copy.extend(rewritten(value, change)?),
            _ => copy.extend(value),
        }
        elements = rest;
    }
    copy.push(0);
    let size = i32::try_from(copy.len()).ok()?.to_le_bytes();
    copy.get_mut(..4)?.copy_from_slice(&size);
    Some(copy)
}

/// Returns the number of bytes of a value, from its type and its first bytes.
fn length(kind: u8, value: &[u8]) -> Option<usize> {
    let size = || {
        let bytes = value.first_chunk::<4>()?;
        usize::try_from(i32::from_le_bytes(*bytes)).ok()
    };
    let zeros = || value.iter().enumerate().filter(|(_, byte)| **byte == 0);
    Some(match kind {
        0x06 | 0x0A | 0x7F | 0xFF => 0,
        0x08 => 1,
        0x10 => 4,
        0x01 | 0x09 | 0x11 | 0x12 => 8,
        0x07 => 12,
        0x13 => 16,
        0x02 | 0x0D | 0x0E => size()? + 4,
        0x05 => size()? + 5,
        0x0C => size()? + 16,
        0x03 | 0x04 | 0x0F => size()?,
        0x0B => zeros().nth(1)?.0 + 1,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{Binary, Bson, Regex, Timestamp, doc, oid::ObjectId, spec::BinarySubtype};

    use super::*;

    #[allow(
        clippy::unnecessary_fallible_conversions,
        reason = "a pattern is a string in the older major version of `bson`"
    )]
    fn all_types() -> Document {
        let binary = Binary {
            subtype: BinarySubtype::Generic,
            bytes: vec![0xF4, 0xFF],
        };
        let regex = Regex {
            pattern: "a".try_into().unwrap(),
            options: "i".try_into().unwrap(),
        };
        let time = Timestamp {
            time: 1,
            increment: 2,
        };
        doc! {
            "text": "MARK", "inner": { "texts": ["é", "MARK", "\u{10_0000}"] }, "binary": binary,
            "regex": Bson::RegularExpression(regex), "time": time, "id": ObjectId::new(), "null": Bson::Null,
            "int": 1, "long": 2_i64, "double": 0.5, "is": true, "code": Bson::JavaScriptCode("MARK".into()),
            "min": Bson::MinKey, "max": Bson::MaxKey,
        }
    }

    #[test]
    fn a_document_is_written_with_the_bytes_that_were_read() {
        let mut bytes = Vec::new();
        write(&all_types(), &mut bytes).unwrap();
        while let Some(at) = bytes.windows(4).position(|it| it == b"MARK") {
            bytes[at..at + 4].copy_from_slice(&[b'a', 0xFF, 0xC3, b'b']);
        }
        let read = read(&bytes).unwrap();
        let text = read.get_str("text").unwrap();
        assert_eq!(text, "a\u{10_FFFF}\u{10_FFC3}b");
        let mut written = vec![1, 2];
        write(&read, &mut written).unwrap();
        assert_eq!(written.split_off(2), bytes);
    }

    #[test]
    fn bytes_that_are_not_a_document_are_an_error() {
        let mut bytes = Vec::new();
        write(&all_types(), &mut bytes).unwrap();
        for end in 0..bytes.len() {
            read(&bytes[..end]).unwrap_err();
        }
    }
}
