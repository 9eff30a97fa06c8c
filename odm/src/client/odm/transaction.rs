//! Starts transactions, runs their closures, retries them, and commits them or rolls them back.
//!
//! - The closure is an `FnMut(Tx) -> Future`, not an `AsyncFnMut`. A future that awaits a generic `AsyncFnMut` is not
//!   `Send` for every lifetime, so your code could not spawn or box it. An `async |tx|` closure can borrow from its
//!   surroundings. A closure that owns its values clones them for each attempt.
//! - `TransactionBody` has this `FnMut` as its supertrait. Without this supertrait, the compiler cannot infer types in
//!   the closure.

mod commit;
mod future;
mod missing_collections;
mod retry;
mod start;

use std::time::Instant;

use mongodb::ClientSession;
use tokio_util::task::TaskTracker;

use super::{
    Odm, Tx,
    clock::WriteTime,
    detached_task::{in_caller_context, join_task},
    tx::Tasks,
};
use crate::error::Result;
pub use future::TransactionRun;

/// The closure of a transaction. The closure receives the [`Tx`] and returns a future: `async |tx| { .. }`.
///
/// All closures and functions with this signature implement the trait.
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

/// The result of a transaction's closure: a [`Result`] of this library.
#[diagnostic::on_unimplemented(
    message = "the closure of a transaction ends with a `mongo_odm::Result`, and this one with `{Self}`",
    label = "expected a closure that ends with `Ok(value)`, or with a `mongo_odm::Error`",
    note = "end it with `Ok(())` or `Ok(value)`, and await the calls in it; an error of the application is returned as `Err(Error::custom(error))`, and \
            goes through `.map_err(Error::custom)?`, or through `?` alone after `impl mongo_odm::CustomError for MyError {{}}`"
)]
pub trait TransactionOutcome<T> {
    /// Returns the outcome as a [`Result`].
    #[doc(hidden)]
    fn into_result(self) -> Result<T>;
}

// This is the only implementation, so the compiler can infer the error type of `Ok(value)`.
#[diagnostic::do_not_recommend]
impl<T> TransactionOutcome<T> for Result<T> {
    fn into_result(self) -> Self {
        self
    }
}

/// How a transaction ends if its closure succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Commit,
    RollBack,
}

impl Odm {
    /// Runs the closure in a transaction, with read concern `snapshot` and write concern `majority`.
    ///
    /// In the closure, pass `&tx` to the calls. Statements through any other handle to the database run outside of the
    /// transaction. A handle that [warns of slow statements](crate::Settings::warn_of_slow_statements) also warns about
    /// such statements. Use [`tx.odm()`](Tx::odm) for statements that must run outside of the transaction.
    ///
    /// The closure can run several times, so keep side effects out of it. The closure can borrow from its surroundings.
    /// Clone the values that the closure owns or changes: `|tx| { let name = name.clone(); async move { .. } }`. The
    /// returned future is `Send` if the closure's future is.
    ///
    /// # Sends
    ///
    /// The statements of the closure, and one round trip for the commit or the abort. Before the call returns, the
    /// library reads the sources of new copies once more. If there were too many copies for the transaction, jobs write
    /// these copies.
    ///
    /// # Guarantees
    ///
    /// - The whole transaction is retried after a `TransientTransactionError` (a write conflict or a new primary), for
    ///   up to 120 seconds.
    /// - The commit is sent again after an `UnknownTransactionCommitResult`, for up to 120 seconds. The server applies
    ///   a commit only once.
    /// - The transaction is also retried if a document cannot store a copy of a written source. In the next attempt,
    ///   the library leaves the copies to a job.
    /// - If the closure returns an error, the transaction is rolled back.
    /// - If the closure ignores the error of a statement, nothing is committed, because most errors end the transaction
    ///   on the server. Two groups of errors are exceptions. After a transient error, the transaction is retried.
    ///   Errors that occur before anything is sent, and documents that cannot be decoded, do not end the transaction.
    ///
    /// # Errors
    ///
    /// - The error that the closure or the server returned.
    /// - [`Error::Custom`](crate::Error::Custom) for the application's own error. The closure returns this error with
    ///   [`Error::custom`](crate::Error::custom), or with `?` if its type implements
    ///   [`CustomError`](crate::CustomError). The caller retrieves the error with
    ///   [`Error::get_custom`](crate::Error::get_custom).
    /// - [`Error::TransactionPoisoned`](crate::Error::TransactionPoisoned) if the closure ignored an error.
    /// - [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server.
    ///
    /// # Cancel safety
    ///
    /// If you drop the future before the commit, the transaction is rolled back after the running statement. Later
    /// calls with a clone of the [`Tx`] fail. A commit that has started runs to completion; see
    /// [`finish_writes`](Self::finish_writes).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "accounts")]
    /// # struct Account {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Account>,
    /// #     amount: i64,
    /// # }
    /// # async fn example(odm: Odm, from: Account, to: Account) -> mongo_odm::Result<()> {
    /// odm.transaction(async |tx| {
    ///     Account::update(&tx, from.id).inc(Account::fields().amount, -5).await?;
    ///     Account::update(&tx, to.id).inc(Account::fields().amount, 5).await?;
    ///     Ok(())
    /// })
    /// .await
    /// # }
    /// ```
    #[track_caller]
    pub fn transaction<F, Running, T>(&self, body: F) -> TransactionRun<F, Running, T>
    where
        // The bound is not `AsyncFnMut`, for the reason that the head of this module explains.
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
                    odm.run_transaction(
                        body,
                        WriteTime::default(),
                        Tasks::Statements,
                        Ending::Commit,
                    )
                    .await
                })
            },
        )
    }

    /// Runs one of the library's own transactions. The caller runs in a separate task, which continues even if your
    /// code drops the future of its call.
    pub(super) async fn transaction_of_task<T, F, Running>(
        &self,
        time: WriteTime,
        body: F,
    ) -> Result<T>
    where
        F: FnMut(Tx) -> Running,
        Running: Future<Output = Result<T>>,
    {
        self.run_transaction(body, time, Tasks::Transaction, Ending::Commit)
            .await
    }

    /// Runs one of the library's own transactions and rolls it back. The caller runs in a separate task, which
    /// continues even if your code drops the future of its call.
    pub(super) async fn roll_back<T, F, Running>(&self, time: WriteTime, body: F) -> Result<T>
    where
        F: FnMut(Tx) -> Running,
        Running: Future<Output = Result<T>>,
    {
        self.run_transaction(body, time, Tasks::Transaction, Ending::RollBack)
            .await
    }

    /// Commits a transaction, and then runs the work after the commit in the same task. Dropping the caller does not
    /// stop this task, and [`finish_writes`](Self::finish_writes) waits for it.
    ///
    /// A transaction that runs as one task belongs to a single call. The work after its commit was registered by the
    /// writes of the call's hooks. The call itself runs the work of its own write afterwards.
    async fn conclude(
        &self,
        tx: &Tx,
        session: ClientSession,
        started: Instant,
    ) -> Result<(ClientSession, Result<()>)> {
        let (odm, after, commit) = (self.clone(), tx.take_after(), tx.commit());
        let has_begun = tx.has_begun();
        let whole = async move {
            let (session, committed) = odm.commit(session, has_begun, started).await?;
            if committed.is_ok() {
                commit.done();
                for work in after {
                    work.run(odm.clone()).await;
                }
            }
            Ok((session, committed))
        };
        if tx.is_one_task() {
            return Box::pin(whole).await;
        }
        let writes = self.deployment().shared::<TaskTracker>();
        join_task(writes.spawn(in_caller_context(whole)).await)
    }
}
