//! Transactions with snapshot isolation.
//!
//! A transaction takes its snapshot when it begins, and with that everything it will write is decided.
//! The server lets the first of two writers of a document win. Here that is the one that commits: it
//! aborts the other at once, which then begins again, or is gone. A transaction that aborts for another
//! reason is one that has not begun yet. What a transaction only reads is not protected.

use crate::{database::Writes, rules::Grace};

/// An open transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Transaction {
    pub(crate) writes: Writes,
    kind: Kind,
    age: Age,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Batch,
    Other,
}

/// What happened to the source since the transaction began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Age {
    Young,
    /// A rename wrote `changed_at`. Told from `Young` only where the grace period counts from there.
    Stamped,
    /// A rename committed, or everybody knows the copies, and the grace period counts for this transaction.
    Old,
}

impl Transaction {
    pub(crate) fn new(writes: Writes, kind: Kind) -> Self {
        let age = Age::Young;
        Self { writes, kind, age }
    }

    /// Whether the grace period waits for its end. Time is nothing else here: a settle sweep may begin
    /// when no open transaction is old, which is what `now >= changed_at + G` is to make certain.
    pub(crate) fn is_old(&self) -> bool {
        self.age == Age::Old
    }

    /// A rename begins, and takes the time for `changed_at`.
    pub(crate) fn on_stamp(&mut self, grace: Grace) {
        if grace == Grace::SinceStamp && self.age == Age::Young {
            self.age = Age::Stamped;
        }
    }

    /// A rename commits.
    pub(crate) fn on_rename(&mut self, grace: Grace) {
        let is_covered = match grace {
            Grace::SinceCommit => true,
            Grace::SinceStamp => self.age != Age::Young,
            Grace::ExceptBatches => self.kind != Kind::Batch,
        };
        if is_covered {
            self.age = Age::Old;
        }
    }

    /// A stage of the declaration begins that has to outlast it.
    pub(crate) fn grow_old(&mut self) {
        self.age = Age::Old;
    }

    /// Whether a commit of `writes` makes it abort.
    pub(crate) fn loses_to(&self, writes: &Writes) -> bool {
        self.writes.is_conflict(writes)
    }
}
