//! The cursors that clients of the front have open, if they are not cursors of the router.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
};

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::{
    connection::Connection,
    link::role::Role,
    message::{
        call::Call,
        reply::{number, number_of},
    },
    state::{event_merge::Stream, transaction::Scope},
};

/// The source of a cursor's documents.
#[derive(Clone, Debug)]
pub(crate) enum Home {
    /// The cursor is open on this server.
    Server(Role),
    /// The front has already read all documents.
    Front(Vec<Document>),
    /// The cursor is a change stream, which the front merges.
    Changes(Box<Stream>),
}

#[derive(Debug, Default)]
pub(crate) struct Cursors {
    open: Mutex<HashMap<i64, Home>>,
    last_id: AtomicI64,
}

/// The ids of the servers are random. Those of the front are small negative numbers.
const FIRST_ID: i64 = -1_000_000_000;

impl Cursors {
    /// Remembers a cursor. Ignores the id 0, because such a cursor is already empty.
    pub(crate) fn add(&self, id: i64, home: Home) {
        if id != 0 {
            self.lock().insert(id, home);
        }
    }

    pub(crate) fn server(&self, id: i64) -> Option<Role> {
        match self.lock().get(&id) {
            Some(Home::Server(role)) => Some(*role),
            _ => None,
        }
    }

    /// Removes and returns a change stream. The caller later adds it again with its new state.
    pub(crate) fn changes(&self, id: i64) -> Option<Stream> {
        let mut open = self.lock();
        match open.get(&id) {
            Some(Home::Changes(_)) => match open.remove(&id) {
                Some(Home::Changes(stream)) => Some(*stream),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns an id that no other cursor has.
    pub(crate) fn new_id(&self) -> i64 {
        FIRST_ID - self.last_id.fetch_add(1, Relaxed)
    }

    pub(crate) fn remove(&self, id: i64) -> Option<Home> {
        self.lock().remove(&id)
    }

    /// Returns the reply with the first documents, and keeps the others.
    pub(crate) fn reply(&self, namespace: &str, documents: Vec<Document>, size: i64) -> Document {
        self.batch(namespace, documents, size, "firstBatch", None)
    }

    /// Returns the next documents of a cursor of the front. Returns `None` if the front does not have this cursor.
    pub(crate) fn next(&self, namespace: &str, id: i64, size: i64) -> Option<Document> {
        let mut open = self.lock();
        let Some(Home::Front(_)) = open.get(&id) else {
            return None;
        };
        let Some(Home::Front(documents)) = open.remove(&id) else {
            return None;
        };
        drop(open);
        Some(self.batch(namespace, documents, size, "nextBatch", Some(id)))
    }

    fn batch(
        &self,
        namespace: &str,
        mut documents: Vec<Document>,
        size: i64,
        field: &str,
        id: Option<i64>,
    ) -> Document {
        let size = usize::try_from(size)
            .unwrap_or_default()
            .min(documents.len());
        let rest = documents.split_off(size);
        let id = if rest.is_empty() {
            0
        } else {
            let id = id.unwrap_or_else(|| self.new_id());
            self.add(id, Home::Front(rest));
            id
        };
        doc! { "cursor": { "id": id, "ns": namespace, field: documents }, "ok": 1.0 }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<i64, Home>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// Returns the next documents of a cursor.
    pub(crate) async fn get_more(
        &mut self,
        call: &Call,
        scope: &mut Scope<'_>,
    ) -> Result<Document, Document> {
        let id = number_of(&call.body, "getMore");
        let size = call
            .body
            .get("batchSize")
            .and_then(number)
            .unwrap_or(i64::MAX);
        let front = Arc::clone(&self.shared);
        if let Some(reply) = front.cursors.next(&call.namespace(), id, size) {
            return Ok(reply);
        }
        if let Some(stream) = front.cursors.changes(id) {
            return self.next_changes(call, stream).await;
        }
        let Some(shard) = front.cursors.server(id) else {
            let command = call.renamed("clusterGetMore");
            return self.links.call(Role::Router, &call.db, command).await;
        };
        let mut command = call.body.clone();
        if shard != Role::Router {
            scope.enter(shard, &mut command);
        }
        let reply = self.links.call(shard, &call.db, command).await?;
        scope.note(shard, &reply);
        let is_exhausted = reply
            .get_document("cursor")
            .is_ok_and(|it| number_of(it, "id") == 0);
        if is_exhausted {
            front.cursors.remove(id);
        }
        Ok(reply)
    }

    /// Closes cursors.
    pub(crate) async fn kill_cursors(&mut self, call: &Call, scope: &mut Scope<'_>) -> Document {
        let ids = call.body.get_array("cursors").cloned().unwrap_or_default();
        for id in ids.iter().filter_map(number) {
            match self.shared.cursors.remove(id) {
                Some(Home::Changes(stream)) => self.close(*stream).await,
                Some(Home::Server(role)) => {
                    let mut kill = doc! { "killCursors": call.collection(), "cursors": [id] };
                    if role != Role::Router {
                        scope.enter(role, &mut kill);
                    }
                    self.links.reply(role, &call.db, kill).await;
                }
                Some(Home::Front(_)) => {}
                None => self.read_to_end(call, id).await,
            }
        }
        let none = Vec::<Bson>::new();
        doc! {
            "cursorsKilled": ids, "cursorsNotFound": none.clone(), "cursorsAlive": none.clone(),
            "cursorsUnknown": none, "ok": 1.0,
        }
    }

    /// Closes a cursor of `clusterFind` or `clusterAggregate` in the router. The server does not have a command for this,
    /// and would close the cursors on the shards after ten minutes. So the front reads the remaining documents.
    async fn read_to_end(&mut self, call: &Call, id: i64) {
        let more = doc! { "clusterGetMore": id, "collection": call.collection() };
        loop {
            let reply = self.links.reply(Role::Router, &call.db, more.clone()).await;
            let cursor = reply.get_document("cursor");
            // An error means that the cursor is closed already.
            if cursor.map_or(0, |cursor| number_of(cursor, "id")) == 0 {
                return;
            }
        }
    }
}
