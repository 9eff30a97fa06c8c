//! The documents of an insert that are not stored yet, and the number of documents that are sent at once.

use std::collections::{HashSet, VecDeque};

use crate::batches::BatchSize;

/// The positions of the documents that are not stored yet, and the number of documents that are sent at once.
#[derive(Debug)]
pub(super) struct UnsentDocuments {
    waiting: VecDeque<usize>,
    /// Documents that are sent after all others.
    last: Vec<usize>,
    size: BatchSize,
    /// Documents for which the unique keys were looked up.
    looked_up: HashSet<usize>,
}

impl UnsentDocuments {
    /// Creates the queue for the given number of documents. Each part has at most `most` documents.
    pub(super) fn new(documents: usize, most: usize) -> Self {
        Self {
            waiting: (0..documents).collect(),
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
        let length = self.waiting.len().min(self.size.get());
        (length > 0).then(|| self.waiting.drain(..length).collect())
    }

    /// Returns a mutable reference to the size of the parts.
    pub(super) const fn size(&mut self) -> &mut BatchSize {
        &mut self.size
    }

    /// Puts back documents that were not stored.
    pub(super) fn put_back(&mut self, positions: &[usize]) {
        for position in positions.iter().rev() {
            self.waiting.push_front(*position);
        }
    }

    /// Queues documents behind all others.
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
        let mut left = UnsentDocuments::new(25_000, AT_ONCE);
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
        let mut left = UnsentDocuments::new(25_000, usize::MAX);
        assert_eq!(left.next().map(|part| part.len()), Some(25_000));
        assert_eq!(left.next(), None);
    }

    #[test]
    fn what_is_left_to_the_end_is_looked_up_once_more() {
        let mut left = UnsentDocuments::new(3, AT_ONCE);
        let part = left.next().unwrap();
        assert!(left.look_up(&part));
        assert!(!left.look_up(&part));
        left.put_last([1]);
        assert!(left.look_up(&[1]));
        assert_eq!(left.next(), Some(vec![1]));
    }
}
