//! The numbers by which a load or a join identifies distinct keys and documents.

/// The number of a distinct key. Keys are numbered in the order in which an index sorts them. The same type
/// also numbers documents. More keys or documents than this type can count would not fit into memory.
pub(crate) type KeyNumber = u32;

/// Number that represents the missing key of a null reference.
pub(crate) const NO_KEY: KeyNumber = KeyNumber::MAX;

/// Converts a number to an array index.
pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Converts a length to a number.
pub(crate) fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
