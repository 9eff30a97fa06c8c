//! The documents in the server's replies to the `find`s of a join, and the keys that these documents match.

use std::{
    collections::VecDeque,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use mongodb::bson::RawDocument;

use super::{
    key_number::{KeyNumber, index},
    placement::TakeOnce,
    request::Request,
};
use crate::{error::Result, value::decode::Decode};

/// The matches between documents and keys, for one range or for all ranges, in the order of the server's replies.
#[derive(Debug, Default)]
pub(crate) struct KeyMatches {
    /// One entry for each match: the number of the key and the index of the document.
    pub(crate) pairs: Vec<(KeyNumber, u32)>,
    pub(crate) documents: u32,
}

impl KeyMatches {
    /// Appends the matches of the next range.
    pub(super) fn append(&mut self, mut next: Self, left: usize, keys: KeyNumber) {
        for (_, document) in &mut next.pairs {
            *document += self.documents;
        }
        self.documents += next.documents;
        append(&mut self.pairs, next.pairs, left, keys);
    }

    pub(super) fn shrink(&mut self) {
        shrink(&mut self.pairs);
    }
}

/// Receives the documents of one range.
pub(super) trait Sink: Send {
    /// Reserves memory for more documents.
    fn reserve(&mut self, documents: usize);

    /// Decodes and stores a document.
    fn push(&mut self, request: &Request, document: &RawDocument) -> Result<()>;
}

/// A sink that the caller shares with the task that fills it.
pub(super) type SharedSink = Arc<Mutex<dyn Sink>>;

/// Receives the documents of all ranges, in the order of the ranges.
pub(super) trait Store: Send {
    /// Opens a sink for the next range.
    fn open(&mut self) -> SharedSink;

    /// Moves the documents out of the oldest open sink. `left` is the number of ranges that follow.
    fn close(&mut self, left: usize, keys: KeyNumber);
}

/// The decoded documents of all ranges.
pub(super) struct Decoded<V> {
    decode: Decode<V>,
    all: Vec<V>,
    open: VecDeque<Arc<Mutex<Range<V>>>>,
}

struct Range<V> {
    decode: Decode<V>,
    documents: Vec<V>,
}

impl<V> Decoded<V> {
    pub(super) const fn new(decode: Decode<V>) -> Self {
        Self {
            decode,
            all: Vec::new(),
            open: VecDeque::new(),
        }
    }

    pub(super) fn finish(mut self) -> Vec<V> {
        shrink(&mut self.all);
        self.all
    }

    /// Returns the documents that `order` lists, in that order, or all documents in the order of the server's replies
    /// if `order` is `None`.
    pub(super) fn in_order(self, order: Option<Vec<u32>>) -> Vec<V> {
        let all = self.finish();
        let Some(order) = order else {
            return all;
        };
        let mut all = TakeOnce::from(all);
        order.into_iter().filter_map(|at| all.take(at)).collect()
    }
}

impl<V: Send + 'static> Store for Decoded<V> {
    fn open(&mut self) -> SharedSink {
        let range = Arc::new(Mutex::new(Range {
            decode: self.decode,
            documents: Vec::new(),
        }));
        self.open.push_back(Arc::clone(&range));
        range
    }

    fn close(&mut self, left: usize, keys: KeyNumber) {
        if let Some(range) = self.open.pop_front() {
            let documents = mem::take(&mut lock(&range).documents);
            append(&mut self.all, documents, left, keys);
        }
    }
}

impl<V: Send> Sink for Range<V> {
    fn reserve(&mut self, documents: usize) {
        self.documents.reserve(documents);
    }

    fn push(&mut self, request: &Request, document: &RawDocument) -> Result<()> {
        self.documents.push(request.decode(self.decode, document)?);
        Ok(())
    }
}

/// Locks a sink. Locking never blocks, because only one task fills a sink, and the documents are moved out after that
/// task has ended.
pub(super) fn lock<S: ?Sized>(sink: &Mutex<S>) -> MutexGuard<'_, S> {
    sink.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Appends the documents of the next range, and reserves memory for the `left` ranges after it.
///
/// The following ranges probably have as many documents as this one. But memory is reserved for at most one document
/// per key, because one parent can have many children while the next parents have only a few.
fn append<I>(all: &mut Vec<I>, mut next: Vec<I>, left: usize, keys: KeyNumber) {
    if !all.is_empty() {
        all.append(&mut next);
        return;
    }
    *all = next;
    let more = (all.len() * left).min(index(keys).saturating_sub(all.len()));
    all.reserve_exact(more);
}

/// Releases memory that was reserved but not needed.
fn shrink<I>(all: &mut Vec<I>) {
    if all.capacity() > all.len() + all.len() / 8 {
        all.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(documents: u32) -> KeyMatches {
        KeyMatches {
            pairs: (0..documents).map(|number| (number, number)).collect(),
            documents,
        }
    }

    #[test]
    fn room_is_made_for_the_ranges_to_come() {
        let mut all = KeyMatches::default();
        all.append(found(1_000), 3, 4_000);
        assert_eq!(all.pairs.capacity(), 4_000);
        all.append(found(1_000), 2, 4_000);
        assert_eq!(all.documents, 2_000);
        assert_eq!(all.pairs.last(), Some(&(999, 1_999)));
    }

    #[test]
    fn many_children_of_one_range_make_no_room_for_as_many_in_the_others() {
        let mut all = KeyMatches::default();
        all.append(found(100_000), 50, 5_100);
        assert!(all.pairs.capacity() < 110_000);
    }
}
