//! How long, and with which pauses, something is tried again.

use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// How long a transaction is tried again, as in the drivers' specification: twice the server's
/// limit for the life of one transaction.
pub(super) const RETRY_FOR: Duration = Duration::from_secs(120);

/// The pause before another try, from the drivers' specification: a random part of
/// `5 ms * 1.5^attempt`, at most half a second.
pub(super) fn backoff(attempt: i32) -> Duration {
    let longest = (0.005 * 1.5_f64.powi(attempt.min(60))).min(0.5);
    Duration::from_secs_f64(fastrand::f64() * longest)
}

/// Asks the server for something that a write needs to know or to prepare before its own statements, outside of any
/// transaction. Tries again for as long and for the same reasons as a transaction is tried again: a write whose own
/// statements survive a failover must not fail before them. The driver itself tries once more, and some commands not at
/// all.
///
/// Does not try again if no server is within reach: the driver has already waited for one as long as its settings say.
///
/// What is asked for may be done several times.
///
/// # Errors
///
/// What the server reports, if another try would not help, or after that time.
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
