//! Change streams over both shards.
//!
//! The front cannot use the router for this: in `mongod` 6.0, the router crashes while it waits for events. So the
//! front opens the stream on each shard, as `mongos` does, and merges the events by their resume tokens. Tokens that
//! are compared as text have the order of their events.
//!
//! 1. All shards start at the same cluster time, or after the same resume token.
//! 2. The reply of a shard contains the token up to which the shard has returned all events (`postBatchResumeToken`).
//! 3. The front returns an event as soon as the tokens of all shards are at or after the event. Then no shard can
//!    return an earlier event. The token of a shard without writes does not change, so the front writes a note into the
//!    oplog of this shard (`appendOplogNote`), as `mongos` does.
//! 4. If the events contain the documents before or after the changes, the front adds them. The router applies the
//!    client's other stages only after this.

mod images;

use std::time::{Duration, Instant};

use mongodb::bson::{Bson, Document, Timestamp, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{documents_of, is_ok, number, number_of},
    },
    state::{
        event_merge::{Images, Part, Stream},
        open_cursors::Home,
    },
};

/// How long a shard waits for events.
const WAIT: Duration = Duration::from_millis(25);
/// Milliseconds for which a client waits for events, if its command does not contain `maxTimeMS`.
const PATIENCE: i64 = 1_000;
/// Number of events to which the router applies stages at once.
const APPLIED: usize = 50;

impl Connection {
    /// Opens a change stream on both shards.
    pub(crate) async fn watch(&mut self, call: &Call) -> Result<Document, Document> {
        let mut pipeline = call.pipeline();
        let mut options = pipeline
            .first()
            .and_then(|it| it.get_document("$changeStream").cloned().ok());
        let lookup = options
            .as_ref()
            .and_then(|it| it.get_str("fullDocument").ok());
        let looks_up = lookup == Some("updateLookup");
        let images = Images::of_options(options.as_ref().unwrap_or(&Document::new()));
        let rest = if looks_up || images.any() {
            let end = pipeline.iter().skip(1).position(|it| !is_early(it));
            pipeline.split_off(end.map_or(pipeline.len(), |end| end + 1))
        } else {
            Vec::new()
        };
        let after = start(options.as_mut(), self.shared.clock.now());
        if let (Some(first), Some(options)) = (pipeline.first_mut(), options) {
            first.insert("$changeStream", options);
        }
        let mut command = call.body.clone();
        command.insert("pipeline", pipeline);
        command.insert("fromMongos", true);
        command.insert("needsMerge", true);
        command.insert("cursor", doc! { "batchSize": 0 });
        let commands = Role::SHARDS.map(|shard| (shard, command.clone())).into();
        let mut parts = Vec::new();
        for (shard, reply) in Role::SHARDS
            .into_iter()
            .zip(self.links.replies(&call.db, commands).await)
        {
            if !is_ok(&reply) {
                return Err(reply);
            }
            parts.push(Part::new(shard, &reply));
        }
        let collection = match call.collection() {
            "" => "$cmd.aggregate".to_owned(),
            collection => collection.to_owned(),
        };
        let mut stream = Stream {
            db: call.db.clone(),
            collection,
            after,
            looks_up,
            images,
            rest,
            parts,
        };
        Ok(self.reply_with(&mut stream, "firstBatch", 0, None))
    }

    /// Returns the next events of a change stream. Returns an empty batch if there are none within the time limit.
    pub(crate) async fn next_changes(
        &mut self,
        call: &Call,
        mut stream: Stream,
    ) -> Result<Document, Document> {
        let patience = call
            .body
            .get("maxTimeMS")
            .and_then(number)
            .unwrap_or(PATIENCE);
        let deadline =
            Instant::now() + Duration::from_millis(patience.try_into().unwrap_or_default());
        let size = call
            .body
            .get("batchSize")
            .and_then(number)
            .unwrap_or(i64::MAX);
        let id = number_of(&call.body, "getMore");
        while !stream.has_events() && Instant::now() < deadline {
            self.read_shards(&mut stream).await?;
        }
        let mut reply = self.reply_with(&mut stream, "nextBatch", size, Some(id));
        if stream.looks_up {
            self.look_up(&stream.db, &mut reply).await?;
        }
        if !stream.rest.is_empty() {
            self.apply_rest(&stream, &mut reply).await?;
        }
        Ok(reply)
    }

    /// Applies the stages of the client to the events of a reply, in the router.
    async fn apply_rest(&mut self, stream: &Stream, reply: &mut Document) -> Result<(), Document> {
        let Ok(cursor) = reply.get_document_mut("cursor") else {
            return Ok(());
        };
        let mut selected = Vec::new();
        for events in documents_of(cursor, "nextBatch").chunks(APPLIED) {
            let mut pipeline = vec![doc! { "$documents": { "$literal": events } }];
            pipeline.extend(stream.rest.iter().cloned());
            let size = i32::try_from(APPLIED).unwrap_or_default() + 1;
            let aggregate =
                doc! { "aggregate": 1, "pipeline": pipeline, "cursor": { "batchSize": size } };
            let found = self.links.call(Role::Router, &stream.db, aggregate).await?;
            let found = found.get_document("cursor").cloned().unwrap_or_default();
            selected.extend(documents_of(&found, "firstBatch"));
        }
        cursor.insert("nextBatch", selected);
        Ok(())
    }

    /// Reads the updated documents through the router, because a document may no longer be on the shard of its event.
    async fn look_up(&mut self, db: &str, reply: &mut Document) -> Result<(), Document> {
        let cursor = reply.get_document_mut("cursor").ok();
        let events = cursor.and_then(|cursor| cursor.get_array_mut("nextBatch").ok());
        for event in events.into_iter().flatten() {
            let Bson::Document(event) = event else {
                continue;
            };
            let collection = event.get_document("ns").and_then(|ns| ns.get_str("coll"));
            let (Ok(collection), Ok(key), Ok(time), Ok("update")) = (
                collection,
                event.get_document("documentKey"),
                event.get_timestamp("clusterTime"),
                event.get_str("operationType"),
            ) else {
                continue;
            };
            let find = doc! {
                "clusterFind": collection, "filter": key.clone(), "limit": 1,
                "readConcern": { "level": "majority", "afterClusterTime": time },
            };
            let found = self.links.call(Role::Router, db, find).await?;
            let found = found.get_document("cursor").cloned().unwrap_or_default();
            let found = documents_of(&found, "firstBatch").into_iter().next();
            event.insert("fullDocument", found);
        }
        Ok(())
    }

    /// Closes a change stream on all shards.
    pub(crate) async fn close(&mut self, stream: Stream) {
        let commands = stream.parts.iter().map(|part| {
            let kill = doc! { "killCursors": &stream.collection, "cursors": [part.cursor] };
            (part.shard, kill)
        });
        // A cursor that stays open is closed by the server after ten minutes.
        self.links.replies(&stream.db, commands.collect()).await;
    }

    async fn read_shards(&mut self, stream: &mut Stream) -> Result<(), Document> {
        let wait = i64::try_from(WAIT.as_millis()).unwrap_or_default();
        let more = |part: &Part| {
            doc! { "getMore": part.cursor, "collection": &stream.collection, "maxTimeMS": wait }
        };
        let open = || stream.parts.iter().filter(|part| part.cursor != 0);
        let commands = open().map(|part| (part.shard, more(part))).collect();
        let replies = self.links.replies(&stream.db, commands).await;
        let mut replies = replies.into_iter();
        for part in stream.parts.iter_mut().filter(|part| part.cursor != 0) {
            let mut reply = replies.next().unwrap_or_default();
            if !is_ok(&reply) {
                return Err(reply);
            }
            if stream.images.any() {
                self.add_images(stream.images, part.shard, &mut reply)
                    .await?;
            }
            part.add(&reply, "nextBatch");
        }
        let note = doc! { "appendOplogNote": 1, "data": { "reason": "change stream" } };
        let lagging = stream.lagging().into_iter();
        let notes = lagging.map(|shard| (shard, note.clone())).collect();
        self.links.replies("admin", notes).await;
        Ok(())
    }

    fn reply_with(&self, stream: &mut Stream, field: &str, size: i64, id: Option<i64>) -> Document {
        let (events, token) = stream.take(usize::try_from(size).unwrap_or_default());
        let namespace = format!("{}.{}", stream.db, stream.collection);
        let is_closed = events
            .iter()
            .any(|it| it.get_str("operationType").ok() == Some("invalidate"));
        let id = if is_closed {
            0
        } else {
            id.unwrap_or_else(|| self.shared.cursors.new_id())
        };
        self.shared
            .cursors
            .add(id, Home::Changes(Box::new(stream.clone())));
        doc! {
            "cursor": {
                "id": id, "ns": namespace, field: events, "postBatchResumeToken": { "_data": token },
            },
            "ok": 1.0,
        }
    }
}

/// Whether the shards can apply a stage before the front adds documents to the events.
fn is_early(stage: &Document) -> bool {
    stage
        .get_document("$match")
        .is_ok_and(|condition| !reads_documents(&condition.into()))
}

/// Whether a condition can depend on the documents before or after the change.
fn reads_documents(condition: &Bson) -> bool {
    match condition {
        Bson::Document(fields) => fields.iter().any(|(name, condition)| {
            name == "$expr" || name.starts_with("fullDocument") || reads_documents(condition)
        }),
        Bson::Array(conditions) => conditions.iter().any(reads_documents),
        _ => false,
    }
}

/// Sets the time at which all shards start, if the client has not set a start. Returns the client's resume token.
fn start(options: Option<&mut Document>, now: Option<Timestamp>) -> Option<String> {
    let options = options?;
    for name in ["resumeAfter", "startAfter"] {
        if let Ok(token) = options.get_document(name) {
            return token.get_str("_data").map(str::to_owned).ok();
        }
    }
    if let (Some(now), false) = (now, options.contains_key("startAtOperationTime")) {
        let next = Timestamp {
            time: now.time,
            increment: now.increment + 1,
        };
        options.insert("startAtOperationTime", next);
    }
    None
}
