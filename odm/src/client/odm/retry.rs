//! The time limit and the pauses of retries.

use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// The time for which a transaction is tried again, from the drivers' specification: twice the server's limit for the
/// life of one transaction.
pub(super) const RETRY_FOR: Duration = Duration::from_secs(120);

/// Returns the pause before the next attempt, from the drivers' specification: a random part of `5 ms * 1.5^attempt`,
/// at most half a second.
pub(super) fn backoff(attempt: i32) -> Duration {
    let longest = (0.005 * 1.5_f64.powi(attempt.min(60))).min(0.5);
    Duration::from_secs_f64(fastrand::f64() * longest)
}

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
