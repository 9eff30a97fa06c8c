//! The front: accepts clients on a port, in a thread and a runtime of its own, so that it does not depend on the runtime
//! of a test.

use std::{
    collections::HashMap,
    net::{Ipv4Addr, TcpListener},
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use mongodb::bson::Document;
use tokio::{net, runtime, sync};

use crate::{
    Error,
    cluster::{
        connection::Connection,
        link::{Ports, clock::Clock},
        route::table::Routing,
        state::{
            counters::Counters,
            failpoints::Failpoints,
            open_cursors::Cursors,
            policy::{Decided, Policy},
            recap::Recap,
            transaction::Transaction,
        },
    },
};

/// The last transaction of a session, which a statement locks while it runs.
type Session = Arc<sync::Mutex<Option<Transaction>>>;

/// The state that all connections share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) ports: Arc<Ports>,
    pub(super) clock: Arc<Clock>,
    pub(super) policy: Policy,
    /// The report of a process whose tests share the cluster.
    pub(super) recap: Option<Recap>,
    pub(super) routing: Routing,
    pub(super) cursors: Cursors,
    pub(super) counters: Counters,
    pub(super) failpoints: Failpoints,
    /// The collections for which the front has already decided whether to shard them.
    pub(super) decided: Decided,
    sessions: Mutex<HashMap<String, Session>>,
    /// The database of each session with an open transaction.
    transactions: Mutex<HashMap<String, String>>,
}

impl Shared {
    /// Returns the last transaction of a session.
    pub(super) fn session(&self, id: &Document) -> Session {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(sessions.entry(id.to_string()).or_default())
    }

    /// Notes whether a session has an open transaction.
    pub(super) fn note_transaction(&self, session: &Document, db: &str, is_open: bool) {
        let open = self.transactions.lock();
        let mut open = open.unwrap_or_else(PoisonError::into_inner);
        if is_open {
            open.insert(session.to_string(), db.to_owned());
        } else {
            open.remove(&session.to_string());
        }
    }

    /// Whether a transaction that has used this database is open.
    pub(super) fn has_transaction(&self, db: &str) -> bool {
        let open = self.transactions.lock();
        let open = open.unwrap_or_else(PoisonError::into_inner);
        open.values().any(|it| it == db)
    }

    pub(super) fn remove_session(&self, id: &Document) -> Option<Session> {
        self.note_transaction(id, "", false);
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.remove(&id.to_string())
    }
}

/// A running front. It stops when this value is dropped.
#[derive(Debug)]
pub(super) struct Front {
    port: u16,
    stop: Option<sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Front {
    pub(super) fn start(ports: Ports, policy: Policy) -> Result<Self, Error> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
        let listener = listener.map_err(Error::io("listen on a port"))?;
        let port = listener
            .local_addr()
            .map_err(Error::io("listen on a port"))?
            .port();
        listener
            .set_nonblocking(true)
            .map_err(Error::io("listen on a port"))?;
        let shared = Arc::new(Shared {
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
        });
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("odm-front")
            .enable_all()
            .build()
            .map_err(Error::io("make a runtime"))?;
        let (stop, stopped) = sync::oneshot::channel();
        let run = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, shared) => {}
                    _ = stopped => {}
                }
            });
            runtime.shutdown_timeout(Duration::from_millis(200));
        };
        let thread = thread::Builder::new().name("odm-front".into()).spawn(run);
        let thread = thread.map_err(Error::io("start a thread"))?;
        Ok(Self {
            port,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let Ok(listener) = net::TcpListener::from_std(listener) else {
        return;
    };
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // For example, too many open files.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let connection = Connection::new(Arc::clone(&shared));
        tokio::spawn(async move {
            // The client notices that the connection is closed.
            let _ = connection.serve(stream).await;
        });
    }
}
