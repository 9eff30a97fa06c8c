//! Fetches the documents of distinct keys: ranges, in parallel outside transactions.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use mongodb::bson::{RawBsonRef, RawDocument, oid::ObjectId};
use serde::de::DeserializeOwned;
use tokio::task::JoinHandle;

use super::{
    joined::index,
    keys::{KeyIndex, SlotNumber},
    raw_keys::each_raw_key,
    request::Request,
};
use crate::{
    codec::{decode, decode_part},
    command::Find,
    error::{Error, Result},
    odm::{Exec, Settings, each_document, join_task},
    projection::without,
};

/// The documents that were found: which keys they answer, in the order of the reply.
pub(crate) struct Fetched<V> {
    pub(crate) documents: Vec<V>,
    /// The key and the document, for every key that a document answers.
    pub(crate) answers: Vec<(SlotNumber, u32)>,
}

impl<V> Fetched<V> {
    pub(crate) const fn none() -> Self {
        Self {
            documents: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// The number of the next document.
    fn next(&self) -> u32 {
        u32::try_from(self.documents.len()).unwrap_or(u32::MAX)
    }

    fn reserve(&mut self, documents: usize) {
        self.documents.reserve(documents);
        self.answers.reserve(documents);
    }

    /// Gives back what was reserved in vain.
    fn shrink(&mut self) {
        let length = self.documents.len();
        if self.documents.capacity() > length + length / 8 {
            self.documents.shrink_to_fit();
        }
    }

    /// Appends what the next range found. As many ranges as are `left` will find about as much, but
    /// no more than one document for each of all keys is counted on: the children of one parent can be
    /// many, and those of the next few.
    fn append(&mut self, mut next: Self, left: usize, keys: SlotNumber) {
        if self.documents.is_empty() && self.answers.is_empty() {
            *self = next;
            let found = self.documents.len();
            let more = (found * left).min(index(keys).saturating_sub(found));
            self.documents.reserve_exact(more);
            self.answers.reserve_exact(more);
            return;
        }
        let offset = u32::try_from(self.documents.len()).unwrap_or(u32::MAX);
        self.documents.append(&mut next.documents);
        self.answers.extend(
            next.answers
                .into_iter()
                .map(|(slot, at)| (slot, at + offset)),
        );
    }
}

/// A range that is being fetched.
type Running<V> = JoinHandle<Result<Fetched<V>>>;

/// Waits for the range that was sent first.
async fn first<V>(tasks: &mut VecDeque<Running<V>>) -> Result<Fetched<V>> {
    match tasks.pop_front() {
        Some(task) => join_task(task.await),
        None => Ok(Fetched::none()),
    }
}

impl Request {
    /// Fetches and decodes the documents of all keys.
    pub(crate) async fn fetch<V>(&self, keys: &Arc<KeyIndex>, exec: &Exec) -> Result<Fetched<V>>
    where
        V: DeserializeOwned + Send + 'static,
    {
        let mut ranges = self.checked_ranges(keys, exec)?;
        tracing::trace!(
            relation = self.relation,
            keys = keys.len(),
            finds = ranges.len(),
            "join"
        );
        match ranges.pop() {
            None => Ok(Fetched::none()),
            Some(range) if ranges.is_empty() => self.run(range, keys, exec).await,
            Some(last) => self.fetch_ranges(ranges, last, keys, exec).await,
        }
    }

    /// Fetches several ranges, each in a task of its own but the last: they encode and decode on
    /// different cores.
    async fn fetch_ranges<V>(
        &self,
        ranges: Vec<Range<SlotNumber>>,
        last: Range<SlotNumber>,
        keys: &Arc<KeyIndex>,
        exec: &Exec,
    ) -> Result<Fetched<V>>
    where
        V: DeserializeOwned + Send + 'static,
    {
        let in_flight = if exec.in_transaction() {
            1
        } else {
            exec.settings().in_flight.max(1)
        };
        let mut left = ranges.len() + 1;
        let mut fetched = Fetched::none();
        let mut take = |next| {
            left -= 1;
            fetched.append(next, left, keys.len());
            check_limit(fetched.documents.len(), exec.settings(), self.relation)
        };
        let mut tasks = VecDeque::with_capacity(in_flight);
        for range in ranges {
            if tasks.len() == in_flight {
                take(first(&mut tasks).await?)?;
            }
            tasks.push_back(self.spawn(range, keys, exec));
        }
        while tasks.len() >= in_flight {
            take(first(&mut tasks).await?)?;
        }
        let request = self.of_range(last.clone(), keys);
        let last = request.run(last, keys, exec).await?;
        while !tasks.is_empty() {
            take(first(&mut tasks).await?)?;
        }
        take(last)?;
        fetched.shrink();
        Ok(fetched)
    }

    /// Fetches one of several ranges in a task of its own.
    fn spawn<V>(&self, range: Range<SlotNumber>, keys: &Arc<KeyIndex>, exec: &Exec) -> Running<V>
    where
        V: DeserializeOwned + Send + 'static,
    {
        let request = self.of_range(range.clone(), keys);
        let (keys, exec) = (Arc::clone(keys), exec.clone());
        tokio::spawn(async move { request.run(range, &keys, &exec).await })
    }

    async fn run<V: DeserializeOwned>(
        &self,
        range: Range<SlotNumber>,
        keys: &KeyIndex,
        exec: &Exec,
    ) -> Result<Fetched<V>> {
        let query = self.query(range, keys);
        let most = most(&query);
        let one_exact = keys.is_one_exact();
        let mut batches = exec.open(query).await?;
        let mut fetched = Fetched::none();
        while let Some(batch) = batches.next().await? {
            let bytes = batch.reply().map_or(0, |reply| reply.as_bytes().len());
            each_document(&batch, |document| {
                if fetched.documents.is_empty() {
                    fetched.reserve(most.min(bytes / document.as_bytes().len().max(1) + 1));
                }
                if one_exact {
                    fetched.answers.push((0, fetched.next()));
                    self.take(document, fetched.answers.len() - 1, &mut fetched)
                } else {
                    self.place(document, keys, &mut fetched)
                }
            })?;
            check_limit(fetched.documents.len(), exec.settings(), self.relation)?;
        }
        fetched.shrink();
        Ok(fetched)
    }

    /// Decodes a document, if it answers one of the keys.
    fn place<V: DeserializeOwned>(
        &self,
        document: &RawDocument,
        keys: &KeyIndex,
        fetched: &mut Fetched<V>,
    ) -> Result<()> {
        let at = fetched.next();
        let before = fetched.answers.len();
        let last = fetched.answers.last().map_or(0, |(slot, _)| *slot);
        if self.path == "_id" && self.range.is_none() {
            // One key, and never an array: the usual case needs none of what follows.
            let id = leading_object_id(document).map(RawBsonRef::ObjectId);
            let id = id.or_else(|| document.get("_id").ok().flatten());
            let slot = id.and_then(|id| keys.get_raw(last, id));
            fetched.answers.extend(slot.map(|slot| (slot, at)));
            return self.take(document, before, fetched);
        }
        each_raw_key(document, &self.path, &mut |key| {
            let in_range = |slot: &_| self.range.as_ref().is_none_or(|range| range.contains(slot));
            if let Some(slot) = keys.get_raw(last, key).filter(in_range) {
                let answered = fetched.answers.get(before..).unwrap_or_default();
                // An array may hold a key twice; the document answers it once.
                if !answered.iter().any(|(other, _)| *other == slot) {
                    fetched.answers.push((slot, at));
                }
            }
        });
        self.take(document, before, fetched)
    }

    /// Decodes a document for the answers from `before` on, if there are any.
    fn take<V: DeserializeOwned>(
        &self,
        document: &RawDocument,
        before: usize,
        fetched: &mut Fetched<V>,
    ) -> Result<()> {
        if fetched.answers.len() > before {
            fetched.documents.push(self.decode(document)?);
        }
        if !self.repeats.is_empty() {
            self.repeat(document, before, fetched)?;
        }
        Ok(())
    }

    /// Decodes a document once more for each further position that wants it.
    fn repeat<V: DeserializeOwned>(
        &self,
        document: &RawDocument,
        before: usize,
        fetched: &mut Fetched<V>,
    ) -> Result<()> {
        let answered: Vec<_> = fetched.answers.drain(before..).collect();
        let mut decoded = answered.first().map(|(_, at)| *at);
        for (slot, _) in answered {
            let wanted = usize::try_from(slot)
                .ok()
                .and_then(|slot| self.repeats.get(slot));
            for _ in 0..wanted.copied().unwrap_or(1) {
                let at = if let Some(at) = decoded.take() {
                    at
                } else {
                    fetched.documents.push(self.decode(document)?);
                    u32::try_from(fetched.documents.len() - 1).unwrap_or(u32::MAX)
                };
                fetched.answers.push((slot, at));
            }
        }
        Ok(())
    }

    /// Returns whether a document has one of the keys, compared as a join compares them.
    pub(crate) fn answers(&self, document: &RawDocument, keys: &KeyIndex) -> bool {
        let mut answers = false;
        each_raw_key(document, &self.path, &mut |key| {
            answers |= keys.get_raw(0, key).is_some();
        });
        answers
    }

    /// Decodes a document without the key that it carries for the join alone.
    pub(crate) fn decode<V: DeserializeOwned>(&self, document: &RawDocument) -> Result<V> {
        match &self.projected.strip {
            None => decode(self.target.collection, document),
            Some(path) => match without(document, path) {
                Some(stripped) => decode_part(self.target.collection, &stripped, document),
                None => decode(self.target.collection, document),
            },
        }
    }
}

/// Returns the id of a document that begins with one, as stored documents do. `get` walks through
/// elements and checks each, which adds up in a large reply.
fn leading_object_id(document: &RawDocument) -> Option<ObjectId> {
    const LENGTH: usize = 4;
    let elements = document.as_bytes().get(LENGTH..)?;
    let id = elements.strip_prefix(b"\x07_id\0")?.first_chunk()?;
    Some(ObjectId::from_bytes(*id))
}

/// How many documents a query finds at most, as far as that is known.
fn most(query: &Find) -> usize {
    let limit = query
        .options
        .limit
        .and_then(|limit| usize::try_from(limit).ok());
    limit.unwrap_or(usize::MAX)
}

pub(crate) fn check_limit(found: usize, settings: &Settings, relation: &str) -> Result<()> {
    match settings.max_documents {
        Some(max) if found > max => Err(Error::Invalid(format!(
            "`{relation}` leads to more than {max} documents, the most that one call may load \
             (`Settings::max_documents`); join fewer owners, filter, or use `limit_each`"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(documents: u32) -> Fetched<u32> {
        Fetched {
            documents: (0..documents).collect(),
            answers: (0..documents).map(|number| (number, number)).collect(),
        }
    }

    #[test]
    fn room_is_made_for_the_ranges_to_come() {
        let mut all = Fetched::none();
        all.append(found(1_000), 3, 4_000);
        assert_eq!(all.documents.capacity(), 4_000);
        all.append(found(1_000), 2, 4_000);
        assert_eq!(all.documents.len(), 2_000);
        assert_eq!(all.answers.last(), Some(&(999, 1_999)));
    }

    #[test]
    fn many_children_of_one_range_make_no_room_for_as_many_in_the_others() {
        let mut all = Fetched::none();
        all.append(found(100_000), 50, 5_100);
        assert!(all.documents.capacity() < 110_000);
    }
}
