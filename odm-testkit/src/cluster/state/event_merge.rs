//! The events of a change stream that the shards have returned, and their order.

use mongodb::bson::{Bson, Document};

use crate::cluster::{
    link::role::Role,
    message::reply::{documents_of, number_of},
};

/// A change stream of a client.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub(crate) db: String,
    pub(crate) collection: String,
    /// The token after which the stream starts. The shards return the event with this token again, and the front skips
    /// it.
    pub(crate) after: Option<String>,
    /// Whether events of updates contain the whole document (`updateLookup`).
    pub(crate) looks_up: bool,
    pub(crate) images: Images,
    /// The stages that the front applies after it has merged the events and added the documents.
    pub(crate) rest: Vec<Document>,
    pub(crate) parts: Vec<Part>,
}

/// The stream on one shard.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) shard: Role,
    pub(crate) cursor: i64,
    /// Events that cannot be returned yet, with their tokens.
    events: Vec<(String, Document)>,
    /// The shard has returned all events up to this token.
    seen: String,
}

impl Stream {
    fn seen_by_all(&self) -> &str {
        self.parts
            .iter()
            .map(|part| part.seen.as_str())
            .min()
            .unwrap_or_default()
    }

    pub(crate) fn has_events(&self) -> bool {
        let seen = self.seen_by_all();
        let mut events = self.parts.iter().flat_map(|part| &part.events);
        events.any(|(token, _)| token.as_str() <= seen && Some(token) != self.after.as_ref())
    }

    /// Returns the shards that have not yet returned all events up to the newest one.
    pub(crate) fn lagging(&self) -> Vec<Role> {
        let events = self.parts.iter().flat_map(|part| &part.events);
        let newest = events.map(|(token, _)| token).max();
        let parts = self.parts.iter();
        parts
            .filter(|part| newest.is_some_and(|token| part.seen < *token))
            .map(|part| part.shard)
            .collect()
    }

    /// Removes and returns, in their order, the events that can be returned. Also returns the token after which the
    /// stream continues.
    pub(crate) fn take(&mut self, size: usize) -> (Vec<Document>, String) {
        let seen = self.seen_by_all().to_owned();
        let mut ready = Vec::new();
        for part in &mut self.parts {
            let (now, later) = part.events.drain(..).partition(|(token, _)| *token <= seen);
            let now: Vec<(String, Document)> = now;
            part.events = later;
            ready.extend(now.into_iter().map(|event| (event, part.shard)));
        }
        ready.sort_by(|((left, _), _), ((right, _), _)| left.cmp(right));
        ready.retain(|((token, _), _)| Some(token) != self.after.as_ref());
        let rest = ready.split_off(size.min(ready.len()));
        let last = ready.last().map(|((token, _), _)| token.clone());
        let token = if rest.is_empty() {
            seen
        } else {
            last.or(self.after.clone()).unwrap_or_default()
        };
        for (event, shard) in rest.into_iter().rev() {
            if let Some(part) = self.parts.iter_mut().find(|part| part.shard == shard) {
                part.events.insert(0, event);
            }
        }
        (
            ready.into_iter().map(|((_, event), _)| event).collect(),
            token,
        )
    }
}

impl Part {
    /// Reads the first reply of a shard.
    pub(crate) fn new(shard: Role, reply: &Document) -> Self {
        let mut part = Self {
            shard,
            cursor: 0,
            events: Vec::new(),
            seen: String::new(),
        };
        part.add(reply, "firstBatch");
        part
    }

    pub(crate) fn add(&mut self, reply: &Document, field: &str) {
        let cursor = reply.get_document("cursor").cloned().unwrap_or_default();
        self.cursor = number_of(&cursor, "id");
        for mut event in documents_of(&cursor, field) {
            let key = event.remove("$sortKey");
            let token = key
                .as_ref()
                .and_then(Bson::as_array)
                .and_then(|key| key.first()?.as_document());
            let token = token.and_then(|token| token.get_str("_data").ok());
            if let Some(token) = token {
                self.events.push((token.to_owned(), event));
            }
        }
        let seen = cursor.get_document("postBatchResumeToken");
        if let Ok(seen) = seen.and_then(|seen| seen.get_str("_data")) {
            seen.clone_into(&mut self.seen);
        }
    }
}

/// The documents that the events of a stream contain, except those of `updateLookup`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Images {
    pub(crate) before: bool,
    pub(crate) after: bool,
}

impl Images {
    /// Reads the options of the stage `$changeStream`.
    pub(crate) fn of_options(options: &Document) -> Self {
        let is_available = |name| options.get_str(name).ok() == Some("whenAvailable");
        Self {
            before: is_available("fullDocumentBeforeChange"),
            after: is_available("fullDocument"),
        }
    }

    pub(crate) fn any(self) -> bool {
        self.before || self.after
    }
}
