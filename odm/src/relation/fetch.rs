//! Fetches the documents of distinct keys: ranges, in parallel outside transactions.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use mongodb::bson::{RawBsonRef, RawDocument, oid::ObjectId};
use tokio::task::JoinHandle;

use super::{
    fetched_documents::{Answers, SharedSink, Sink, Store, lock},
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

/// A range that is being fetched.
type RunningRange = JoinHandle<Result<Answers>>;

/// Waits for the range that was sent first.
async fn first(tasks: &mut VecDeque<RunningRange>) -> Result<Answers> {
    match tasks.pop_front() {
        Some(task) => join_task(task.await),
        None => Ok(Answers::default()),
    }
}

impl Request {
    /// Fetches the documents of all keys into a store.
    pub(super) async fn fetch(
        &self,
        keys: &Arc<KeyIndex>,
        exec: &Exec,
        store: &mut dyn Store,
    ) -> Result<Answers> {
        let mut ranges = self.checked_ranges(keys, exec)?;
        tracing::trace!(
            relation = self.relation,
            keys = keys.len(),
            finds = ranges.len(),
            "join"
        );
        match ranges.pop() {
            None => Ok(Answers::default()),
            Some(range) if ranges.is_empty() => {
                let answers = self.run(range, keys, exec, store.open()).await?;
                store.close(0, keys.len());
                Ok(answers)
            }
            Some(last) => self.fetch_ranges(ranges, last, keys, exec, store).await,
        }
    }

    /// Fetches several ranges, each in a task of its own but the last: they encode and decode on
    /// different cores.
    async fn fetch_ranges(
        &self,
        ranges: Vec<Range<KeyNumber>>,
        last: Range<KeyNumber>,
        keys: &Arc<KeyIndex>,
        exec: &Exec,
        store: &mut dyn Store,
    ) -> Result<Answers> {
        exec.refuse_within_run()?;
        let in_flight = if exec.in_transaction() {
            1
        } else {
            exec.settings().in_flight.max(1)
        };
        let mut left = ranges.len() + 1;
        let mut answers = Answers::default();
        let mut take = |next, store: &mut dyn Store| {
            left -= 1;
            store.close(left, keys.len());
            answers.append(next, left, keys.len());
            self.check_limit(answers.documents, exec.settings())
        };
        let mut tasks = VecDeque::with_capacity(in_flight);
        for range in ranges {
            if tasks.len() == in_flight {
                take(first(&mut tasks).await?, store)?;
            }
            tasks.push_back(self.spawn(range, keys, exec, store.open()));
        }
        while tasks.len() >= in_flight {
            take(first(&mut tasks).await?, store)?;
        }
        let request = self.of_range(last.clone(), keys);
        let last = request.run(last, keys, exec, store.open()).await?;
        while !tasks.is_empty() {
            take(first(&mut tasks).await?, store)?;
        }
        take(last, store)?;
        answers.shrink();
        Ok(answers)
    }

    /// Fetches one of several ranges in a task of its own.
    fn spawn(
        &self,
        range: Range<KeyNumber>,
        keys: &Arc<KeyIndex>,
        exec: &Exec,
        sink: SharedSink,
    ) -> RunningRange {
        let request = self.of_range(range.clone(), keys);
        let (keys, exec) = (Arc::clone(keys), exec.clone());
        let range = async move { request.run(range, &keys, &exec, sink).await };
        tokio::spawn(in_caller_context(range))
    }

    async fn run(
        &self,
        range: Range<KeyNumber>,
        keys: &KeyIndex,
        exec: &Exec,
        sink: SharedSink,
    ) -> Result<Answers> {
        let query = self.query(range.clone(), keys);
        let most = most(&query);
        let query = (!self.tells_keys(keys)).then_some(query);
        let one_exact = keys.is_one_exact();
        let tells_keys = query.is_none();
        let mut batches = match query {
            Some(query) => exec.open(query).await?,
            None => exec.open(self.matched(range, keys)).await?,
        };
        let mut answers = Answers::default();
        while let Some(batch) = batches.next().await? {
            let bytes = batch.reply().map_or(0, |reply| reply.as_bytes().len());
            let sink = &mut *lock(&sink);
            each_document(&batch, |document| {
                if answers.documents == 0 {
                    let likely = most.min(bytes / document.as_bytes().len().max(1) + 1);
                    sink.reserve(likely);
                    answers.pairs.reserve(likely);
                }
                if tells_keys {
                    self.place_matched(document, keys, &mut answers, sink)
                } else if one_exact {
                    answers.pairs.push((0, answers.documents));
                    self.take(document, answers.pairs.len() - 1, &mut answers, sink)
                } else {
                    self.place(document, keys, &mut answers, sink)
                }
            })?;
            self.check_limit(answers.documents, exec.settings())?;
        }
        answers.shrink();
        Ok(answers)
    }

    /// Takes a document, if it answers one of the keys.
    fn place(
        &self,
        document: &RawDocument,
        keys: &KeyIndex,
        answers: &mut Answers,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let at = answers.documents;
        let before = answers.pairs.len();
        let last = answers.pairs.last().map_or(0, |(key, _)| *key);
        if self.path == "_id" && self.range.is_none() {
            // One key, and never an array: the usual case needs none of what follows.
            let id = leading_object_id(document).map(RawBsonRef::ObjectId);
            let id = id.or_else(|| document.get("_id").ok().flatten());
            let key = id.and_then(|id| keys.get_raw(last, id));
            answers.pairs.extend(key.map(|key| (key, at)));
            return self.take(document, before, answers, sink);
        }
        self.answer(document, &self.path, keys, answers);
        self.take(document, before, answers, sink)
    }

    /// Takes a document that comes with the keys of its elements that match.
    fn place_matched(
        &self,
        pair: &RawDocument,
        keys: &KeyIndex,
        answers: &mut Answers,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let Ok(Some(RawBsonRef::Document(document))) = pair.get("d") else {
            return Ok(());
        };
        let before = answers.pairs.len();
        self.answer(pair, "k", keys, answers);
        self.take(document, before, answers, sink)
    }

    /// Notes which of the keys the next document answers.
    fn answer(&self, keyed: &RawDocument, path: &str, keys: &KeyIndex, answers: &mut Answers) {
        let (before, at) = (answers.pairs.len(), answers.documents);
        let last = answers.pairs.last().map_or(0, |(key, _)| *key);
        each_raw_value(keyed, path, &mut |key| {
            let in_range = |key: &_| self.range.as_ref().is_none_or(|range| range.contains(key));
            if let Some(key) = keys.get_raw(last, key).filter(in_range) {
                let answered = answers.pairs.get(before..).unwrap_or_default();
                // An array may hold a key twice; the document answers it once.
                if !answered.iter().any(|(other, _)| *other == key) {
                    answers.pairs.push((key, at));
                }
            }
        });
    }

    /// Takes a document for the answers from `before` on, if there are any.
    fn take(
        &self,
        document: &RawDocument,
        before: usize,
        answers: &mut Answers,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        if answers.pairs.len() == before {
            return Ok(());
        }
        sink.push(self, document)?;
        answers.documents += 1;
        if self.repeats.is_empty() {
            return Ok(());
        }
        self.repeat(document, before, answers, sink)
    }

    /// Takes a document once more for each further position that wants it.
    fn repeat(
        &self,
        document: &RawDocument,
        before: usize,
        answers: &mut Answers,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let answered: Vec<_> = answers.pairs.drain(before..).collect();
        let mut taken = answered.first().map(|(_, at)| *at);
        for (key, _) in answered {
            let wanted = self.repeats.get(index(key));
            for _ in 0..wanted.copied().unwrap_or(1) {
                let at = if let Some(at) = taken.take() {
                    at
                } else {
                    sink.push(self, document)?;
                    answers.documents += 1;
                    answers.documents - 1
                };
                answers.pairs.push((key, at));
            }
        }
        Ok(())
    }

    /// Returns whether a document has one of the keys, compared as a join compares them.
    pub(super) fn answers(&self, document: &RawDocument, keys: &KeyIndex) -> bool {
        let mut answers = false;
        each_raw_value(document, &self.path, &mut |key| {
            answers |= keys.get_raw(0, key).is_some();
        });
        answers
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
fn most(query: &FindCommand) -> usize {
    let limit = query.options.limit;
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    limit.unwrap_or(usize::MAX)
}

impl Request {
    /// Refuses more documents than one call may load.
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
