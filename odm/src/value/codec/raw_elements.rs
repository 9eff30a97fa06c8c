//! Splits a document into the bytes of its elements.

use mongodb::bson::RawDocument;

use crate::error::Result;

/// The number of bytes around the elements of a document: the length at the beginning, and a zero byte at
/// the end.
const LENGTH: usize = 4;
const END: usize = 1;

/// The initial capacity of the list. Few documents have more fields, and the allocation is small.
const USUAL: usize = 16;

/// Lists the name and the bytes of each element of a document. The bytes include the type and the name.
///
/// Version 2 of the `bson` crate does not report the length of an element. So this function computes the length from
/// the memory addresses of the names.
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

/// Returns the bytes of a document that consists of these elements.
pub(crate) fn document_from_elements(elements: &[u8]) -> Vec<u8> {
    let length = LENGTH + elements.len() + END;
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    [&length.to_le_bytes(), elements, &[0]].concat()
}
