//! The documents of an insert that are not stored yet.

use std::collections::{HashSet, VecDeque};

/// How many documents one transaction inserts; more are several transactions, one after the other.
const AT_ONCE: usize = 10_000;

/// The documents that are left, by their positions, and how many of them are sent at once.
#[derive(Debug)]
pub(super) struct Left {
    waiting: VecDeque<usize>,
    /// Documents that are sent when none of the others is left.
    last: Vec<usize>,
    at_once: usize,
    most: usize,
    /// Documents whose unique keys were looked up.
    looked_up: HashSet<usize>,
}

impl Left {
    /// Cuts so many documents into parts; all of them are one part if nothing follows them.
    pub(super) fn new(documents: usize, is_alone: bool) -> Self {
        let most = if is_alone { usize::MAX } else { AT_ONCE };
        Self {
            waiting: (0..documents).collect(),
            last: Vec::new(),
            at_once: most,
            most,
            looked_up: HashSet::new(),
        }
    }

    /// Takes the next part.
    pub(super) fn next(&mut self) -> Option<Vec<usize>> {
        if self.waiting.is_empty() {
            self.waiting.extend(self.last.drain(..));
        }
        let length = self.waiting.len().min(self.at_once);
        (length > 0).then(|| self.waiting.drain(..length).collect())
    }

    /// Notes that a part was stored: the next one may be larger.
    pub(super) fn is_stored(&mut self) {
        self.at_once = self.at_once.saturating_mul(2).min(self.most);
    }

    /// Sends fewer documents at once.
    pub(super) fn send_fewer(&mut self, at_once: usize) {
        self.at_once = at_once.clamp(1, self.most);
    }

    /// Sends as many documents at once as a transaction takes.
    pub(super) fn send_most(&mut self) {
        self.at_once = self.most;
    }

    /// Puts documents back that were not stored.
    pub(super) fn put_back(&mut self, positions: &[usize]) {
        for position in positions.iter().rev() {
            self.waiting.push_front(*position);
        }
    }

    /// Leaves documents until the others are done.
    pub(super) fn put_last(&mut self, positions: impl IntoIterator<Item = usize>) {
        for position in positions {
            self.looked_up.remove(&position);
            self.last.push(position);
        }
    }

    /// Notes that the unique keys of some documents are looked up; returns whether some of them are for the first time.
    pub(super) fn look_up(&mut self, positions: &[usize]) -> bool {
        let known = self.looked_up.len();
        self.looked_up.extend(positions);
        self.looked_up.len() > known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_grow_again_after_they_have_shrunk() {
        let mut left = Left::new(25_000, false);
        let first = left.next().unwrap();
        assert_eq!(first.len(), AT_ONCE);
        left.put_back(&first);
        left.send_fewer(0);
        let mut lengths = Vec::new();
        while let Some(part) = left.next() {
            lengths.push(part.len());
            left.is_stored();
        }
        assert_eq!(lengths[..4], [1, 2, 4, 8]);
        assert_eq!(lengths.iter().sum::<usize>(), 25_000);
        assert!(lengths.iter().all(|length| *length <= AT_ONCE));
    }

    #[test]
    fn documents_without_effects_are_one_part() {
        let mut left = Left::new(25_000, true);
        assert_eq!(left.next().map(|part| part.len()), Some(25_000));
        assert_eq!(left.next(), None);
    }

    #[test]
    fn what_is_left_to_the_end_is_looked_up_once_more() {
        let mut left = Left::new(3, false);
        let part = left.next().unwrap();
        assert!(left.look_up(&part));
        assert!(!left.look_up(&part));
        left.put_last([1]);
        assert!(left.look_up(&[1]));
        assert_eq!(left.next(), Some(vec![1]));
    }
}
