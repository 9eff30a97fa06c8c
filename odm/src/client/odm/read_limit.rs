//! A time limit and a comment for all reads through a handle. The tools set such a limit for tasks that consist of many
//! reads.

use std::time::{Duration, Instant};

/// The time by which all reads must have ended, and the comment that distinguishes these reads from the application's
/// statements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadLimit {
    pub(crate) end: Instant,
    pub(crate) comment: &'static str,
}

impl ReadLimit {
    /// Returns the time limit of the next read, at least 1 ms. The server interprets 0 ms as no limit. So a read that
    /// starts too late gets the shortest possible limit, and fails in the same way as a read that takes too long.
    pub(crate) fn left(&self) -> Duration {
        let left = self.end.saturating_duration_since(Instant::now());
        left.max(Duration::from_millis(1))
    }
}
