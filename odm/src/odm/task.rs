//! Tasks that nobody drops.

use tokio::task::JoinError;

use crate::error::{Error, Result};

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
