//! Transactions with snapshot isolation.
//!
//! A transaction takes its snapshot when it begins, and with that everything it will write is decided. Of two writers
//! of a document the one that commits first aborts the other at once, which then begins again, or is gone. What a
//! transaction only reads is not protected.

use crate::{
    database::{DOCUMENTS, Id, Writes},
    rules::Grace,
};

/// An open transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Transaction {
    pub(crate) writes: Writes,
    /// For the job of each document.
    pub(crate) ages: [Age; DOCUMENTS],
}

/// When a transaction began, as far as the grace of a job waits for its end; time is nothing else here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Age {
    Young,
    /// Before one has ended that is old.
    Second,
    /// Before the last change of the job.
    Old,
}

impl Transaction {
    /// Whether a commit of `writes` makes it abort.
    pub(crate) fn loses_to(&self, writes: &Writes) -> bool {
        self.writes.is_conflict(writes)
    }

    /// Whether the grace of a job waits for its end.
    pub(crate) fn holds_up(&self, id: Id, grace: Grace) -> bool {
        match grace {
            Grace::TwoLives => self.ages[id] != Age::Young,
            Grace::OneLife => self.ages[id] == Age::Old,
            Grace::Zero => false,
        }
    }
}
