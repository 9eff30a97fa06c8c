//! The handle to a running transaction. Its clones share one session.

mod driver_code;
mod failure;
mod hook_call;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use futures_util::future::BoxFuture;
use mongodb::{ClientSession, Database};
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::{
    Odm,
    clock::WriteTime,
    detached_task::{in_caller_context, join_task},
};
use crate::{
    client::command::Command,
    error::{Error, FailedStatement, Result},
};
use failure::Failures;
use hook_call::HookCall;

/// The handle to a running transaction. Pass `&tx` instead of `&odm` to calls that belong to the transaction.
///
/// Clones are handles to the same transaction. The server runs the statements of a transaction one after the other, so
/// calls from concurrent tasks wait for each other. After the end of the transaction, every call fails with
/// [`Error::TransactionEnded`].
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../../docs/part_models.txt")]
/// async fn insert_both(left: &Part, right: &Part, tx: &Tx) -> mongo_odm::Result<()> {
///     left.insert(tx).await?;
///     right.insert(tx).await?;
///     Ok(())
/// }
/// # async fn example(odm: Odm, left: Part, right: Part) -> mongo_odm::Result<()> {
/// odm.transaction(async |tx| insert_both(&left, &right, &tx).await).await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Tx {
    odm: Odm,
    state: Arc<State>,
    /// The hook call that received this handle.
    hook: Option<Arc<HookCall>>,
}

#[derive(Debug)]
struct State {
    session: Arc<Mutex<Option<ClientSession>>>,
    /// The failures of the transaction's statements. These failures are stored here because the application may convert
    /// or ignore the library's errors.
    failures: std::sync::Mutex<Failures>,
    /// Serializes the writes, so that each write ends before the next one starts.
    turn: Mutex<()>,
    /// Whether this attempt failed because a document cannot store a copy.
    refused: AtomicBool,
    /// Whether a statement has been sent, so that the transaction can exist on the server.
    has_begun: AtomicBool,
    /// Whether the future of the transaction was dropped.
    is_dropped: AtomicBool,
    /// Whether copies are left to jobs, because a document was unable to store a copy in an earlier attempt.
    defers: bool,
    tasks: Tasks,
    /// The collections to which the transaction has sent writes, with the number of writes.
    written: std::sync::Mutex<BTreeMap<String, u64>>,
    /// Number of calls of driver code (`tx.run`). Each of these calls may have written to any collection.
    driver_calls: AtomicU64,
    /// The work that writes have registered to run after the commit.
    after: std::sync::Mutex<Vec<Box<dyn AfterCommit>>>,
    commit: Commit,
    time: WriteTime,
}

/// Determines which part of a transaction runs as one task. Tasks are needed because dropping a future must not stop
/// the driver in the middle of a statement. Otherwise, the session and the connection would be in an unknown state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tasks {
    /// Each statement runs in a separate task, because the closure itself runs in a task of the application.
    Statements,
    /// The whole transaction, including its statements, runs in one task that the library has spawned.
    Transaction,
}

/// A shared flag that is set when a transaction is committed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commit(Arc<AtomicBool>);

impl Commit {
    /// Records the commit.
    pub(crate) fn done(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Work that runs after the commit of a transaction.
pub(crate) trait AfterCommit: std::fmt::Debug + Send + Sync + 'static {
    /// Runs the work. If the work fails, the stored jobs complete it later.
    fn run(self: Box<Self>, odm: Odm) -> BoxFuture<'static, ()>;
}

impl Tx {
    pub(super) fn new(
        odm: Odm,
        session: ClientSession,
        time: WriteTime,
        defers: bool,
        tasks: Tasks,
    ) -> Self {
        let session = Arc::new(Mutex::new(Some(session)));
        let state = State {
            session,
            failures: std::sync::Mutex::default(),
            turn: Mutex::default(),
            refused: AtomicBool::new(false),
            has_begun: AtomicBool::new(false),
            is_dropped: AtomicBool::new(false),
            defers,
            tasks,
            written: std::sync::Mutex::default(),
            driver_calls: AtomicU64::new(0),
            after: std::sync::Mutex::default(),
            commit: Commit::default(),
            time,
        };
        Self {
            odm: odm.meant_outside(),
            state: Arc::new(state),
            hook: None,
        }
    }

    /// Returns the handle to the database. Statements that are sent through this handle run outside the transaction.
    ///
    /// Such statements are not rolled back with the transaction, and do not see its writes. Other handles to the
    /// database warn if the closure uses them
    /// ([`Settings::warn_of_slow_statements`](crate::Settings::warn_of_slow_statements)), but this handle does not.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm, book: Book) -> mongo_odm::Result<()> {
    /// odm.transaction(async |tx| {
    ///     Book::delete(&tx, &book.id).await?;
    ///     // This count does not see the delete.
    ///     println!("{} books before the commit", Book::count(tx.odm()).await?);
    ///     mongo_odm::Result::Ok(())
    /// })
    /// .await?;
    /// # Ok(()) }
    /// ```
    pub fn odm(&self) -> &Odm {
        &self.odm
    }

    /// Returns the time that all writes of the transaction store, for example in `#[created_at]`. In a hook, this is the
    /// time of the write that calls the hook.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let started = odm.transaction(async |tx| Ok(tx.now())).await?;
    /// # Ok(()) }
    /// ```
    pub fn now(&self) -> mongodb::bson::DateTime {
        self.state.time.get_or_set(&self.odm.settings().clock)
    }

    /// Sends a statement. `in_task` is true if the caller runs in a task of the library, which your code cannot drop.
    pub(super) async fn send<C: Command>(&self, command: C, in_task: bool) -> Result<C::Reply> {
        let (place, name) = (command.place().clone(), command.name());
        if !C::READS {
            self.note_written(place.name());
        }
        let failed = move || place.failed(name);
        let sent = self.with_session(in_task, failed, |database, session| {
            command.send(database, Some(session))
        });
        if C::READS || !in_task {
            return sent.await;
        }
        // The statement belongs to the current write, because writes run one after the other.
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

    /// Runs a statement as soon as no other statement uses the session. An error is recorded before the session is
    /// released, even if no caller awaits the statement any longer.
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
        let tx = self.clone();
        // If the caller drops its future while the statement waits for the session, the statement is not sent.
        let caller = Arc::new(());
        let awaited = Arc::downgrade(&caller);
        let statement = async move {
            // The task waits for the session, and not the caller. Otherwise, a caller that is not polled at the moment,
            // for example in `buffer_unordered`, could get the session, and block the calls of its own task.
            let mut guard = tx.lock().await;
            tx.state.give_up_if_dropped(&mut guard);
            let session = guard.as_mut().filter(|_| awaited.strong_count() > 0);
            let session = session.ok_or(Error::TransactionEnded)?;
            let began = Instant::now();
            tx.state.has_begun.store(true, Ordering::Relaxed);
            let done = statement(tx.odm.database(), session).await;
            tx.odm.note_time(session);
            tx.state.give_up_if_dropped(&mut guard);
            done.map_err(|error| {
                let error = Error::from(error).during(&failed, began.elapsed());
                tx.failures().note(error, failed)
            })
        };
        let sent = if in_task {
            statement.await
        } else {
            self.tasks().run(statement).await
        };
        drop(caller);
        sent
    }

    /// Runs a write after the earlier writes. If the write fails after its first change, the transaction cannot be
    /// committed, because it would contain half of the write.
    pub(super) async fn in_turn<T>(&self, write: impl Future<Output = Result<T>>) -> Result<T> {
        if let Some(call) = &self.hook {
            return call.in_turn(self, write).await;
        }
        let _turn = self.state.turn.lock().await;
        self.failures().begin_write();
        let done = write.await;
        self.failures().end_write(done.as_ref().err());
        done
    }

    /// Returns whether each statement of this handle runs in a separate task. The statements of a hook always run in
    /// separate tasks, because a hook can drop its futures, even if the transaction runs in a task.
    fn tasks(&self) -> Tasks {
        match &self.hook {
            Some(_) => Tasks::Statements,
            None => self.state.tasks,
        }
    }

    async fn lock(&self) -> OwnedMutexGuard<Option<ClientSession>> {
        Arc::clone(&self.state.session).lock_owned().await
    }

    pub(super) fn failures(&self) -> std::sync::MutexGuard<'_, Failures> {
        let failures = self.state.failures.lock();
        failures.unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether both handles belong to the same transaction.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.state, &other.state)
    }

    /// Makes the handle and its clones unusable, and returns the session.
    pub(super) async fn end(&self) -> Result<ClientSession> {
        // Waits for a write that is still running although your code dropped its future.
        let _turn = self.state.turn.lock().await;
        self.lock().await.take().ok_or(Error::TransactionEnded)
    }

    /// Returns a value that ends the transaction when it is dropped, although your code may have clones of the handle.
    pub(super) const fn end_on_drop(&self) -> EndOnDrop<'_> {
        EndOnDrop(self)
    }

    fn note_written(&self, collection: &str) {
        let mut written = self.written();
        match written.get_mut(collection) {
            Some(count) => *count += 1,
            None => _ = written.insert(collection.to_owned(), 1),
        }
    }

    pub(super) fn note_driver_call(&self) {
        self.state.driver_calls.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of writes that the transaction has sent to the given collections. A call of driver code
    /// counts as a write to each collection.
    pub(crate) fn writes_to(&self, collections: &BTreeSet<&str>) -> u64 {
        let written = self.written();
        let counts = written
            .iter()
            .filter(|(name, _)| collections.contains(&***name));
        let counts = counts.map(|(_, count)| count).sum::<u64>();
        counts + self.state.driver_calls.load(Ordering::Relaxed)
    }

    /// Removes and returns the names of the collections to which the transaction has sent writes.
    pub(super) fn written_collections(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.written()).into_keys().collect()
    }

    fn written(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, u64>> {
        let written = self.state.written.lock();
        written.unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns the time that all writes of the transaction store.
    pub(super) fn time(&self) -> &WriteTime {
        &self.state.time
    }

    /// Adds work that runs after the commit.
    pub(crate) fn after_commit(&self, work: impl AfterCommit) {
        self.waiting_work().push(Box::new(work));
    }

    /// Returns the flag that is set when the transaction is committed.
    pub(crate) fn commit(&self) -> Commit {
        self.state.commit.clone()
    }

    /// Removes and returns the work that runs after the commit.
    pub(super) fn take_after(&self) -> Vec<Box<dyn AfterCommit>> {
        std::mem::take(&mut *self.waiting_work())
    }

    pub(super) fn is_one_task(&self) -> bool {
        self.state.tasks == Tasks::Transaction
    }

    fn waiting_work(&self) -> std::sync::MutexGuard<'_, Vec<Box<dyn AfterCommit>>> {
        let after = self.state.after.lock();
        after.unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(crate) fn poison(&self, why: &Error) {
        self.failures().poison(why);
    }

    /// Makes the library repeat the transaction and leave its copies to jobs, which can write the copies one by one.
    /// The server has ended this attempt because a document cannot store a copy.
    pub(crate) fn refuse_copies(&self) {
        self.state.refused.store(true, Ordering::Relaxed);
    }

    /// Whether a statement has been sent, so that the driver must also send a commit or an abort.
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

impl State {
    /// Drops the session if nobody can commit the transaction any longer. The driver then aborts the transaction.
    fn give_up_if_dropped(&self, session: &mut Option<ClientSession>) {
        if self.is_dropped.load(Ordering::Acquire) {
            *session = None;
        }
    }
}

/// Ends a transaction if its future is dropped. Otherwise, clones of the handle would keep the transaction open, and
/// their writes would succeed although they are never committed.
#[derive(Debug)]
pub(super) struct EndOnDrop<'t>(&'t Tx);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        let state = &self.0.state;
        state.is_dropped.store(true, Ordering::Release);
        // If a statement is using the session, the session is dropped after this statement.
        if let Ok(mut session) = state.session.try_lock() {
            *session = None;
        }
    }
}

impl Tasks {
    /// Runs a part of a transaction. With `Statements`, the part runs in a separate task, which continues if the
    /// caller's future is dropped.
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
