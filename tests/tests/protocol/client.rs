//! A process: its current state and its next step.

use crate::{
    database::{Cursor, Job, Relation, Value},
    machine::{Open, Transaction},
};

/// A process. What it knows is in its step; what it asked the server for, in its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Client {
    /// Whether it is of the older version of the program.
    pub(crate) is_older: bool,
    /// Where it stands, and goes back to when its transaction aborts.
    pub(crate) step: Step,
    pub(crate) open: Option<Open>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// A renamer has these values left.
    Rename(&'static [Value]),

    /// An application gives the source this value and inserts a copy, in one transaction.
    Transact(&'static [Value]),

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

impl Client {
    pub(crate) fn of(is_older: bool, step: Step) -> Self {
        Self {
            is_older,
            step,
            open: None,
        }
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

    /// Whether somebody waits for it who could stop to wait.
    pub(crate) fn has_caller(&self) -> bool {
        let is_runner = matches!(self.step, Step::Idle | Step::Claimed(..) | Step::Pass(..));
        let is_waiting = self.open.is_some() || matches!(self.step, Step::Reread(_) | Step::Fix);
        is_waiting && !is_runner
    }

    /// What its caller goes on with who did not wait for the end: nothing comes after the commit.
    pub(crate) fn abandon(&self) -> Self {
        let step = self.open.map_or(self.step, |open| open.then);
        let step = match step {
            Step::Reread(_) | Step::Fix => Step::Inserted,
            step => step,
        };
        Self::of(self.is_older, step)
    }

    /// What a new process stands at, in place of this one. Nobody renames or inserts a second time.
    pub(crate) fn restart(&self) -> Self {
        let step = match self.step {
            Step::Rename(_) => Step::Rename(&[]),
            Step::Transact(_)
            | Step::Declare
            | Step::Insert
            | Step::Reread(_)
            | Step::Fix
            | Step::Inserted => Step::Inserted,
            Step::Idle | Step::Claimed(..) | Step::Pass(..) => Step::Idle,
        };
        Self::of(self.is_older, step)
    }
}
