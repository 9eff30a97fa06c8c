//! A process: its current state and its next step.

use crate::{
    database::{Cursor, Job, Relation, Value},
    machine::{Open, Transaction},
};

/// A process. Its step contains its local state, and `open` the transaction that it has sent to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Client {
    /// Whether it runs the older version of the program.
    pub(crate) is_older: bool,
    /// The current step, to which the process returns if its transaction aborts.
    pub(crate) step: Step,
    pub(crate) open: Option<Open>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// A renamer still has to write these values.
    Rename(&'static [Value]),

    /// An application gives the source this value and inserts a copy, in one transaction.
    Transact(&'static [Value]),

    /// An inserter declares its copies.
    Declare,
    /// It begins the insert.
    Insert,
    /// It inserted a copy with this value.
    Reread(Value),
    /// It read a different value after the insert.
    Fix,
    Inserted,

    /// A runner looks for a job.
    Idle,
    /// It read this job of a relation.
    Claimed(Relation, Job),
    /// It is in a pass over the copies for this job. The cursor is the latest that it has read or written.
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

    /// Whether a crash in this state can lose work that other processes depend on.
    pub(crate) fn can_crash(&self) -> bool {
        self.transaction().is_some()
            || matches!(
                self.step,
                Step::Reread(_) | Step::Fix | Step::Claimed(..) | Step::Pass(..)
            )
    }

    /// Whether a caller waits for this process and could stop waiting.
    pub(crate) fn has_caller(&self) -> bool {
        let is_runner = matches!(self.step, Step::Idle | Step::Claimed(..) | Step::Pass(..));
        let is_waiting = self.open.is_some() || matches!(self.step, Step::Reread(_) | Step::Fix);
        is_waiting && !is_runner
    }

    /// The process after its caller has stopped waiting. The caller continues, and the steps after the commit are
    /// skipped.
    pub(crate) fn abandon(&self) -> Self {
        let step = self.open.map_or(self.step, |open| open.then);
        let step = match step {
            Step::Reread(_) | Step::Fix => Step::Inserted,
            step => step,
        };
        Self::of(self.is_older, step)
    }

    /// The new process that replaces this one. It does not repeat renames or inserts.
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
