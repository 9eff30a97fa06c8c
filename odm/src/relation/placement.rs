//! Assigns documents to the stored references that contain their keys.

use std::{mem, sync::Arc};

use super::key_number::{KeyNumber, NO_KEY, index};

/// The documents, grouped by key in a single array.
#[derive(Debug)]
pub(crate) struct Groups {
    /// The position in `documents` at which the group of each key starts. The last entry is the end of the last group.
    starts: Vec<u32>,
    documents: Vec<u32>,
}

impl Groups {
    /// Groups documents by key with a counting sort, which keeps their order.
    pub(crate) fn new(keys: KeyNumber, matches: &[(KeyNumber, u32)]) -> Self {
        let mut starts = vec![0_u32; index(keys).saturating_add(1)];
        for (key, _) in matches {
            if let Some(count) = starts.get_mut(index(*key) + 1) {
                *count += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut next = starts.clone();
        let mut documents = vec![0; matches.len()];
        for (key, document) in matches {
            if let Some(at) = next.get_mut(index(*key)) {
                if let Some(place) = documents.get_mut(index(*at)) {
                    *place = *document;
                }
                *at += 1;
            }
        }
        Self { starts, documents }
    }

    /// Returns the documents for a key.
    pub(crate) fn documents(&self, key: KeyNumber) -> &[u32] {
        let (start, end) = (index(key), index(key).saturating_add(1));
        match (self.starts.get(start), self.starts.get(end)) {
            (Some(start), Some(end)) => self
                .documents
                .get(index(*start)..index(*end))
                .unwrap_or_default(),
            _ => &[],
        }
    }

    /// Returns the first key that several documents match, and the number of these documents. A document that was
    /// decoded for several positions is counted once.
    pub(crate) fn ambiguous(&self, repeats: &[u32]) -> Option<(KeyNumber, usize)> {
        let lengths = self.starts.windows(2).map(|bounds| match bounds {
            [start, end] => index(end.saturating_sub(*start)),
            _ => 0,
        });
        let found = (0..).zip(lengths).map(|(key, length)| {
            let wanted = repeats.get(index(key)).copied().unwrap_or(1);
            (key, length / index(wanted).max(1))
        });
        let mut several = found.filter(|(_, found)| *found > 1);
        several.next()
    }
}

/// The content of one reference in an owner.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Position {
    Document(u32),
    Null,
    /// A key without a document.
    Empty(KeyNumber),
}

impl Position {
    /// Returns the document at this position.
    pub(crate) const fn document(self) -> Option<u32> {
        match self {
            Self::Document(document) => Some(document),
            Self::Null | Self::Empty(_) => None,
        }
    }
}

/// Lists the content of each reference of an owner, in the order of the references.
///
/// If a key occurs `m` times, each of its documents was decoded `m` times in a row. The `n`th reference that contains
/// the key gets every `m`th of these decoded documents, starting with the `n`th.
pub(crate) fn in_order(positions: &[KeyNumber], groups: &Groups, repeats: &[u32]) -> Vec<Position> {
    let mut seen = vec![0_usize; repeats.len()];
    let mut places = Vec::with_capacity(positions.len());
    for key in positions {
        let group = groups.documents(*key);
        if group.is_empty() {
            let is_null = *key == NO_KEY;
            places.push(if is_null {
                Position::Null
            } else {
                Position::Empty(*key)
            });
            continue;
        }
        let step = repeats
            .get(index(*key))
            .map_or(1, |wanted| index(*wanted).max(1));
        let seen = seen.get_mut(index(*key));
        let first = seen.map_or(0, |seen| mem::replace(seen, *seen + 1));
        let taken = group.iter().skip(first).step_by(step);
        places.extend(taken.map(|document| Position::Document(*document)));
    }
    places
}

/// Counts how often each key occurs. If every key occurs only once, the result is empty.
pub(crate) fn repeats(positions: &[KeyNumber], keys: KeyNumber) -> Arc<[u32]> {
    let mut repeats = vec![0_u32; index(keys)];
    for key in positions {
        if let Some(count) = repeats.get_mut(index(*key)) {
            *count += 1;
        }
    }
    if repeats.iter().all(|count| *count == 1) {
        Arc::default()
    } else {
        repeats.into()
    }
}

/// Documents that can be moved out in any order. Each document can be moved out only once.
pub(crate) struct TakeOnce<V>(Vec<Option<V>>);

impl<V> TakeOnce<V> {
    pub(crate) fn from(documents: Vec<V>) -> Self {
        Self(documents.into_iter().map(Some).collect())
    }

    pub(crate) fn take(&mut self, document: u32) -> Option<V> {
        self.0.get_mut(index(document))?.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_grouped_by_key_and_keep_their_order() {
        let groups = Groups::new(4, &[(2, 0), (0, 1), (2, 2), (0, 3), (3, 4)]);
        assert_eq!(groups.documents(0), [1, 3]);
        assert_eq!(groups.documents(1), [0; 0]);
        assert_eq!(groups.documents(2), [0, 2]);
        assert_eq!(groups.documents(3), [4]);
        assert_eq!(groups.documents(9), [0; 0]);
        assert_eq!(groups.ambiguous(&[]), Some((0, 2)));
        assert_eq!(groups.ambiguous(&[2, 1, 1, 1]), Some((2, 2)));
        assert_eq!(groups.ambiguous(&[2, 1, 2, 1]), None);
        assert_eq!(Groups::new(2, &[(1, 0), (0, 1)]).ambiguous(&[]), None);
    }

    #[test]
    fn every_position_of_a_key_takes_documents_of_its_own() {
        let positions = [1, NO_KEY, 0, 1, 2];
        let repeats = repeats(&positions, 3);
        assert_eq!(*repeats, [1, 2, 1]);
        // Key 1 has two documents, each decoded twice in a row; key 2 has none.
        let groups = Groups::new(3, &[(1, 0), (1, 1), (1, 2), (1, 3), (0, 4)]);
        let document = Position::Document;
        assert_eq!(
            in_order(&positions, &groups, &repeats),
            [
                document(0),
                document(2),
                Position::Null,
                document(4),
                document(1),
                document(3),
                Position::Empty(2)
            ]
        );
    }

    #[test]
    fn keys_that_are_wanted_once_need_no_count() {
        assert!(repeats(&[1, NO_KEY, 0], 2).is_empty());
    }
}
