//! The result of the statements of a write, and the work that remains after its commit.

use super::{follow_result::Followed, new_source::NewSources, written_copy::WrittenCopies};
use crate::hook::CommittedHooks;

/// The return value of a transaction, and the work that remains after its commit.
#[derive(Debug, Default)]
pub(crate) struct Outcome<T> {
    pub(crate) value: T,
    pub(crate) followed: Followed,
    pub(crate) written: Vec<WrittenCopies>,
    pub(crate) new_sources: Vec<NewSources>,
    /// The hooks that run after the commit.
    pub(crate) committed: CommittedHooks,
}

impl<T> Outcome<T> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            value,
            followed: Followed::default(),
            written: Vec::new(),
            new_sources: Vec::new(),
            committed: CommittedHooks::default(),
        }
    }

    /// Adds the remaining work of another transaction to this outcome, and returns the other transaction's value.
    pub(crate) fn add<U>(&mut self, other: Outcome<U>) -> U {
        self.followed.extend(other.followed);
        self.written.extend(other.written);
        self.new_sources.extend(other.new_sources);
        self.committed.extend(other.committed);
        other.value
    }

    /// Converts the transaction's return value, and keeps the remaining work.
    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome {
            value: map(self.value),
            followed: self.followed,
            written: self.written,
            new_sources: self.new_sources,
            committed: self.committed,
        }
    }
}
