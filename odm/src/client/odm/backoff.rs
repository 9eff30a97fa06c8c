//! The time limit for retries, and the pauses between them.

use std::time::Duration;

/// How long a transaction is retried. The drivers' specification requires twice the server's limit for the lifetime of
/// a transaction.
pub(super) const RETRY_FOR: Duration = Duration::from_secs(120);

/// Returns the pause before the next attempt. According to the drivers' specification, the pause is a random fraction
/// of `5 ms * 1.5^attempt`, at most half a second.
pub(super) fn backoff(attempt: i32) -> Duration {
    let longest = (0.005 * 1.5_f64.powi(attempt.min(60))).min(0.5);
    Duration::from_secs_f64(fastrand::f64() * longest)
}
