//! The elements of a document as bytes.

use mongodb::bson::RawDocument;

use crate::error::Result;

/// The bytes around the elements of a document: the length before them, and a zero after them.
const LENGTH: usize = 4;
const END: usize = 1;

/// Few documents have more fields, and a list of this size is a small allocation.
const USUAL: usize = 16;

/// Lists the names and the bytes of the elements of a document. The bytes include the type and the name.
///
/// BSON 2 does not report the length of an element, so the code computes it from the addresses of the names.
#[allow(
    clippy::useless_asref,
    reason = "names are strings in one major of BSON and C strings in the other"
)]
pub(crate) fn elements(document: &RawDocument) -> Result<Vec<(&str, &[u8])>> {
    const TYPE: usize = 1;
    let bytes = document.as_bytes();
    let mut names: Vec<&str> = Vec::with_capacity(USUAL);
    for element in document.iter_elements() {
        let element = element.map_err(mongodb::error::Error::from)?;
        names.push(element.key().as_ref());
    }
    let begin = |name: &&str| name.as_ptr().addr() - bytes.as_ptr().addr() - TYPE;
    let ends = names.iter().skip(1).map(begin);
    let ends = ends.chain([bytes.len() - END]);
    Ok(names
        .iter()
        .zip(ends)
        .map(|(name, end)| (*name, bytes.get(begin(name)..end).unwrap_or_default()))
        .collect())
}

/// Returns a document with these elements.
pub(crate) fn document_from_elements(elements: &[u8]) -> Vec<u8> {
    let length = LENGTH + elements.len() + END;
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    [&length.to_le_bytes(), elements, &[0]].concat()
}
