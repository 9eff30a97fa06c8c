//! The handle of a running transaction: a session that its clones share.

mod driver_code;
mod failure;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use futures_util::future::BoxFuture;
use mongodb::{ClientSession, Database};
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::{
    Odm,
    detached_task::{in_caller_context, join_task},
};
use crate::{
    client::command::Command,
    error::{Error, FailedStatement, Result},
};
use failure::Failures;

/// A running transaction; `&tx` stands wherever `&odm` does.
///
/// It is a handle: clones are the same transaction. Statements of one transaction run one after the
/// other, as the server demands, also when tasks use clones at once. After the end every use is
/// [`Error::TransactionEnded`].
#[derive(Clone, Debug)]
pub struct Tx {
    odm: Odm,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    session: Arc<Mutex<Option<ClientSession>>>,
    /// What has failed. Kept here so that the application may map our errors to its own, or swallow them.
    failures: std::sync::Mutex<Failures>,
    /// Who writes: one write at a time, each as a whole.
    turn: Mutex<()>,
    /// Whether a document could not take its copy.
    refused: AtomicBool,
    /// Whether it has begun on the server, with its first statement.
    has_begun: AtomicBool,
    /// Whether copies are left to jobs, because an earlier try met such a document.
    defers: bool,
    tasks: Tasks,
    /// What writes leave to be done after the commit.
    after: std::sync::Mutex<Vec<Box<dyn AfterCommit>>>,
    commit: Commit,
}

/// What runs in a task of its own: dropping a future must not stop the driver in the middle of a
/// statement, which would leave the session and the connection in an unknown state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tasks {
    /// Each statement, in a transaction whose closure runs where the application awaits it.
    Statements,
    /// The transaction as a whole; its statements are parts of that task.
    Transaction,
}

/// Whether a transaction is committed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commit(Arc<AtomicBool>);

impl Commit {
    /// Notes that it is.
    pub(crate) fn done(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What is left to be done when a transaction is committed.
pub(crate) trait AfterCommit: std::fmt::Debug + Send + Sync + 'static {
    /// Does it. What fails is not lost: jobs are stored for it.
    fn run(self: Box<Self>, odm: Odm) -> BoxFuture<'static, ()>;
}

impl Tx {
    pub(super) fn new(odm: Odm, session: ClientSession, defers: bool, tasks: Tasks) -> Self {
        let session = Arc::new(Mutex::new(Some(session)));
        let state = State {
            session,
            failures: std::sync::Mutex::default(),
            turn: Mutex::default(),
            refused: AtomicBool::new(false),
            has_begun: AtomicBool::new(false),
            defers,
            tasks,
            after: std::sync::Mutex::default(),
            commit: Commit::default(),
        };
        Self {
            odm: odm.meant_outside(),
            state: Arc::new(state),
        }
    }

    /// Returns the handle of the database outside this transaction.
    ///
    /// Its statements run outside on purpose; those of another handle that warns of slow statements are warned of while the closure
    /// of a transaction runs.
    pub fn odm(&self) -> &Odm {
        &self.odm
    }

    /// Sends a statement; as a part of the task that awaits it, if that is one.
    pub(super) async fn send<C: Command>(&self, command: C, in_task: bool) -> Result<C::Reply> {
        let (place, name) = (command.place().clone(), command.name());
        let failed = move || place.failed(name);
        let sent = self.with_session(in_task, failed, |database, session| {
            command.send(database, Some(session))
        });
        if C::READS || !in_task {
            return sent.await;
        }
        // A part of a write, the only one whose turn it is.
        let was_changing = self.failures().begin_change();
        let sent = sent.await;
        let is_unchanged = match &sent {
            Ok(reply) => C::documents(reply) == Some(0),
            Err(error) => error.is_from_server(),
        };
        if is_unchanged {
            self.failures().undo_change(was_changing);
        }
        sent
    }

    /// Runs a statement when the session is free. An error is noted before the session is free again, even if
    /// nobody awaits the statement any longer.
    pub(super) async fn with_session<T, F>(
        &self,
        in_task: bool,
        failed: impl Fn() -> FailedStatement + Send + 'static,
        statement: F,
    ) -> Result<T>
    where
        T: Send + 'static,
        F: for<'s> FnOnce(
                &'s Database,
                &'s mut ClientSession,
            ) -> BoxFuture<'s, mongodb::error::Result<T>>
            + Send
            + 'static,
    {
        self.refuse_within_run()?;
        let mut guard = self.lock().await;
        let tx = self.clone();
        let statement = async move {
            let session = guard.as_mut().ok_or(Error::TransactionEnded)?;
            let began = Instant::now();
            tx.state.has_begun.store(true, Ordering::Relaxed);
            let done = statement(tx.odm.database(), session).await;
            done.map_err(|error| {
                let error = Error::from(error).during(&failed, began.elapsed());
                tx.failures().note(error, failed)
            })
        };
        if in_task {
            return statement.await;
        }
        self.state.tasks.run(statement).await
    }

    /// Runs a write when those before it have ended. One that fails after it has changed something leaves a
    /// part of itself behind, so that the transaction cannot be committed.
    pub(super) async fn in_turn<T>(&self, write: impl Future<Output = Result<T>>) -> Result<T> {
        let _turn = self.state.turn.lock().await;
        self.failures().begin_write();
        let done = write.await;
        self.failures().end_write(done.as_ref().err());
        done
    }

    async fn lock(&self) -> OwnedMutexGuard<Option<ClientSession>> {
        Arc::clone(&self.state.session).lock_owned().await
    }

    pub(super) fn failures(&self) -> std::sync::MutexGuard<'_, Failures> {
        let failures = self.state.failures.lock();
        failures.unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Ends the use of the handle and takes the session back.
    pub(super) async fn end(&self) -> Result<ClientSession> {
        // A write whose caller was dropped still runs.
        let _turn = self.state.turn.lock().await;
        self.lock().await.take().ok_or(Error::TransactionEnded)
    }

    /// Leaves something to be done after the commit.
    pub(crate) fn after_commit(&self, work: impl AfterCommit) {
        self.waiting_work().push(Box::new(work));
    }

    /// Returns what tells whether it is committed.
    pub(crate) fn commit(&self) -> Commit {
        self.state.commit.clone()
    }

    /// Takes what is left to be done after the commit.
    pub(super) fn take_after(&self) -> Vec<Box<dyn AfterCommit>> {
        std::mem::take(&mut *self.waiting_work())
    }

    pub(super) fn is_of_task(&self) -> bool {
        self.state.tasks == Tasks::Transaction
    }

    fn waiting_work(&self) -> std::sync::MutexGuard<'_, Vec<Box<dyn AfterCommit>>> {
        let after = self.state.after.lock();
        after.unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(crate) fn poison(&self, why: &Error) {
        self.failures().poison(why);
    }

    /// Makes the transaction be tried again with its copies left to jobs, which write them one by one
    /// where they must: the server has ended this one at a document that cannot take its copy.
    pub(crate) fn refuse_copies(&self) {
        self.state.refused.store(true, Ordering::Relaxed);
    }

    /// Whether the server knows of it: what ends it is sent then.
    pub(super) fn has_begun(&self) -> bool {
        self.state.has_begun.load(Ordering::Relaxed)
    }

    pub(crate) fn defers_copies(&self) -> bool {
        self.state.defers
    }

    pub(super) fn is_refused(&self) -> bool {
        self.state.refused.load(Ordering::Relaxed)
    }
}

impl Tasks {
    /// Runs a part of a transaction.
    pub(super) async fn run<T: Send + 'static>(
        self,
        part: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        match self {
            Self::Statements => join_task(tokio::spawn(in_caller_context(part)).await),
            Self::Transaction => part.await,
        }
    }
}
