//! The state that all clients of the front share.

pub(crate) mod counters;
pub(crate) mod event_merge;
pub(crate) mod failpoints;
pub(crate) mod open_cursors;
pub(crate) mod policy;
mod recap;
pub(crate) mod transaction;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use mongodb::bson::Document;
use tokio::sync;

use self::{
    counters::Counters,
    failpoints::Failpoints,
    open_cursors::Cursors,
    policy::{Decided, Policy},
    recap::Recap,
    transaction::Transaction,
};
use crate::cluster::{
    link::{Ports, clock::Clock},
    route::table::Routing,
};

/// The latest transaction of a session. A running statement of this transaction locks the value.
type Session = Arc<sync::Mutex<Option<Transaction>>>;

/// The state that all connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) ports: Arc<Ports>,
    pub(crate) clock: Arc<Clock>,
    pub(crate) policy: Policy,
    /// The report of a process whose tests share the cluster.
    pub(crate) recap: Option<Recap>,
    pub(crate) routing: Routing,
    pub(crate) cursors: Cursors,
    pub(crate) counters: Counters,
    pub(crate) failpoints: Failpoints,
    /// The collections for which the front has already decided whether to shard them.
    pub(crate) decided: Decided,
    sessions: Mutex<HashMap<String, Session>>,
    /// The database of each session with an open transaction.
    transactions: Mutex<HashMap<String, String>>,
}

impl Shared {
    pub(crate) fn new(ports: Ports, policy: Policy) -> Self {
        Self {
            ports: Arc::new(ports),
            clock: Arc::default(),
            recap: matches!(policy, Policy::OfTests(_)).then(Recap::start),
            policy,
            routing: Routing::default(),
            cursors: Cursors::default(),
            counters: Counters::default(),
            failpoints: Failpoints::default(),
            decided: Decided::default(),
            sessions: Mutex::default(),
            transactions: Mutex::default(),
        }
    }

    /// Returns the latest transaction of a session.
    pub(crate) fn session(&self, id: &Document) -> Session {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(sessions.entry(id.to_string()).or_default())
    }

    /// Notes whether a session has an open transaction.
    pub(crate) fn note_transaction(&self, session: &Document, db: &str, is_open: bool) {
        let open = self.transactions.lock();
        let mut open = open.unwrap_or_else(PoisonError::into_inner);
        if is_open {
            open.insert(session.to_string(), db.to_owned());
        } else {
            open.remove(&session.to_string());
        }
    }

    /// Whether a transaction that has used this database is open.
    pub(crate) fn has_transaction(&self, db: &str) -> bool {
        let open = self.transactions.lock();
        let open = open.unwrap_or_else(PoisonError::into_inner);
        open.values().any(|it| it == db)
    }

    pub(crate) fn remove_session(&self, id: &Document) -> Option<Session> {
        self.note_transaction(id, "", false);
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.remove(&id.to_string())
    }
}
