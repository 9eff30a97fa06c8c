//! How many statements a handle has sent that are not answered yet.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The statements of a handle and of its clones that wait for the server.
#[derive(Debug, Default)]
pub(crate) struct InFlight(AtomicUsize);

impl InFlight {
    /// Counts a statement until what is returned is dropped.
    pub(crate) fn enter(&self) -> impl Drop + Send + '_ {
        self.0.fetch_add(1, Ordering::Relaxed);
        Entered(self)
    }

    pub(crate) fn is_none(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

struct Entered<'a>(&'a InFlight);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_in_flight_until_it_is_dropped() {
        let statements = InFlight::default();
        let (first, second) = (statements.enter(), statements.enter());
        drop(first);
        assert!(!statements.is_none());
        drop(second);
        assert!(statements.is_none());
    }
}
