//! Retries a statement that must succeed before a write can send its own statements.

use std::time::Instant;

use super::backoff::{RETRY_FOR, backoff};
use crate::error::{Error, Result};

/// Sends a statement, outside of transactions, that must succeed before a write can send its own statements. The
/// statement is retried after the same errors and for the same period as a transaction.
///
/// A write should survive a failover that happens before the write sends its own statements. The driver's retries are
/// not sufficient, because the driver retries a command only once, and does not retry some commands at all.
///
/// The function does not retry if no server is reachable, because the driver has already waited for a server
/// (`serverSelectionTimeoutMS`).
///
/// The statement may be sent several times.
///
/// # Errors
///
/// Returns the server's error if another attempt would not help, or if the time limit has passed.
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
