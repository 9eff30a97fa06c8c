//! Retries of a statement that a write needs before its own statements.

use std::time::Instant;

use super::backoff::{RETRY_FOR, backoff};
use crate::error::{Error, Result};

/// Sends a statement that a write needs before its own statements, outside of transactions. Tries again for the same
/// errors and the same time as a transaction.
///
/// A write that survives a failover must not fail before its own statements. The driver tries only once more, and some
/// commands not at all.
///
/// Does not try again if no server is reachable, because the driver has already waited for one
/// (`serverSelectionTimeoutMS`).
///
/// The statement may be sent several times.
///
/// # Errors
///
/// The error of the server if another attempt would not help, or after the time limit.
pub(crate) async fn ask_before_write<T, Asking>(mut ask: impl FnMut() -> Asking) -> Result<T>
where
    Asking: Future<Output = Result<T>>,
{
    let started = Instant::now();
    let mut attempt = 0;
    loop {
        match ask().await {
            Err(error @ Error::Unreachable { .. }) => return Err(error),
            Err(error) if error.is_temporary() && started.elapsed() < RETRY_FOR => {
                tracing::debug!(attempt, %error, "asking again before a write");
                tokio::time::sleep(backoff(attempt)).await;
                attempt += 1;
            }
            answer => return answer,
        }
    }
}
