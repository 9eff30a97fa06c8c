//! Tasks that nobody drops.

use tokio::task::JoinError;
use tracing::Instrument;

use super::observe::observed_too;
use crate::error::{Error, Result};

/// Makes a part of a call that is handed to a task of its own belong to the caller all the same: to the span, and to
/// those who observe what is sent. What runs in the background belongs to nobody, and goes without it.
pub(crate) fn of_caller<T>(part: impl Future<Output = T>) -> impl Future<Output = T> {
    observed_too(part).in_current_span()
}

/// Returns what a task returned; a panic in it goes on here, as it would without the task.
pub(crate) fn join_task<T>(done: Result<Result<T>, JoinError>) -> Result<T> {
    match done {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(Error::Shutdown),
        },
    }
}
