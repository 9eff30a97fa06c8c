//! What all reads of one question have in common.

use std::time::{Duration, Instant};

/// What all reads of one question have in common: the moment by which the server has to be done with them, and the
/// comment that tells them from the statements of the application.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadLimit {
    pub(crate) end: Instant,
    pub(crate) comment: &'static str,
}

impl ReadLimit {
    /// Returns how long the next read may take. For the server, 0 milliseconds are no limit: a read that comes too late
    /// has one, and fails as any that takes too long.
    pub(crate) fn left(&self) -> Duration {
        let left = self.end.saturating_duration_since(Instant::now());
        left.max(Duration::from_millis(1))
    }
}
