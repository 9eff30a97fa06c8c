//! A process: its current state and its next step.

use crate::{
    database::{Job, Version},
    fields::{CHILDREN, Child},
    machine::Open,
};

/// A process. Its step contains its local state, and `open` the transaction that it has sent to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Client {
    /// The current step, to which the process returns if its transaction aborts.
    pub(crate) step: Step,
    pub(crate) open: Option<Open>,
}

/// A write of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Op {
    Insert(Child),
    Remove(Child),
    /// Changes the value of a child. Here, a child with a different value is a different child.
    Change(Child, Child),
    InsertParent,
    RemoveParent,
}

/// The remaining writes of an application.
pub(crate) type Ops = &'static [Op];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// A writer is about to do the first of these.
    Write(Ops),
    /// It wrote a child without a parent, and looks for the parent again.
    Look(Ops),
    /// It inserted the parent, and looks for children besides these.
    Reread([bool; CHILDREN], Ops),
    /// It has found that the children are different now.
    Correct(Ops),
    /// It has written only the delta of this child, and now writes the child.
    WriteChild(Child, Ops),
    /// It has written only this child, and now writes the delta.
    WriteDelta(Child, Ops),

    /// A folder looks for deltas.
    Fold,
    /// It has folded the deltas of these inserted and these removed children, and now deletes these deltas.
    Forget([bool; CHILDREN], [bool; CHILDREN]),

    /// A runner looks for a job.
    Idle,
    /// It read this job.
    Claimed(Job),
    /// It has visited the parent for this job.
    Visited(Job),
}

impl Client {
    pub(crate) fn new(step: Step) -> Self {
        let open = None;
        Self { step, open }
    }

    /// Whether a crash in this state can lose work that other processes depend on.
    pub(crate) fn can_crash(&self) -> bool {
        self.open.is_some() || !matches!(self.step, Step::Write(_) | Step::Fold | Step::Idle)
    }

    /// The new process that replaces this one. It does not repeat a write, and skips the steps after a commit.
    pub(crate) fn restart(&self) -> Self {
        Self::new(match self.step {
            Step::Write(ops) => Step::Write(ops.get(1..).unwrap_or_default()),
            Step::Look(ops)
            | Step::Reread(_, ops)
            | Step::Correct(ops)
            | Step::WriteChild(_, ops)
            | Step::WriteDelta(_, ops) => Step::Write(ops),
            Step::Fold | Step::Forget(..) => Step::Fold,
            Step::Idle | Step::Claimed(_) | Step::Visited(_) => Step::Idle,
        })
    }

    /// The versions of the job that the process has read.
    pub(crate) fn versions(&mut self) -> Vec<&mut Version> {
        let mut known: Vec<&mut Version> = self.step.version_mut().into_iter().collect();
        known.extend(self.open.as_mut().and_then(|open| open.then.version_mut()));
        known
    }
}

impl Step {
    fn version_mut(&mut self) -> Option<&mut Version> {
        match self {
            Self::Claimed(job) | Self::Visited(job) => Some(&mut job.version),
            _ => None,
        }
    }
}
