//! Numbers of distinct keys.

/// The number of a distinct key, in the order of an index. Documents have numbers of the same size. More of either do
/// not fit into memory.
pub(crate) type KeyNumber = u32;

/// The value for a null, in place of a number.
pub(crate) const NO_KEY: KeyNumber = KeyNumber::MAX;

/// Returns a number as an index of an array.
pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Returns a length as a number.
pub(crate) fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
