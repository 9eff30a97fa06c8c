//! A process, where it stands, and what it does next.

use crate::{
    database::{Cursor, Job, Relation, Value, Writes},
    transaction::{Kind, Transaction},
};

/// A process. What it knows is in its step; what it asked the server for, in its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Client {
    /// Where it stands, and goes back to when its transaction aborts.
    pub(crate) step: Step,
    pub(crate) open: Option<Open>,
}

/// A transaction whose end the client waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Open {
    /// `None`: it was committed, and the majority does not have it yet.
    pub(crate) transaction: Option<Transaction>,
    pub(crate) then: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// A renamer has these values left.
    Rename(&'static [Value]),

    /// An inserter declares its copies.
    Declare,
    /// It begins.
    Insert,
    /// It inserted a copy with this value.
    Reread(Value),
    /// It read another value after that.
    Fix,
    Inserted,

    /// A runner looks for a job.
    Idle,
    /// It read this job of a relation.
    Claimed(Relation, Job),
    /// It is in a pass over the copies for this job, and this is the cursor that it knows.
    Pass(Relation, Job, Option<Cursor>),
}

/// What a step does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    /// A read, or nothing.
    Go(Step),
    /// A single statement.
    Now(Writes, Step),
    /// A transaction, which ends some time.
    Begin(Writes, Kind, Step),
}

impl Client {
    pub(crate) fn new(step: Step) -> Self {
        Self { step, open: None }
    }

    pub(crate) fn transaction_mut(&mut self) -> Option<&mut Transaction> {
        self.open.as_mut()?.transaction.as_mut()
    }

    pub(crate) fn transaction(&self) -> Option<&Transaction> {
        self.open.as_ref()?.transaction.as_ref()
    }

    /// Whether a crash now loses something that the others could miss.
    pub(crate) fn can_crash(&self) -> bool {
        self.transaction().is_some()
            || matches!(
                self.step,
                Step::Reread(_) | Step::Fix | Step::Claimed(..) | Step::Pass(..)
            )
    }

    /// What a new process stands at, in place of this one. Nobody renames or inserts a second time.
    pub(crate) fn restart(&self) -> Self {
        Self::new(match self.step {
            Step::Rename(_) => Step::Rename(&[]),
            Step::Declare | Step::Insert | Step::Reread(_) | Step::Fix | Step::Inserted => {
                Step::Inserted
            }
            Step::Idle | Step::Claimed(..) | Step::Pass(..) => Step::Idle,
        })
    }
}
