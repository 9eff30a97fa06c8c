//! The rules of the protocol. [`counterexamples`](crate::counterexamples) omits each necessary rule in turn, and
//! [`proofs`](crate::proofs) omits the rules that only save time.

use crate::database::Child;

/// The effect of the delete rule on a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Removal {
    /// `on_delete = "cascade"` deletes the child.
    Cascade,
    /// `on_delete = "nullify"` removes the reference and the copy.
    Nullify,
}

impl Removal {
    /// The child after the rule has been applied.
    pub(crate) fn child(self) -> Child {
        match self {
            Self::Cascade => Child::Missing,
            Self::Nullify => Child::Unlinked,
        }
    }
}

/// The rules that processes follow.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule")]
pub(crate) struct Rules {
    /// A delete applies the rule in its transaction, and does not leave this to the job.
    pub(crate) applies: bool,
    /// If the source exists again, the runner of the rule's job stores the job for the copies.
    pub(crate) records: bool,
    /// The writer of a child stores the job for the copies if the source is missing.
    pub(crate) expects: bool,
    /// An insert of the source searches for children in its transaction.
    pub(crate) searches: bool,
    /// Writers of children and inserts check the copies again after the commit.
    pub(crate) rechecks: bool,
    /// For each job: the last look begins when all transactions have ended that began before the latest change of the
    /// job was committed.
    pub(crate) waits: [bool; 2],
}

/// One of the rules.
pub(crate) type Rule = fn(&mut Rules) -> &mut bool;

impl Rules {
    /// The protocol of the library.
    pub(crate) const FULL: Self = Self {
        applies: true,
        records: true,
        expects: true,
        searches: true,
        rechecks: true,
        waits: [true; 2],
    };
}
