//! Divides values into batches that each fit into one statement, and divides the batches that the server rejects.
//!
//! [`BatchSize`] sets the size of all batches of independent items: the batches of jobs, delete rules, deltas, inserts,
//! checks and walks. `value::codec::decode_error_path` does not use `BatchSize`: that module halves a document in
//! memory to find an invalid element, and an element can depend on the preceding elements.

use mongodb::bson::Bson;

/// The largest size of a statement in bytes, which is half of the server's limit.
const BYTES: usize = 8 << 20;

/// The approximate size of an array element without its value, in bytes. BSON stores the type of each array element,
/// and its index as text.
const TYPE_AND_INDEX: usize = 8;

/// Divides items into batches that each contain at most `most` items and fit into one statement. An item that is too
/// large for any statement gets a batch of its own.
pub fn parts<T>(
    items: &[T],
    most: usize,
    size: impl Fn(&T) -> usize,
) -> impl Iterator<Item = &[T]> {
    parts_of(items, most, BYTES, size)
}

/// Divides items into batches that each contain at most `most` items and at most `most_bytes` bytes.
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

/// The number of items in a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchSize {
    now: usize,
    most: usize,
}

impl BatchSize {
    pub(crate) const fn new(most: usize) -> Self {
        Self { now: most, most }
    }

    pub(crate) const fn get(self) -> usize {
        self.now
    }

    /// Divides items into the next batch and the rest.
    pub(crate) fn split<T>(self, items: &[T]) -> (&[T], &[T]) {
        items.split_at(self.now.min(items.len()))
    }

    /// Sets the size, limited to the range from 1 to the largest size.
    pub(crate) fn set(&mut self, size: usize) {
        self.now = size.min(self.most).max(1);
    }

    /// Limits the current size and all later sizes to `most`.
    pub(crate) fn limit(&mut self, most: usize) {
        self.most = self.most.min(most);
        self.set(self.now);
    }

    /// Doubles the size after a batch was stored.
    pub(crate) fn grow(&mut self) {
        self.set(self.now.saturating_mul(2));
    }

    /// Halves the size after a batch was rejected because of one of its items. Returns `false` if the batch contained
    /// only this item. The caller then skips the item.
    pub(crate) fn halve(&mut self, sent: usize) -> bool {
        self.set(sent / 2);
        sent > 1
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

    #[test]
    fn a_rejected_batch_is_halved_until_only_the_failing_item_is_left() {
        let items: Vec<usize> = (0..9).collect();
        let (mut left, mut size) = (items.as_slice(), BatchSize::new(items.len()));
        let (mut lengths, mut skipped) = (Vec::new(), Vec::<usize>::new());
        while !left.is_empty() {
            let (now, rest) = size.split(left);
            lengths.push(now.len());
            if !now.contains(&2) {
                size.grow();
            } else if size.halve(now.len()) {
                continue;
            } else {
                skipped.extend(now);
            }
            left = rest;
        }
        assert_eq!(skipped, [2]);
        assert_eq!(lengths, [9, 4, 2, 4, 2, 1, 1, 2, 3]);
    }
}
