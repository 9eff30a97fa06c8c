//! The age of a transaction: whether the grace period waits for its end.
//!
//! This is the only representation of time here. The last look can begin when no open transaction is old. In the
//! library, `now >= changed_at + G` ensures this.

use crate::{client::Step, rules::Grace};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Age {
    kind: Kind,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Batch,
    Other,
}

/// The progress of renames since the transaction began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stage {
    Young,
    /// A rename wrote `changed_at`. Used only if the grace period counts from this moment.
    Stamped,
    /// A rename committed, or the declaration reached a new stage. The grace period waits for the end of this
    /// transaction.
    Old,
}

/// The age of a transaction that begins. The transaction is a batch if its runner is still in the pass after the
/// commit.
pub(crate) fn age(then: Step) -> Age {
    let is_batch = matches!(then, Step::Pass(..));
    Age {
        kind: if is_batch { Kind::Batch } else { Kind::Other },
        stage: Stage::Young,
    }
}

impl Age {
    pub(crate) fn is_old(self) -> bool {
        self.stage == Stage::Old
    }

    /// A rename begins, and reads the clock for `changed_at`.
    pub(crate) fn on_stamp(&mut self, grace: Grace) {
        if grace == Grace::SinceStamp && self.stage == Stage::Young {
            self.stage = Stage::Stamped;
        }
    }

    /// A rename commits.
    pub(crate) fn on_rename(&mut self, grace: Grace) {
        let is_covered = match grace {
            Grace::SinceCommit => true,
            Grace::SinceStamp => self.stage != Stage::Young,
            Grace::ExceptBatches => self.kind != Kind::Batch,
        };
        if is_covered {
            self.stage = Stage::Old;
        }
    }

    /// A stage of the declaration begins that cannot end before this transaction.
    pub(crate) fn grow_old(&mut self) {
        self.stage = Stage::Old;
    }
}
