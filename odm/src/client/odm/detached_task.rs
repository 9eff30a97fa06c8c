//! Tasks that continue after your code has dropped the future of the call.
//!
//! - A plain read runs in its caller's task. If your code drops the future, the driver closes the read's connection.
//! - A write, its transaction and the steps after its commit run in one task. Otherwise a dropped future could stop the
//!   driver in the middle of a statement, or leave the copies of a source stale. We do not use one task per statement,
//!   because in that design, renaming a source that has only a few copies took 8 % longer.
//! - In a transaction of the application, every read also runs in a separate task, because it uses the session of the
//!   transaction.

use tokio::task::JoinError;
use tracing::Instrument;

use super::observed_statement::with_observers;
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
