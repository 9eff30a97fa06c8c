//! Divides lists of values into batches that fit into one statement.

use mongodb::bson::Bson;

/// The largest size of a statement in bytes, which is half of the server's limit.
const BYTES: usize = 8 << 20;

/// The approximate size of an array element without its value. The size includes the type, and the index as
/// text.
const TYPE_AND_INDEX: usize = 8;

/// Divides items into batches of at most `most` items and at most the largest size of a statement. An item that
/// exceeds this size gets a batch of its own.
pub fn parts<T>(
    items: &[T],
    most: usize,
    size: impl Fn(&T) -> usize,
) -> impl Iterator<Item = &[T]> {
    parts_of(items, most, BYTES, size)
}

/// Divides items into batches of at most `most` items and at most `most_bytes` bytes.
pub(crate) fn parts_of<T>(
    items: &[T],
    most: usize,
    most_bytes: usize,
    size: impl Fn(&T) -> usize,
) -> impl Iterator<Item = &[T]> {
    let mut rest = items;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = rest.iter().take(most).take_while(|item| {
            bytes += size(item) + TYPE_AND_INDEX;
            bytes <= most_bytes
        });
        let (part, left) = rest.split_at_checked(fits.count().max(1))?;
        rest = left;
        Some(part)
    })
}

/// Returns the approximate size of a value in bytes.
pub fn size_of(value: &Bson) -> usize {
    match value {
        Bson::String(text) | Bson::Symbol(text) | Bson::JavaScriptCode(text) => text.len() + 5,
        Bson::Binary(binary) => binary.bytes.len() + 5,
        Bson::Document(document) => {
            let sizes = document
                .iter()
                .map(|(name, value)| name.len() + 2 + size_of(value));
            sizes.sum::<usize>() + 5
        }
        Bson::Array(items) => {
            let sizes = items.iter().map(|item| TYPE_AND_INDEX + size_of(item));
            sizes.sum::<usize>() + 5
        }
        _ => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_cut_by_number_and_by_size() {
        let lengths = |items: &[usize], most| {
            let lengths = parts(items, most, |size| *size).map(<[usize]>::len);
            lengths.collect::<Vec<_>>()
        };
        assert_eq!(lengths(&[1; 5], 2), [2, 2, 1]);
        assert_eq!(lengths(&[BYTES, 1, 1, BYTES / 2, BYTES / 2], 9), [1, 3, 1]);
        assert_eq!(lengths(&[], 2), [0; 0]);
    }
}
