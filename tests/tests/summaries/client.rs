//! A process: its current state and its next step.

use crate::{
    database::{Job, Version},
    fields::{CHILDREN, Child},
    machine::Open,
};

/// A process. What it knows is in its step; what it asked the server for, in its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Client {
    /// Where it stands, and goes back to when its transaction aborts.
    pub(crate) step: Step,
    pub(crate) open: Option<Open>,
}

/// A write of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Op {
    Insert(Child),
    Remove(Child),
    /// Gives a child another value, by which it is another one here.
    Change(Child, Child),
    InsertParent,
    RemoveParent,
}

/// The writes that an application has left.
pub(crate) type Ops = &'static [Op];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// A writer is about to do the first of these.
    Write(Ops),
    /// It wrote a child without a parent, and looks for the parent once more.
    Look(Ops),
    /// It inserted the parent, and looks for other children than these.
    Reread([bool; CHILDREN], Ops),
    /// There are others.
    Correct(Ops),
    /// It has written the delta of this child alone, and now writes the child.
    WriteChild(Child, Ops),
    /// It has written this child alone, and now writes the delta.
    WriteDelta(Child, Ops),

    /// A folder looks for deltas.
    Fold,
    /// It has folded the deltas of these children, which came and which left, and now removes them.
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

    /// Whether a crash now loses something that the others could miss.
    pub(crate) fn can_crash(&self) -> bool {
        self.open.is_some() || !matches!(self.step, Step::Write(_) | Step::Fold | Step::Idle)
    }

    /// What another process stands at in its place: nobody does a write a second time, or what comes after a commit.
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

    /// The versions that it knows.
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
