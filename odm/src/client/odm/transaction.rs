//! Runs transactions: begins them, runs the closure, tries again, commits or rolls back.
//!
//! - The closure is an `FnMut(Tx) -> Future`, not an `AsyncFnMut`. A future that awaits a generic `AsyncFnMut` is not
//!   `Send` for every lifetime, so your code could not spawn or box it. An `async |tx|` closure can borrow from
//!   outside. A closure that owns its values clones them for each attempt.
//! - `TransactionBody` has this `FnMut` as its supertrait. Without it, the compiler cannot infer types in the closure.

mod future;

use std::{future::IntoFuture, time::Instant};

use mongodb::{
    ClientSession,
    bson::doc,
    error::{ErrorKind, TRANSIENT_TRANSACTION_ERROR, UNKNOWN_TRANSACTION_COMMIT_RESULT},
    options::{ReadConcern, ReadPreference, SelectionCriteria, WriteConcern},
};
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::{
    Exec, Odm, Tx,
    detached_task::{in_caller_context, join_task},
    observed_statement::StatementOrigin,
    retry::{RETRY_FOR, ask_before_write, backoff},
    trace::{self, StatementTrace},
    tx::Tasks,
};
use crate::{
    client::{command::RunCommand, place::Place, plan::Statement},
    error::{Error, Result},
};
pub use future::TransactionRun;

/// The closure of a transaction, which gets the transaction and returns a future: `async |tx| { .. }`.
///
/// Implemented by every such closure and function.
#[diagnostic::on_unimplemented(
    message = "a transaction cannot run this, perhaps several times",
    label = "expected a closure that takes the transaction, and changes nothing outside",
    note = "write `async |tx| {{ .. }}`, or `|tx| async move {{ .. }}`, and hand `&tx` to the calls in it",
    note = "what the closure captures it only reads: make a value inside, and return it with `Ok(value)`; after `move`, clone: \
            `move |tx| {{ let name = name.clone(); async move {{ .. }} }}`"
)]
pub trait TransactionBody<Running>: FnMut(Tx) -> Running {}

#[diagnostic::do_not_recommend]
impl<F: FnMut(Tx) -> Running, Running> TransactionBody<Running> for F {}

/// How the closure of a transaction ends: with a [`Result`] of this library.
#[diagnostic::on_unimplemented(
    message = "the closure of a transaction ends with a `mongo_odm::Result`, and this one with `{Self}`",
    label = "expected a closure that ends with `Ok(value)`, or with a `mongo_odm::Error`",
    note = "end it with `Ok(())` or `Ok(value)`, and await the calls in it; an error of the application is returned as `Err(Error::custom(error))`, and \
            goes through `.map_err(Error::custom)?`, or through `?` alone after `impl mongo_odm::CustomError for MyError {{}}`"
)]
pub trait TransactionOutcome<T> {
    /// Returns the result.
    fn into_result(self) -> Result<T>;
}

// The only one: so the compiler knows the error of an `Ok(value)`.
#[diagnostic::do_not_recommend]
impl<T> TransactionOutcome<T> for Result<T> {
    fn into_result(self) -> Self {
        self
    }
}

/// How a transaction ends that nothing has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Commit,
    RollBack,
}

impl Odm {
    /// Runs the closure in a transaction: read concern snapshot, write concern majority.
    ///
    /// The closure may run several times: as in the driver, the whole transaction is tried again on
    /// a `TransientTransactionError` (a write conflict, a new primary) and the commit alone on an
    /// `UnknownTransactionCommitResult`, for up to 120 seconds. It is also tried again when a document cannot
    /// take its copy of something that the transaction writes; that copy is left to a job then. So keep side
    /// effects out of the closure.
    ///
    /// The closure ends with `Ok(..)`, and its error is an [`Error`] of this library. An error that it returns aborts the
    /// transaction. An error of the application goes through
    /// [`Error::custom`], or through `?` alone if its type is a [`CustomError`](crate::CustomError);
    /// [`Error::get_custom`] takes it out again.
    ///
    /// Inside the closure, hand over `&tx`. What is sent with another handle of the database runs outside of the
    /// transaction; a [handle that warns of slow statements](crate::Settings::warn_of_slow_statements) warns of that, with the line of the call. For what has to be outside, there is
    /// [`tx.odm()`](Tx::odm).
    ///
    /// Let the closure return the errors of its statements, because most of them end the transaction on the
    /// server. When the closure swallows such an error, nothing is committed or tried again, and
    /// [`Error::TransactionPoisoned`] says which statement had failed. There are two exceptions. The transaction
    /// is tried again after a swallowed error that is worth another try. Errors that have changed nothing do no
    /// harm: a call that cannot mean what it says, a document that does not fit its struct.
    ///
    /// The closure may capture references to anything outside; what it owns or changes itself must be
    /// cloned into each run (`|tx| { let name = name.clone(); async move { .. } }`), since every try
    /// starts from the same state. The returned future is `Send` if that of the closure is.
    ///
    /// One round trip for the commit or the abort, besides those of the statements. When it is
    /// committed, the sources of new copies are read once more, and copies that were too many for the
    /// transaction are written by their jobs, before this returns.
    ///
    /// # Errors
    ///
    /// What the closure or the server reports; [`Error::TransactionPoisoned`] after an error that was
    /// swallowed, [`Error::NoTransactions`] on a standalone server.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{Odm, Error, mongodb::bson::doc};
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let total = odm.transaction(async |tx| Ok(42)).await?;
    /// # Ok(()) }
    /// ```
    #[track_caller]
    pub fn transaction<F, Running, T>(&self, body: F) -> TransactionRun<F, Running, T>
    where
        // Not `AsyncFnMut`: a future that calls one is not `Send` for every lifetime, so it could
        // not be spawned. An `async |tx|` closure is accepted as it is.
        F: TransactionBody<Running>,
        Running: Future<Output: TransactionOutcome<T>>,
    {
        self.warn_inside_transaction();
        let odm = self.clone();
        TransactionRun::new(
            self.clone(),
            body,
            |body, tx| body(tx),
            |running, context| running.poll(context).map(TransactionOutcome::into_result),
            |turn| {
                Box::pin(async move {
                    let body = |tx| turn.body(tx);
                    odm.run_transaction(body, Tasks::Statements, Ending::Commit)
                        .await
                })
            },
        )
    }

    /// Runs a transaction of the library's own in a task that nobody drops.
    pub(super) async fn transaction_of_task<T, F, Running>(&self, body: F) -> Result<T>
    where
        F: FnMut(Tx) -> Running,
        Running: Future<Output = Result<T>>,
    {
        self.run_transaction(body, Tasks::Transaction, Ending::Commit)
            .await
    }

    /// Runs a transaction of the library's own and rolls it back, in a task that nobody drops.
    pub(super) async fn roll_back<T, F, Running>(&self, body: F) -> Result<T>
    where
        F: FnMut(Tx) -> Running,
        Running: Future<Output = Result<T>>,
    {
        self.run_transaction(body, Tasks::Transaction, Ending::RollBack)
            .await
    }

    /// Commits a transaction and does what is left to be done then, both in one task: a caller that is dropped
    /// stops neither, and [`finish_writes`](Self::finish_writes) waits for them.
    async fn conclude(
        &self,
        tx: &Tx,
        session: ClientSession,
        started: Instant,
    ) -> Result<(ClientSession, Result<()>)> {
        if tx.is_of_task() {
            // What is left to be done afterwards is a part of what it returns.
            return self.commit(session, tx.has_begun(), started).await;
        }
        let (odm, after, told) = (self.clone(), tx.take_after(), tx.commit());
        let has_begun = tx.has_begun();
        let whole = async move {
            let (session, committed) = odm.commit(session, has_begun, started).await?;
            if committed.is_ok() {
                told.done();
                for work in after {
                    work.run(odm.clone()).await;
                }
            }
            Ok((session, committed))
        };
        let writes = self.deployment().shared::<TaskTracker>();
        join_task(writes.spawn(in_caller_context(whole)).await)
    }

    /// Runs a transaction until it has ended well.
    async fn run_transaction<T, F, Running>(
        &self,
        mut body: F,
        tasks: Tasks,
        ending: Ending,
    ) -> Result<T>
    where
        F: FnMut(Tx) -> Running,
        Running: Future<Output = Result<T>>,
    {
        let started = Instant::now();
        let mut session = self.client().start_session().await?;
        let (mut defers, mut was_lost) = (false, false);
        for attempt in 0.. {
            Box::pin(start(&mut session, self)).await?;
            let tx = Tx::new(self.clone(), session, defers, tasks);
            // Boxed, as are the futures of builders: what awaits them stays small.
            let outcome = Box::pin(body(tx.clone())).await;
            // A write whose caller was dropped may fail until then.
            session = tx.end().await?;
            let outcome = tx.failures().judge(outcome);
            defers |= tx.is_refused();
            let retry = match outcome {
                Ok(value) if ending == Ending::RollBack => {
                    tasks
                        .run(self.clone().abort(session, tx.has_begun()))
                        .await?;
                    return Ok(value);
                }
                Ok(value) => match self.conclude(&tx, session, started).await? {
                    (_, Ok(())) => return Ok(value),
                    (again, Err(error)) => {
                        session = again;
                        let failed = || Place::database().failed("commitTransaction");
                        let error = tx.failures().note(error, failed);
                        retry_or(error, |error| {
                            error.contains_label(TRANSIENT_TRANSACTION_ERROR)
                        })?
                    }
                },
                Err(error) => {
                    // The outcome of an abort does not matter: an open transaction ends by itself.
                    let aborting = self.clone().abort(session, tx.has_begun());
                    session = tasks.run(aborting).await?;
                    retry_or(error, |_| tx.failures().is_transient() || tx.is_refused())?
                }
            };
            let is_lost = tx.failures().is_lost_to_driver_code();
            if is_lost && was_lost {
                return Err(lost_to_driver_code());
            }
            was_lost = is_lost;
            if started.elapsed() >= RETRY_FOR {
                return Err(retry);
            }
            tracing::debug!(attempt, error = %retry, "trying a transaction again");
            tokio::time::sleep(backoff(attempt)).await;
        }
        Err(Error::TransactionEnded)
    }
}

/// Says why a transaction is not tried again that was lost two times, and no statement of the library had
/// failed.
fn lost_to_driver_code() -> Error {
    Error::TransactionPoisoned(
        "the server ended the transaction two times after driver code in `tx.run`, which seems to keep an \
         error of the driver to itself; return it from `tx.run`"
            .to_owned(),
    )
}

/// Keeps an error that is worth another try, and returns any other.
fn retry_or(error: Error, is_retryable: impl FnOnce(&Error) -> bool) -> Result<Error> {
    if is_retryable(&error) {
        Ok(error)
    } else {
        Err(no_transactions(error))
    }
}

/// Begins a transaction. The driver says that a deployment has no transactions also when it cannot reach it at
/// the moment; so the server itself is asked then.
async fn start(session: &mut ClientSession, odm: &Odm) -> Result<()> {
    let mut begun = begin(session).await;
    if begun.as_ref().is_err_and(is_unsupported) {
        let exec = Exec::on(odm.clone());
        ask_before_write(|| exec.send(RunCommand::hello())).await?;
        begun = begin(session).await;
    }
    begun.map_err(no_transactions)
}

async fn begin(session: &mut ClientSession) -> Result<()> {
    let begun = session
        .start_transaction()
        .read_concern(ReadConcern::snapshot())
        // Whatever the connection string prefers: no other member runs transactions.
        .selection_criteria(SelectionCriteria::ReadPreference(ReadPreference::Primary))
        .write_concern(WriteConcern::majority())
        .await;
    begun.map_err(Error::from)
}

fn is_unsupported(error: &Error) -> bool {
    let kind = error.driver().map(|driver| driver.kind.as_ref());
    matches!(kind, Some(ErrorKind::Transaction { .. }))
}

impl Odm {
    async fn abort(self, mut session: ClientSession, has_begun: bool) -> Result<ClientSession> {
        let seen = self.trace_end("abortTransaction", has_begun);
        let began = Instant::now();
        let aborting = session.abort_transaction().into_future();
        let aborted = aborting.instrument(seen.span.clone()).await;
        let aborted = aborted.map_err(Error::from);
        seen.answered(began, aborted.as_ref().map(|()| None));
        Ok(session)
    }

    /// Commits, and sends the commit again while its outcome is unknown. The server applies a commit once.
    ///
    /// The driver does not send it again after `MaxTimeMSExpired`. This function does: no commit has a time limit of
    /// the user here, and without another commit or an abort, the transaction would stay open on the server and lock
    /// its documents for a minute (`transactionLifetimeLimitSeconds`).
    async fn commit(
        &self,
        mut session: ClientSession,
        has_begun: bool,
        started: Instant,
    ) -> Result<(ClientSession, Result<()>)> {
        for attempt in 0.. {
            let seen = self.trace_end("commitTransaction", has_begun);
            let began = Instant::now();
            let committing = session.commit_transaction().into_future();
            let committed = committing.instrument(seen.span.clone()).await;
            let failed = || Place::database().failed("commitTransaction");
            let committed =
                committed.map_err(|error| Error::from(error).during(failed, began.elapsed()));
            seen.answered(began, committed.as_ref().map(|()| None));
            match committed {
                Ok(()) => break,
                Err(error)
                    if error.contains_label(UNKNOWN_TRANSACTION_COMMIT_RESULT)
                        && started.elapsed() < RETRY_FOR =>
                {
                    tokio::time::sleep(backoff(attempt)).await;
                }
                Err(error) => return Ok((session, Err(error))),
            }
        }
        Ok((session, Ok(())))
    }

    /// Says who sees the end of a transaction. The driver sends it only where the server knows of the transaction.
    fn trace_end(&self, command: &'static str, has_begun: bool) -> StatementTrace {
        let statement = || Statement::on("", "adminCommand").argument(doc! { command: 1 });
        let recorded = has_begun
            .then(|| StatementOrigin::library(self).note(command, &Place::database(), statement));
        StatementTrace {
            span: trace::statement("", command),
            recorded: recorded.unwrap_or_default(),
        }
    }
}

/// A standalone server says "Transaction numbers are only allowed on a replica set member or
/// mongos" with the code of every illegal operation; for a write, the driver turns this into advice
/// about retryable writes, which would not help here.
fn no_transactions(error: Error) -> Error {
    match error.driver().map(|driver| driver.kind.as_ref()) {
        Some(ErrorKind::Command(command))
            if command.code == 20
                && ["Transaction numbers", "retryable writes"]
                    .iter()
                    .any(|text| command.message.contains(text)) =>
        {
            Error::NoTransactions
        }
        _ => error,
    }
}
