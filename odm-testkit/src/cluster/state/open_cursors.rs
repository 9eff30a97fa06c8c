//! The open cursors of the front's clients, except the cursors of the router.

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
};

use mongodb::bson::{Document, doc};

use super::event_merge::Stream;
use crate::cluster::link::role::Role;

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

/// The ids of the servers' cursors are random. The ids of the front's cursors count down from this number.
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
