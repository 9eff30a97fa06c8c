//! Tasks that continue when their caller is dropped.
//!
//! - A plain read runs in the task of its caller. If the caller is dropped, the driver closes the connection of the
//!   read.
//! - A write is one task, with its transaction and the steps after its commit. Otherwise a dropped future could stop
//!   the driver in the middle of a statement, or leave a source without its copies. The task is one for the whole
//!   write: with one task per statement, a rename with few copies needed 8 % more time.
//! - In a transaction of the application every read is a task too, because it has the session.

use tokio::task::JoinError;
use tracing::Instrument;

use super::observed_statement::with_observers;
use crate::error::{Error, Result};

/// Runs a part of a call in a task of its own with the `tracing` span and the observers of the caller. Background work,
/// which belongs to no caller, does not use it.
pub(crate) fn in_caller_context<T>(part: impl Future<Output = T>) -> impl Future<Output = T> {
    with_observers(part).in_current_span()
}

/// Returns the result of a task. A panic of the task continues here.
pub(crate) fn join_task<T>(done: Result<Result<T>, JoinError>) -> Result<T> {
    match done {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(Error::Shutdown),
        },
    }
}
