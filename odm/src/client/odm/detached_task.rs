//! Tasks that continue after your code has dropped the future of the call.
//!
//! - A plain read runs in its caller's task. If your code drops the future, the driver closes the read's connection.
//! - A write, its transaction and the steps after its commit run in one task. Otherwise a dropped future could stop the
//!   driver in the middle of a statement, or leave the copies of a source stale. We do not use one task per statement,
//!   because in that design, renaming a source that has only a few copies took 8 % longer.
//! - In a transaction of the application, every read also runs in a separate task, because it uses the session of the
//!   transaction.

use futures_util::future::BoxFuture;
use tokio::task::{JoinError, JoinHandle};
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::{Odm, observed_statement::with_observers};
use crate::error::{Error, Result};

/// Prepares a part of a call for another task, so that this part keeps the caller's `tracing` span and observers.
/// Background work does not use this function, because it does not belong to any caller.
pub(crate) fn in_caller_context<T>(part: impl Future<Output = T>) -> impl Future<Output = T> {
    with_observers(part).in_current_span()
}

/// Returns the result of a task. If the task panicked, the panic continues here.
pub(crate) fn join_task<T>(done: Result<Result<T>, JoinError>) -> Result<T> {
    match done {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(Error::Shutdown),
        },
    }
}

/// Runs work for which other calls of the handle wait, such as the first read of the declarations. The work runs in a
/// separate task, because its caller might not be polled at the moment, for example in a loop with `tokio::select!`.
/// All other calls would then wait for this caller.
pub(crate) async fn for_all_calls<T: Send + 'static>(
    work: BoxFuture<'static, Result<T>>,
) -> Result<T> {
    join_task(tokio::spawn(in_caller_context(work)).await)
}

impl Odm {
    /// Returns a handle whose transactions are tasks of the given tracker, so that the caller can wait for them.
    pub(crate) fn with_tracked_transactions(&self, tracker: TaskTracker) -> Self {
        self.with_options(|options| options.transactions = Some(tracker))
    }

    /// Returns a handle for whose transactions [`finish_writes`](Self::finish_writes) waits, as it does for writes.
    pub(crate) fn with_awaited_transactions(&self) -> Self {
        let writes = self.deployment().shared::<TaskTracker>();
        self.with_tracked_transactions(TaskTracker::clone(&writes))
    }

    /// Starts a transaction of the library in a separate task, which continues if the caller's future is dropped.
    pub(super) fn spawn_transaction<T: Send + 'static>(
        &self,
        transaction: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let transaction = in_caller_context(transaction);
        let options = self.options.as_ref();
        match options.and_then(|options| options.transactions.as_ref()) {
            Some(tracker) => tracker.spawn(transaction),
            None => tokio::spawn(transaction),
        }
    }
}
