//! Transactions with snapshot isolation.
//!
//! A transaction takes its snapshot when it begins, and with that everything it will write is decided. Of two writers
//! of a document the one that commits first aborts the other at once, which then begins again, or is gone. What a
//! transaction only reads is not protected.

use crate::database::{Ids, Writes};

/// An open transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Transaction {
    pub(crate) writes: Writes,
    /// Of which documents the job was changed after it began: the grace waits for its end. Time is nothing else here.
    pub(crate) is_older: Ids,
}

impl Transaction {
    pub(crate) fn begin(writes: Writes) -> Self {
        let is_older = Ids::default();
        Self { writes, is_older }
    }

    /// Whether a commit of `writes` makes it abort.
    pub(crate) fn loses_to(&self, writes: &Writes) -> bool {
        self.writes.is_conflict(writes)
    }
}
