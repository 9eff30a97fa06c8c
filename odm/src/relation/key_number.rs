//! Numbers of distinct keys.

/// The number of a distinct key, in the order of an index. Documents are counted by numbers of the
/// same size: more of either do not fit into memory.
pub(crate) type KeyNumber = u32;

/// Stands in the place of a number where an owner stores null.
pub(crate) const NO_KEY: KeyNumber = KeyNumber::MAX;

/// Returns a number as an index of an array.
pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Returns a length as a number.
pub(crate) fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
