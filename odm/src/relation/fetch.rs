//! Fetches the documents for distinct keys. Outside transactions, several ranges of keys are fetched at the same time.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use mongodb::bson::{RawBsonRef, RawDocument, oid::ObjectId};
use tokio_util::task::AbortOnDropHandle;

use super::{
    fetched_documents::{KeyMatches, SharedSink, Sink, Store, lock},
    key_index::KeyIndex,
    key_number::{KeyNumber, index},
    request::Request,
};
use crate::{
    client::{
        command::FindCommand,
        odm::{Exec, Settings, each_document, in_caller_context, join_task},
    },
    error::{Error, Result},
    value::path::each_raw_value,
};

/// A range of keys that is being fetched. The fetch is cancelled if the call ends early.
type RunningRange = AbortOnDropHandle<Result<KeyMatches>>;

/// Waits for the oldest running range, and returns its matches.
async fn oldest_range(tasks: &mut VecDeque<RunningRange>) -> Result<KeyMatches> {
    match tasks.pop_front() {
        Some(task) => join_task(task.await),
        None => Ok(KeyMatches::default()),
    }
}

impl Request {
    /// Fetches the documents for all keys, and passes the documents to a store.
    pub(super) async fn fetch(
        &self,
        keys: &Arc<KeyIndex>,
        exec: &Exec,
        store: &mut dyn Store,
    ) -> Result<KeyMatches> {
        let mut ranges = self.checked_ranges(keys, exec)?;
        tracing::trace!(
            relation = self.relation,
            keys = keys.len(),
            finds = ranges.len(),
            "join"
        );
        match ranges.pop() {
            None => Ok(KeyMatches::default()),
            Some(range) if ranges.is_empty() => {
                let matches = self.run(range, keys, exec, store.open()).await?;
                store.close(0, keys.len());
                Ok(matches)
            }
            Some(last) => self.fetch_ranges(ranges, last, keys, exec, store).await,
        }
    }

    /// Fetches several ranges. Every range except the last is fetched in a separate task, so that encoding and decoding
    /// use different cores.
    async fn fetch_ranges(
        &self,
        ranges: Vec<Range<KeyNumber>>,
        last: Range<KeyNumber>,
        keys: &Arc<KeyIndex>,
        exec: &Exec,
        store: &mut dyn Store,
    ) -> Result<KeyMatches> {
        exec.refuse_within_run()?;
        let in_flight = if exec.in_transaction() {
            1
        } else {
            exec.settings().in_flight.max(1)
        };
        let mut left = ranges.len() + 1;
        let mut matches = KeyMatches::default();
        let mut take = |next, store: &mut dyn Store| {
            left -= 1;
            store.close(left, keys.len());
            matches.append(next, left, keys.len());
            self.check_limit(matches.documents, exec.settings())
        };
        let mut tasks = VecDeque::new();
        for range in ranges {
            if tasks.len() == in_flight {
                take(oldest_range(&mut tasks).await?, store)?;
            }
            tasks.push_back(self.spawn(range, keys, exec, store.open()));
        }
        while tasks.len() >= in_flight {
            take(oldest_range(&mut tasks).await?, store)?;
        }
        let request = self.for_range(last.clone(), keys);
        let last = request.run(last, keys, exec, store.open()).await?;
        while !tasks.is_empty() {
            take(oldest_range(&mut tasks).await?, store)?;
        }
        take(last, store)?;
        matches.shrink();
        Ok(matches)
    }

    /// Fetches one of several ranges in a separate task.
    fn spawn(
        &self,
        range: Range<KeyNumber>,
        keys: &Arc<KeyIndex>,
        exec: &Exec,
        sink: SharedSink,
    ) -> RunningRange {
        let request = self.for_range(range.clone(), keys);
        let (keys, exec) = (Arc::clone(keys), exec.clone());
        let range = async move { request.run(range, &keys, &exec, sink).await };
        AbortOnDropHandle::new(tokio::spawn(in_caller_context(range)))
    }

    async fn run(
        &self,
        range: Range<KeyNumber>,
        keys: &KeyIndex,
        exec: &Exec,
        sink: SharedSink,
    ) -> Result<KeyMatches> {
        let query = self.query(range.clone(), keys);
        let most = most_documents(&query);
        let query = (!self.returns_keys(keys)).then_some(query);
        let single_exact_key = keys.is_single_exact_key();
        let returns_keys = query.is_none();
        let mut batches = match query {
            Some(query) => exec.open(query).await?,
            None => exec.open(self.matched_aggregation(range, keys)).await?,
        };
        let mut matches = KeyMatches::default();
        while let Some(batch) = batches.next().await? {
            let bytes = batch.reply().map_or(0, |reply| reply.as_bytes().len());
            let sink = &mut *lock(&sink);
            each_document(&batch, |document| {
                if matches.documents == 0 {
                    let likely = most.min(bytes / document.as_bytes().len().max(1) + 1);
                    sink.reserve(likely);
                    matches.pairs.reserve(likely);
                }
                if returns_keys {
                    self.place_matched(document, keys, &mut matches, sink)
                } else if single_exact_key {
                    matches.pairs.push((0, matches.documents));
                    self.decode_matched(document, matches.pairs.len() - 1, &mut matches, sink)
                } else {
                    self.place(document, keys, &mut matches, sink)
                }
            })?;
            self.check_limit(matches.documents, exec.settings())?;
        }
        matches.shrink();
        Ok(matches)
    }

    /// Decodes a document if it contains one of the requested keys.
    fn place(
        &self,
        document: &RawDocument,
        keys: &KeyIndex,
        matches: &mut KeyMatches,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let at = matches.documents;
        let before = matches.pairs.len();
        let last = matches.pairs.last().map_or(0, |(key, _)| *key);
        if self.path == "_id" && self.range.is_none() {
            // An `_id` is a single key and never an array, so this common case skips the search below.
            let id = leading_object_id(document).map(RawBsonRef::ObjectId);
            let id = id.or_else(|| document.get("_id").ok().flatten());
            let key = id.and_then(|id| keys.get_raw(last, id));
            matches.pairs.extend(key.map(|key| (key, at)));
            return self.decode_matched(document, before, matches, sink);
        }
        self.match_keys(document, &self.path, keys, matches);
        self.decode_matched(document, before, matches, sink)
    }

    /// Decodes a document that the server returned together with the keys of its matching elements.
    fn place_matched(
        &self,
        pair: &RawDocument,
        keys: &KeyIndex,
        matches: &mut KeyMatches,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let Ok(Some(RawBsonRef::Document(document))) = pair.get("d") else {
            return Ok(());
        };
        let before = matches.pairs.len();
        self.match_keys(pair, "k", keys, matches);
        self.decode_matched(document, before, matches, sink)
    }

    /// Records the requested keys that `keyed` contains at `path`, as keys of the document that is decoded next.
    fn match_keys(
        &self,
        keyed: &RawDocument,
        path: &str,
        keys: &KeyIndex,
        matches: &mut KeyMatches,
    ) {
        let (before, at) = (matches.pairs.len(), matches.documents);
        let last = matches.pairs.last().map_or(0, |(key, _)| *key);
        each_raw_value(keyed, path, &mut |key| {
            let in_range = |key: &_| self.range.as_ref().is_none_or(|range| range.contains(key));
            if let Some(key) = keys.get_raw(last, key).filter(in_range) {
                let pairs = matches.pairs.get(before..).unwrap_or_default();
                // An array can contain a key twice, but the document counts only once for that key.
                if !pairs.iter().any(|(other, _)| *other == key) {
                    matches.pairs.push((key, at));
                }
            }
        });
    }

    /// Decodes a document if it matches a key. The matches of this document start at position `before`.
    fn decode_matched(
        &self,
        document: &RawDocument,
        before: usize,
        matches: &mut KeyMatches,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        if matches.pairs.len() == before {
            return Ok(());
        }
        sink.push(self, document)?;
        matches.documents += 1;
        if self.repeats.is_empty() {
            return Ok(());
        }
        self.repeat(document, before, matches, sink)
    }

    /// Decodes a document once more for each additional reference to this document.
    fn repeat(
        &self,
        document: &RawDocument,
        before: usize,
        matches: &mut KeyMatches,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let pairs: Vec<_> = matches.pairs.drain(before..).collect();
        let mut taken = pairs.first().map(|(_, at)| *at);
        for (key, _) in pairs {
            let wanted = self.repeats.get(index(key));
            for _ in 0..wanted.copied().unwrap_or(1) {
                let at = if let Some(at) = taken.take() {
                    at
                } else {
                    sink.push(self, document)?;
                    matches.documents += 1;
                    matches.documents - 1
                };
                matches.pairs.push((key, at));
            }
        }
        Ok(())
    }

    /// Returns whether a document contains one of the keys. Keys are compared in the same way as in a join.
    pub(super) fn has_any_key(&self, document: &RawDocument, keys: &KeyIndex) -> bool {
        let mut matches = false;
        each_raw_value(document, &self.path, &mut |key| {
            matches |= keys.get_raw(0, key).is_some();
        });
        matches
    }
}

/// Returns the `_id` if the document begins with an `_id` that is an object id, as most stored documents do. In
/// contrast, `RawDocument::get` validates every element that precedes the field, which is slow for a large reply.
fn leading_object_id(document: &RawDocument) -> Option<ObjectId> {
    const LENGTH: usize = 4;
    let elements = document.as_bytes().get(LENGTH..)?;
    let id = elements.strip_prefix(b"\x07_id\0")?.first_chunk()?;
    Some(ObjectId::from_bytes(*id))
}

/// Returns the limit of a query, or the largest possible number if the query is not limited.
fn most_documents(query: &FindCommand) -> usize {
    let limit = query.options.limit;
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    limit.unwrap_or(usize::MAX)
}

impl Request {
    /// Fails if the call has found more documents than `Settings::max_documents` allows.
    pub(super) fn check_limit(&self, found: u32, settings: &Settings) -> Result<()> {
        match settings.max_documents {
            Some(max) if index(found) > max => Err(Error::TooManyDocuments {
                relation: self.relation.to_owned(),
                model: self.target.name,
                collection: self.target.collection,
                max,
            }),
            _ => Ok(()),
        }
    }
}
