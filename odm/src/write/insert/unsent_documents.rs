//! The documents of an insert that are not stored yet, and the number of documents that are sent at once.

use std::collections::{HashSet, VecDeque};

use crate::{batches::BatchSize, client::command::INSERT_BYTES};

/// The positions of the documents that are not stored yet, and the number of documents that are sent at once.
#[derive(Debug)]
pub(super) struct UnsentDocuments {
    waiting: VecDeque<usize>,
    /// The sizes of all documents, in bytes.
    sizes: Vec<usize>,
    /// Documents that are sent after all other documents.
    last: Vec<usize>,
    size: BatchSize,
    /// Documents for which the unique keys were looked up.
    looked_up: HashSet<usize>,
}

impl UnsentDocuments {
    /// Creates the queue for documents of the given sizes. Each part has at most `most` documents.
    pub(super) fn new(sizes: Vec<usize>, most: usize) -> Self {
        Self {
            waiting: (0..sizes.len()).collect(),
            sizes,
            last: Vec::new(),
            size: BatchSize::new(most),
            looked_up: HashSet::new(),
        }
    }

    /// Removes and returns the next part.
    pub(super) fn next(&mut self) -> Option<Vec<usize>> {
        if self.waiting.is_empty() {
            self.waiting.extend(self.last.drain(..));
        }
        let mut bytes = 0;
        let fits = self.waiting.iter().take(self.size.get());
        let fits = fits.take_while(|at| {
            bytes += self.sizes.get(**at).copied().unwrap_or_default();
            bytes <= INSERT_BYTES
        });
        // A document that is too large for any command gets a part of its own.
        let length = fits.count().max(1).min(self.waiting.len());
        (length > 0).then(|| self.waiting.drain(..length).collect())
    }

    /// Whether all documents have been sent.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.last.is_empty()
    }

    /// Returns a mutable reference to the size of the parts.
    pub(super) const fn size(&mut self) -> &mut BatchSize {
        &mut self.size
    }

    /// Puts documents that were not stored back at the front of the queue.
    pub(super) fn put_back(&mut self, positions: &[usize]) {
        for position in positions.iter().rev() {
            self.waiting.push_front(*position);
        }
    }

    /// Queues documents after all other documents.
    pub(super) fn put_last(&mut self, positions: impl IntoIterator<Item = usize>) {
        for position in positions {
            self.looked_up.remove(&position);
            self.last.push(position);
        }
    }

    /// Records that the unique keys of some documents are being looked up. Returns whether one of them is looked up for
    /// the first time.
    pub(super) fn look_up(&mut self, positions: &[usize]) -> bool {
        let known = self.looked_up.len();
        self.looked_up.extend(positions);
        self.looked_up.len() > known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_ONCE: usize = 10_000;

    #[test]
    fn parts_grow_again_after_they_have_shrunk() {
        let mut left = UnsentDocuments::new(vec![9; 25_000], AT_ONCE);
        let first = left.next().unwrap();
        assert_eq!(first.len(), AT_ONCE);
        left.put_back(&first);
        left.size().set(1);
        let mut lengths = Vec::new();
        while let Some(part) = left.next() {
            lengths.push(part.len());
            left.size().grow();
        }
        assert_eq!(lengths[..4], [1, 2, 4, 8]);
        assert_eq!(lengths.iter().sum::<usize>(), 25_000);
        assert!(lengths.iter().all(|length| *length <= AT_ONCE));
    }

    #[test]
    fn documents_without_effects_are_one_part() {
        let mut left = UnsentDocuments::new(vec![9; 25_000], usize::MAX);
        assert_eq!(left.next().map(|part| part.len()), Some(25_000));
        assert!(left.is_empty());
        assert_eq!(left.next(), None);
    }

    #[test]
    fn a_part_fits_into_one_message() {
        let sizes = vec![INSERT_BYTES / 2, INSERT_BYTES / 2, 1, 2 * INSERT_BYTES, 1];
        let mut left = UnsentDocuments::new(sizes, AT_ONCE);
        let parts: Vec<Vec<usize>> = std::iter::from_fn(|| left.next()).collect();
        assert_eq!(parts, [vec![0, 1], vec![2], vec![3], vec![4]]);
    }

    #[test]
    fn what_is_left_to_the_end_is_looked_up_once_more() {
        let mut left = UnsentDocuments::new(vec![9; 3], AT_ONCE);
        let part = left.next().unwrap();
        assert!(left.look_up(&part));
        assert!(!left.look_up(&part));
        left.put_last([1]);
        assert!(left.look_up(&[1]));
        assert_eq!(left.next(), Some(vec![1]));
    }
}
