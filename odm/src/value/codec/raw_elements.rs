//! The elements of a document as bytes.

use mongodb::bson::RawDocument;

use crate::error::Result;

/// What a document adds to its elements: its length before them, and a zero behind them.
const LENGTH: usize = 4;
const END: usize = 1;

/// Few documents have more fields; a list of so many is still a small allocation.
const USUAL: usize = 16;

/// Lists the names and the bytes of the elements of a document, each with its type and name.
///
/// BSON 2 does not tell how long an element is, so the addresses of the names do.
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

/// Makes a document of elements.
pub(crate) fn document_from_elements(elements: &[u8]) -> Vec<u8> {
    let length = LENGTH + elements.len() + END;
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    [&length.to_le_bytes(), elements, &[0]].concat()
}
