//! A process: its current state and its next step.

use crate::{
    database::{Phase, Value},
    machine::Open,
};

/// A process. Its step contains its local state, and `open` the transaction that it has sent to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Client {
    /// The current step, to which the process returns if its transaction aborts.
    pub(crate) step: Step,
    pub(crate) open: Option<Open>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// A writer is about to store the child at this position.
    Store(usize),
    /// It has stored this copy, and reads the source again.
    Recheck(usize, Option<Value>),
    /// It has read a different value, and corrects the copy.
    Correct(usize),

    /// A writer is about to delete the source.
    Delete,
    /// A writer is about to insert the source.
    Insert(Value),
    /// It has inserted the source, and searches for children again.
    Search,
    /// It has found children, and writes their copies.
    Follow,
    /// A writer has no work left.
    Done,

    /// A runner looks for a job.
    Idle,
    Claimed(Claim),
    /// It has finished a pass over the children.
    Passed(Claim),
}

/// A job that a runner has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Claim {
    pub(crate) job: usize,
    pub(crate) phase: Phase,
    /// Whether the job still has the version that was read.
    pub(crate) is_current: bool,
}

impl Client {
    pub(crate) fn new(step: Step) -> Self {
        Self { step, open: None }
    }

    pub(crate) fn is_runner(&self) -> bool {
        matches!(self.step, Step::Idle | Step::Claimed(_) | Step::Passed(_))
    }

    /// Whether a crash in this state can lose work that other processes depend on.
    pub(crate) fn can_crash(&self) -> bool {
        let has_begun = !matches!(
            self.step,
            Step::Store(_) | Step::Delete | Step::Insert(_) | Step::Done | Step::Idle
        );
        self.open.is_some() || has_begun
    }

    /// The new process that replaces this one. A writer skips its remaining steps.
    pub(crate) fn restart(&self) -> Self {
        Self::new(if self.is_runner() {
            Step::Idle
        } else {
            Step::Done
        })
    }

    /// The claims that the process has read.
    pub(crate) fn claims(&mut self) -> impl Iterator<Item = &mut Claim> {
        let then = self.open.as_mut().map(|open| &mut open.then);
        then.into_iter()
            .chain([&mut self.step])
            .filter_map(|step| match step {
                Step::Claimed(claim) | Step::Passed(claim) => Some(claim),
                _ => None,
            })
    }
}
