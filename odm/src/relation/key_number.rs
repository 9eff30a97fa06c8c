//! Numbers of distinct keys.

/// The number of a distinct key, in index order. The numbers of documents have the same type. More keys or documents
/// than this type can count would not fit into memory.
pub(crate) type KeyNumber = u32;

/// The value for a null, in place of a number.
pub(crate) const NO_KEY: KeyNumber = KeyNumber::MAX;

/// Returns a number as an array index.
pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Returns a length as a number.
pub(crate) fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
