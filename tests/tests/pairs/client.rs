//! A process: its current state and its next step.

use crate::{
    database::{Id, Ids, Phase},
    machine::Open,
};

/// A process. Its step contains its local state, and `open` the transaction that it has sent to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Client {
    /// The current step, to which the process returns if its transaction aborts.
    pub(crate) step: Step,
    pub(crate) open: Option<Open>,
    /// Number of writes that it can still choose.
    pub(crate) choices: u8,
}

/// A write of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Op {
    /// Adds the second document to the array of the first.
    Link(Id, Id),
    /// Removes the second document from the array of the first.
    Unlink(Id, Id),
    /// Makes both documents refer to each other, even if the first already refers to the second: `link`.
    Make(Id, Id),
    /// Removes each document from the array of the other, even if the first does not refer to the second: `unlink`.
    End(Id, Id),
    /// Inserts a document that refers to these documents.
    Insert(Id, &'static [Id]),
    Delete(Id),
    /// Removes from the array of a document the existing documents that do not refer to it.
    RemoveOneSided(Id),
}

/// The remaining writes of an application.
pub(crate) type Ops = &'static [Op];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// A writer is about to do the first of these.
    Write(Ops),
    /// It has committed, and looks for other documents again.
    Look(Look, Ops),

    /// A runner looks for a job.
    Idle,
    Claimed(Claim),
    /// It has added the missing ids to the array.
    Added(Claim),
}

/// The documents that a writer looks for after its commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Look {
    /// Documents that were missing.
    pub(crate) awaited: Ids,
    /// A new document, and the documents that are known to refer to it or to be in its array.
    pub(crate) arrived: Option<(Id, Ids)>,
}

/// A job that a runner has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Claim {
    pub(crate) id: Id,
    pub(crate) phase: Phase,
    /// Whether the job still has the version that was read.
    pub(crate) is_current: bool,
}

impl Client {
    pub(crate) fn new(step: Step) -> Self {
        let (open, choices) = (None, 0);
        Self {
            step,
            open,
            choices,
        }
    }

    /// A writer that chooses this number of writes.
    pub(crate) fn choosing(choices: u8) -> Self {
        let step = Step::Write(&[]);
        Self {
            choices,
            ..Self::new(step)
        }
    }

    /// Whether a crash in this state can lose work that other processes depend on.
    pub(crate) fn can_crash(&self) -> bool {
        self.open.is_some() || !matches!(self.step, Step::Write(_) | Step::Idle)
    }

    /// The new process that replaces this one. It does not repeat a write, and skips the steps after a commit.
    pub(crate) fn restart(&self) -> Self {
        let step = match self.step {
            Step::Write(ops) => Step::Write(ops.get(1..).unwrap_or_default()),
            Step::Look(_, ops) => Step::Write(ops),
            Step::Idle | Step::Claimed(_) | Step::Added(_) => Step::Idle,
        };
        Self {
            choices: self.choices,
            ..Self::new(step)
        }
    }

    /// The claims that the process has read.
    pub(crate) fn claims(&mut self) -> impl Iterator<Item = &mut Claim> {
        let then = self.open.as_mut().map(|open| &mut open.then);
        then.into_iter()
            .chain([&mut self.step])
            .filter_map(|step| match step {
                Step::Claimed(claim) | Step::Added(claim) => Some(claim),
                _ => None,
            })
    }
}
